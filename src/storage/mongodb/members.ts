/**
 * Changes of a map's members and invitations. Both are part of the map's document, so that one statement changes them
 * together.
 */

import type { MemberChange, Membership } from '../../domain/members.ts';
import { changeMembership, memberRole } from '../../domain/members.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import type { MembersOutcome, MemberStorage } from '../storage.ts';
import type { Database } from './database.ts';
import { toMap, toMemberDocument, WITHOUT_LIST } from './maps.ts';
import type { Collections, InvitationDocument, MapDocument } from './schema.ts';
import { revokeLinksOf, revokeTokensOf } from './tokens.ts';

/** By map. Changes by several processes repeat until none is in between; those of one process take turns. */
export const oneByOne = createKeyedMutex();

export function memberStore(database: Database): MemberStorage {
  return {
    changeMembers: (mapId, change, now, scope) =>
      database.run(
        (collections) => oneByOne([mapId], () => changeMembers(collections, mapId, change, now)),
        scope,
      ),
  };
}

async function changeMembers(
  collections: Collections,
  mapId: string,
  change: MemberChange,
  now: number,
): Promise<MembersOutcome> {
  for (;;) {
    const document = await collections.maps.findOne({ _id: { $eq: mapId } }, WITHOUT_LIST);
    if (document === null) return { kind: 'map-missing' };
    if (document.isDeleted) return { kind: 'map-deleted' };
    const map = toMap(document);
    const result = changeMembership(map, change);
    if (result.kind === 'unchanged') return { kind: 'unchanged', map };
    if (result.kind !== 'changed') return result;
    const { membership } = result;
    const changed = await writeMembership(collections, document, { membership, change, now });
    if (changed !== null) return { kind: 'changed', map: toMap(changed) };
  }
}

interface MembershipWrite {
  /** After the change. */
  readonly membership: Membership;
  readonly change: MemberChange;
  readonly now: number;
  /** After the change; by default those of the document. */
  readonly invitations?: readonly InvitationDocument[];
}

/** @returns null if another call has changed the members or the invitations since the document was read */
export async function writeMembership(
  collections: Collections,
  document: MapDocument,
  { membership, change, now, invitations = document.invitations ?? [] }: MembershipWrite,
): Promise<MapDocument | null> {
  const { _id: mapId, members } = document;
  const { ownerId } = change;
  // A process may have stopped between removing or lowering the same owner earlier and revoking its tokens or links.
  const isNew = members.every((member) => member.ownerId !== ownerId);
  if (isNew) await revokeTokensOf(collections, ownerId, mapId, now);
  const wasOwner = memberRole(members, ownerId) === 'owner';
  const isOwner = memberRole(membership.members, ownerId) === 'owner';
  if (isOwner && !wasOwner && !isNew) await revokeLinksOf(collections, ownerId, mapId, now);
  const kept = isOwner ? invitations : invitations.filter(({ createdBy }) => createdBy !== ownerId);
  const changed = await writeSharing(collections, document, { membership, invitations: kept });
  if (changed !== null && change.kind === 'remove') await revokeTokensOf(collections, ownerId, mapId, now);
  else if (changed !== null && wasOwner && !isOwner) await revokeLinksOf(collections, ownerId, mapId, now);
  return changed;
}

/** @returns null if another call has changed the members or the invitations since the document was read */
export function writeSharing(
  { maps }: Pick<Collections, 'maps'>,
  { _id, isDeleted, members, invitations: before }: MapDocument,
  {
    membership,
    invitations,
  }: { readonly membership?: Membership; readonly invitations: readonly InvitationDocument[] },
): Promise<MapDocument | null> {
  const unchanged = {
    _id: { $eq: _id },
    isDeleted,
    members: { $eq: members },
    invitations: before === undefined ? { $exists: false } : { $eq: before },
  };
  return maps.findOneAndUpdate(
    unchanged,
    {
      $set: {
        ...(membership !== undefined && {
          ownerId: membership.ownerId,
          members: membership.members.map(toMemberDocument),
        }),
        ...(invitations.length > 0 && { invitations }),
      },
      ...(invitations.length === 0 && { $unset: { invitations: '' } }),
    },
    { ...WITHOUT_LIST, returnDocument: 'after' },
  );
}
