/** Who may use a map: members, invitations and links; part of the storage port. All times are milliseconds since the epoch. */

import type { Invitation } from '../domain/invitation.ts';
import type { MapRecord } from '../domain/map.ts';
import type { MemberChange, MembersRefusal } from '../domain/members.ts';
import type { MapUnavailable } from './changes.ts';
import type { StorageScope } from './storage-scope.ts';
import type { TokenWithOwner } from './tokens.ts';

/** A link to one map. */
export interface MapLinkRecord extends TokenWithOwner {
  readonly kind: 'link';
  readonly name: string;
  readonly mapId: string;
}

export type NewMapLink = Omit<MapLinkRecord, 'ownerName'>;

/** The map as it is now, or why its members stay as they are. */
export type MembersOutcome =
  { readonly kind: 'changed' | 'unchanged'; readonly map: MapRecord } | MembersRefusal | MapUnavailable;

export type InvitationOutcome =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'not-an-owner' }
  | { readonly kind: 'too-many-invitations' }
  | MapUnavailable;

export type MapLinkOutcome =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'not-an-owner' }
  | { readonly kind: 'too-many-links' }
  | MapUnavailable;

/** The map with its member, or why the invitation was not used. */
export type InvitationUse =
  | { readonly kind: 'changed' | 'unchanged'; readonly map: MapRecord }
  /** As {@link InvitationStorage.findInvitation} returns null. */
  | { readonly kind: 'invitation-missing' }
  | Extract<MembersRefusal, { kind: 'too-many-members' }>;

export interface MemberStorage {
  /**
   * Changes the members of a map by the rules of domain/members.ts. Of concurrent changes each sees the one before. Tokens
   * limited to the map are revoked with the membership of their owner, before the call resolves, and stay revoked. The
   * invitations of somebody who is no longer an owner are removed, and their links to the map revoked.
   *
   * @param now when tokens are revoked
   */
  changeMembers(
    mapId: string,
    change: MemberChange,
    now: number,
    scope?: StorageScope,
  ): Promise<MembersOutcome>;
}

export interface InvitationStorage {
  /**
   * Stores an invitation, if its creator is an owner of the map. Concurrent calls never exceed the limit of open
   * invitations together.
   */
  insertInvitation(invitation: Invitation, scope?: StorageScope): Promise<InvitationOutcome>;
  /** The open invitations of a map, by time of creation, then id. Empty for an unknown map. */
  listInvitations(mapId: string, now: number, scope?: StorageScope): Promise<readonly Invitation[]>;
  /** Null for an unknown or expired invitation, and for one to a deleted map. */
  findInvitation(hash: string, now: number, scope?: StorageScope): Promise<Invitation | null>;
  /**
   * Adds a stored owner to the members of the invitation's map, or raises the owner's role, and counts the use; atomically.
   * Where that changes nothing, the use is not counted. The last use removes the invitation.
   */
  useInvitation(hash: string, ownerId: string, now: number, scope?: StorageScope): Promise<InvitationUse>;
  /** Resolves to whether the map had the invitation: true for one of several concurrent calls. */
  removeInvitation(mapId: string, id: string, scope?: StorageScope): Promise<boolean>;
}

export interface MapLinkStorage {
  /** Stores a link, if its owner is an owner of the map. Concurrent calls never exceed the limit of open links together. */
  insertMapLink(link: NewMapLink, scope?: StorageScope): Promise<MapLinkOutcome>;
  /** The links of a map that are neither revoked nor expired, by time of creation, then id. Empty for an unknown map. */
  listMapLinks(mapId: string, now: number, scope?: StorageScope): Promise<readonly MapLinkRecord[]>;
  /** Replaces the hash of an open link, which counts as unused again. Null if the map has no such open link. */
  replaceMapLink(
    mapId: string,
    id: string,
    hash: string,
    now: number,
    scope?: StorageScope,
  ): Promise<MapLinkRecord | null>;
  /** Resolves to whether the map had the open link: true for one of several concurrent calls. */
  revokeMapLink(mapId: string, id: string, now: number, scope?: StorageScope): Promise<boolean>;
}
