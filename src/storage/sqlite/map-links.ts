import { MAX_MAP_LINKS } from '../../domain/map-link.ts';
import { memberRole } from '../../domain/members.ts';
import type { MapLinkOutcome, MapLinkRecord, MapLinkStorage, NewMapLink } from '../storage.ts';
import type { Database } from './database.ts';
import type { SqlRow } from './engine/driver.ts';
import { getMap } from './maps.ts';
import { insertToken, SELECT_TOKEN, toToken } from './tokens.ts';

const IS_OPEN = `map_id = ? AND kind = 'link' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`;

export function mapLinkStore(database: Database): MapLinkStorage {
  return {
    insertMapLink: (link, scope) => database.write(() => insertIfAllowed(database, link), scope),

    listMapLinks: async (mapId, now) => database.read(() => listMapLinks(database, mapId, now)),

    replaceMapLink: (mapId, id, hash, now, scope) =>
      database.write(() => {
        const replaced = database.run(
          `UPDATE tokens SET hash = ?, last_used_at = NULL WHERE id = ? AND ${IS_OPEN}`,
          ...[hash, id, mapId, now],
        );
        if (replaced === 0) return null;
        const row = database.get(`${SELECT_TOKEN} WHERE tokens.id = ?`, id);
        return row === undefined ? null : toMapLink(row);
      }, scope),

    revokeMapLink: (mapId, id, now, scope) =>
      database.write(
        () =>
          database.run(
            `UPDATE tokens SET revoked_at = ? WHERE id = ? AND ${IS_OPEN}`,
            ...[now, id, mapId, now],
          ) === 1,
        scope,
      ),
  };
}

function insertIfAllowed(database: Database, link: NewMapLink): MapLinkOutcome {
  const { mapId, ownerId, createdAt } = link;
  const map = getMap(database, mapId);
  if (map === null) return { kind: 'map-missing' };
  if (map.isDeleted) return { kind: 'map-deleted' };
  if (memberRole(map.members, ownerId) !== 'owner') return { kind: 'not-an-owner' };
  if (listMapLinks(database, mapId, createdAt).length >= MAX_MAP_LINKS) return { kind: 'too-many-links' };
  insertToken(database, link);
  return { kind: 'inserted' };
}

function listMapLinks(database: Database, mapId: string, now: number): MapLinkRecord[] {
  const rows = database.all(
    `${SELECT_TOKEN} WHERE ${IS_OPEN} ORDER BY tokens.created_at, tokens.id`,
    ...[mapId, now],
  );
  return rows.map(toMapLink);
}

function toMapLink(row: SqlRow): MapLinkRecord {
  return toToken(row) as MapLinkRecord;
}
