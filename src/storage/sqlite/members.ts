/** Changes of a map's members. The members themselves are part of the map's row. */

import type { MapRecord } from '../../domain/map.ts';
import { changeMembership, memberRole } from '../../domain/members.ts';
import type { MemberChange, Membership } from '../../domain/members.ts';
import type { MembersOutcome, MemberStorage } from '../storage.ts';
import type { Database } from './database.ts';
import { writeListHeads } from './locations/list.ts';
import { getMap, listFor, membersColumn } from './maps.ts';
import { revokeLinksOf, revokeTokensOf } from './tokens.ts';

export function memberStore(database: Database): MemberStorage {
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
  return { kind: 'changed', map: writeMembership(database, map, result.membership, change, now) };
}

/** @param membership of the map after the change */
export function writeMembership(
  database: Database,
  map: MapRecord,
  membership: Membership,
  { kind, ownerId }: MemberChange,
  now: number,
): MapRecord {
  const changed = { ...map, ...membership };
  writeListHeads(database);
  database.run(
    'UPDATE maps SET owner_id = ?, members = ? WHERE id = ?',
    changed.ownerId,
    membersColumn(changed),
    map.id,
  );
  if (memberRole(changed.members, ownerId) !== 'owner') {
    database.run('DELETE FROM invitations WHERE map_id = ? AND created_by = ?', map.id, ownerId);
    revokeLinksOf(database, ownerId, map.id, now);
  }
  if (kind === 'remove') {
    database.run(
      'DELETE FROM map_members WHERE owner_id = ? AND created_at = ? AND map_id = ?',
      ...[ownerId, map.createdAt, map.id],
    );
    revokeTokensOf(database, ownerId, map.id, now);
  } else if (memberRole(map.members, ownerId) === null) listFor(database, ownerId, map);
  return changed;
}
