/** Changes of a map's members. The members themselves are part of the map's row. */

import { changeMembership, memberRole } from '../../domain/members.ts';
import type { MemberChange } from '../../domain/members.ts';
import type { MembersOutcome, Storage } from '../storage.ts';
import type { Database } from './database.ts';
import { writeListHeads } from './locations/list.ts';
import { getMap, listFor, membersColumn } from './maps.ts';
import { revokeTokensOf } from './tokens.ts';

export function memberStore(database: Database): Pick<Storage, 'changeMembers'> {
  return {
    changeMembers: (mapId, change, now, scope) =>
      database.write(() => changeMembers(database, mapId, change, now), scope),
  };
}

function changeMembers(database: Database, mapId: string, change: MemberChange, now: number): MembersOutcome {
  const map = getMap(database, mapId);
  if (map === null) return { kind: 'map-missing' };
  if (map.isDeleted) return { kind: 'map-deleted' };
  const result = changeMembership(map, change);
  if (result.kind === 'unchanged') return { kind: 'unchanged', map };
  if (result.kind !== 'changed') return result;
  const changed = { ...map, ...result.membership };
  writeListHeads(database);
  database.run(
    'UPDATE maps SET owner_id = ?, members = ? WHERE id = ?',
    changed.ownerId,
    membersColumn(changed),
    mapId,
  );
  const { ownerId } = change;
  if (change.kind === 'remove') {
    database.run(
      'DELETE FROM map_members WHERE owner_id = ? AND created_at = ? AND map_id = ?',
      ...[ownerId, map.createdAt, mapId],
    );
    revokeTokensOf(database, ownerId, mapId, now);
  } else if (memberRole(map.members, ownerId) === null) listFor(database, ownerId, map);
  return { kind: 'changed', map: changed };
}
