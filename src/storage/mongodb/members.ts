/** Changes of a map's members. The members themselves are part of the map's document. */

import type { MemberChange } from '../../domain/members.ts';
import { changeMembership, memberRole } from '../../domain/members.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import type { MembersOutcome, Storage } from '../storage.ts';
import type { Database } from './database.ts';
import { toMap, toMemberDocument, WITHOUT_LIST } from './maps.ts';
import type { Collections } from './schema.ts';
import { revokeTokensOf } from './tokens.ts';

export function memberStore(database: Database): Pick<Storage, 'changeMembers'> {
  // Concurrent changes by several processes repeat until none is in between; those of one process take turns.
  const oneByOne = createKeyedMutex();
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
  const { maps } = collections;
  const { ownerId } = change;
  for (;;) {
    const document = await maps.findOne({ _id: { $eq: mapId } }, WITHOUT_LIST);
    if (document === null) return { kind: 'map-missing' };
    if (document.isDeleted) return { kind: 'map-deleted' };
    const map = toMap(document);
    const result = changeMembership(map, change);
    if (result.kind === 'unchanged') return { kind: 'unchanged', map };
    if (result.kind !== 'changed') return result;
    // A process may have stopped between removing the same owner earlier and revoking its tokens.
    if (memberRole(map.members, ownerId) === null) await revokeTokensOf(collections, ownerId, mapId, now);
    const changed = await maps.findOneAndUpdate(
      // Only if no other call has changed the members meanwhile.
      { _id: { $eq: mapId }, isDeleted: false, members: { $eq: document.members } },
      {
        $set: {
          ownerId: result.membership.ownerId,
          members: result.membership.members.map(toMemberDocument),
        },
      },
      { ...WITHOUT_LIST, returnDocument: 'after' },
    );
    if (changed === null) continue;
    if (change.kind === 'remove') await revokeTokensOf(collections, ownerId, mapId, now);
    return { kind: 'changed', map: toMap(changed) };
  }
}
