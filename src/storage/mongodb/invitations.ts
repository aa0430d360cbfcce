/** Invitations, which are part of their map's document. */

import type { Invitation } from '../../domain/invitation.ts';
import { byCreation, isOpen, MAX_INVITATIONS, useInvitation } from '../../domain/invitation.ts';
import { changeMembership } from '../../domain/members.ts';
import type { InvitationOutcome, InvitationStorage, InvitationUse } from '../storage.ts';
import type { Database } from './database.ts';
import { toMap, WITHOUT_LIST } from './maps.ts';
import { oneByOne, writeMembership, writeSharing } from './members.ts';
import type { Collections, InvitationDocument, MapDocument } from './schema.ts';

export function invitationStore(database: Database): InvitationStorage {
  return {
    insertInvitation: (invitation, scope) =>
      database.run(
        (collections) => oneByOne([invitation.mapId], () => insertIfAllowed(collections, invitation)),
        scope,
      ),

    listInvitations: (mapId, now, scope) =>
      database.run(async ({ maps }) => {
        const document = await maps.findOne({ _id: { $eq: mapId } }, ONLY_INVITATIONS);
        return document === null ? [] : invitationsOf(document, now);
      }, scope),

    findInvitation: (hash, now, scope) =>
      database.run(async (collections) => (await find(collections, hash, now))?.invitation ?? null, scope),

    useInvitation: (hash, ownerId, now, scope) =>
      database.run(async (collections) => {
        const found = await find(collections, hash, now);
        if (found === null) return { kind: 'invitation-missing' };
        return oneByOne([found.document._id], () => acceptInvitation(collections, hash, ownerId, now));
      }, scope),

    removeInvitation: (mapId, id, scope) =>
      database
        .run(
          (collections) => oneByOne([mapId], () => removeFrom(collections, mapId, (each) => each.id === id)),
          scope,
        )
        .then((removed) => removed === 1),
  };
}

const ONLY_INVITATIONS = { projection: { invitations: 1 } } as const;

async function insertIfAllowed(collections: Collections, invitation: Invitation): Promise<InvitationOutcome> {
  const { mapId, createdBy, createdAt } = invitation;
  for (;;) {
    const document = await collections.maps.findOne({ _id: { $eq: mapId } }, WITHOUT_LIST);
    if (document === null) return { kind: 'map-missing' };
    if (document.isDeleted) return { kind: 'map-deleted' };
    const isOwner = document.members.some(({ ownerId, role }) => ownerId === createdBy && role === 'owner');
    if (!isOwner) return { kind: 'not-an-owner' };
    const open = invitationsOf(document, createdAt);
    if (open.length >= MAX_INVITATIONS) return { kind: 'too-many-invitations' };
    const invitations = [...open, invitation].map(toInvitationDocument);
    if ((await writeSharing(collections, document, { invitations })) !== null) return { kind: 'inserted' };
  }
}

async function acceptInvitation(
  collections: Collections,
  hash: string,
  ownerId: string,
  now: number,
): Promise<InvitationUse> {
  for (;;) {
    const found = await find(collections, hash, now);
    if (found === null) return { kind: 'invitation-missing' };
    const { document, invitation } = found;
    const map = toMap(document);
    const change = { kind: 'raise', ownerId, role: invitation.role, since: now } as const;
    const result = changeMembership(map, change);
    if (result.kind === 'unchanged') return { kind: 'unchanged', map };
    if (result.kind === 'too-many-members') return result;
    if (result.kind !== 'changed') throw new Error('Raising a role adds members and lowers none.');
    const used = useInvitation(invitation);
    const invitations = (document.invitations ?? []).flatMap((each) => {
      if (each.hash !== hash) return [each];
      return used === null ? [] : [toInvitationDocument(used)];
    });
    const { membership } = result;
    const changed = await writeMembership(collections, document, { membership, change, now, invitations });
    if (changed !== null) return { kind: 'changed', map: toMap(changed) };
  }
}

/** The invitation, if it is open, with its map. */
async function find(
  { maps }: Collections,
  hash: string,
  now: number,
): Promise<{ readonly document: MapDocument; readonly invitation: Invitation } | null> {
  const document = await maps.findOne(
    { 'invitations.hash': { $eq: hash, $exists: true } },
    { ...WITHOUT_LIST, hint: 'maps_by_invitation' },
  );
  if (document === null || document.isDeleted) return null;
  const invitation = invitationsOf(document, now).find((each) => each.hash === hash);
  return invitation === undefined ? null : { document, invitation };
}

/** @returns how many of the map's invitations were removed */
async function removeFrom(
  collections: Collections,
  mapId: string,
  isRemoved: (invitation: InvitationDocument) => boolean,
): Promise<number> {
  for (;;) {
    const document = await collections.maps.findOne({ _id: { $eq: mapId } }, WITHOUT_LIST);
    const before = document?.invitations ?? [];
    const invitations = before.filter((each) => !isRemoved(each));
    const removed = before.length - invitations.length;
    if (document === null || removed === 0) return 0;
    if ((await writeSharing(collections, document, { invitations })) !== null) return removed;
  }
}

/** @returns how many expired invitations were removed */
export async function removeExpiredInvitations(collections: Collections, now: Date): Promise<number> {
  const maps = await collections.maps
    .find({ 'invitations.expiresAt': { $lte: now, $exists: true } }, { projection: { _id: 1 } })
    .hint('maps_by_invitation_expiry')
    .toArray();
  let removed = 0;
  for (const { _id } of maps) {
    removed += await oneByOne([_id], () =>
      removeFrom(collections, _id, ({ expiresAt }) => expiresAt.getTime() <= now.getTime()),
    );
  }
  return removed;
}

/** The open ones, by creation. */
export function invitationsOf(
  { _id: mapId, invitations = [] }: Pick<MapDocument, '_id' | 'invitations'>,
  now: number,
): Invitation[] {
  return invitations
    .map((document) => toInvitation(mapId, document))
    .filter((invitation) => isOpen(invitation, now))
    .toSorted(byCreation);
}

export function toInvitationDocument(invitation: Invitation): InvitationDocument {
  return {
    id: invitation.id,
    hash: invitation.hash,
    role: invitation.role,
    note: invitation.note ?? undefined,
    maxUses: invitation.maxUses,
    uses: invitation.uses,
    createdBy: invitation.createdBy,
    createdAt: new Date(invitation.createdAt),
    expiresAt: new Date(invitation.expiresAt),
  };
}

function toInvitation(mapId: string, document: InvitationDocument): Invitation {
  return {
    id: document.id,
    mapId,
    hash: document.hash,
    role: document.role,
    note: document.note ?? null,
    maxUses: document.maxUses,
    uses: document.uses,
    createdBy: document.createdBy,
    createdAt: document.createdAt.getTime(),
    expiresAt: document.expiresAt.getTime(),
  };
}
