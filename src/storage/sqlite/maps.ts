import type { CategoryStyle } from '../../domain/category-style.ts';
import type { GeocodingArea } from '../../domain/geocoding-area.ts';
import type { LogoInfo } from '../../domain/logo.ts';
import type { PageTheme } from '../../domain/page-theme.ts';
import type { FieldDefinition, MapRecord } from '../../domain/map.ts';
import type { MapMember } from '../../domain/members.ts';
import { creatorOf } from '../../domain/members.ts';
import type { MapSortKey } from '../../domain/paging/cursor.ts';
import type {
  MapKeyChange,
  MapPatch,
  MapsQuery,
  MapStorage,
  MapUnavailable,
  PublishedMapEntry,
} from '../storage.ts';
import type { Database } from './database.ts';
import type { SqlRow, SqlValue } from './engine/driver.ts';
import { mapUnavailableReason, writeListHeads } from './locations/list.ts';
import { putLogo, removeLogo } from './logos.ts';
import { RowCache } from './caches.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from './engine/statements.ts';

const PATCH_COLUMNS = {
  name: 'name',
  isDeleted: 'is_deleted',
  isPublished: 'is_published',
  providerMapApiKey: 'provider_map_api_key',
  geocodingApiKey: 'geocoding_api_key',
  geocoding: 'geocoding',
  fields: 'fields',
  language: 'language',
  timeZone: 'time_zone',
  theme: 'theme',
  logo: 'logo',
  categories: 'categories',
  updatedAt: 'updated_at',
} as const satisfies Record<keyof MapPatch, string>;

/** Rows per read: bounds memory, and lets other work run between two reads. */
const WALK_BATCH = 500;

export function mapStore(database: Database): MapStorage {
  const cache = new RowCache<MapRecord>(database);
  return {
    insertMap: (map, scope) => database.write(() => insertMap(database, map), scope),
    getMaps: async (ids, scope) =>
      database.read(() => ids.map((id) => cache.get(id, scope?.readTimestamp, () => getMap(database, id)))),
    listMaps: async (query) => database.read(() => listMaps(database, query)),
    countMaps: async (query) => database.read(() => countMaps(database, query)),
    listPublishedMaps: async (page) => database.read(() => listPublishedMaps(database, page)),
    updateMap: (id, patch, options, scope) =>
      database.write(() => {
        const unavailable = options.evenIfDeleted ? null : mapUnavailable(database, id);
        if (unavailable !== null) return unavailable;
        patchMap(database, id, patch);
        const map = getMap(database, id);
        if (map === null) return { kind: 'map-missing' };
        if (options.logo !== undefined) putLogo(database, options.logo);
        else if (patch.logo === null) removeLogo(database, id);
        return { kind: 'updated', map };
      }, scope),
    listMapsWithKeys: () => walkMapsWithKeys(database),
    changeMapKeys: (changes) => database.write(() => changeMapKeys(database, changes)),
  };
}

/** Null when the map takes part in writes. */
export function mapUnavailable(database: Database, id: string): MapUnavailable | null {
  return mapUnavailableReason(database.get('SELECT is_deleted FROM maps WHERE id = ?', id));
}

export function insertMap(database: Database, map: MapRecord): void {
  database.run(
    `INSERT INTO maps (id, owner_id, name, is_deleted, is_published, created_at, provider_map_api_key,
       geocoding_api_key, fields, updated_at, geocoding, members, language, time_zone, theme, categories,
       logo) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    map.id,
    map.ownerId,
    map.name,
    Number(map.isDeleted),
    Number(map.isPublished),
    map.createdAt,
    map.providerMapApiKey,
    map.geocodingApiKey,
    JSON.stringify(map.fields),
    map.updatedAt,
    jsonOrNull(map.geocoding),
    membersColumn(map),
    map.language,
    map.timeZone,
    jsonOrNull(map.theme),
    JSON.stringify(map.categories),
    jsonOrNull(map.logo),
  );
  for (const { ownerId } of map.members) listFor(database, ownerId, map);
}

/** Adds the map to those that an owner is a member of. */
export function listFor(database: Database, ownerId: string, { createdAt, id }: MapSortKey): void {
  database.run('INSERT INTO map_members VALUES (?, ?, ?)', ownerId, createdAt, id);
}

/** NULL while the owner is the only member, as in nearly all maps. */
export function membersColumn({
  ownerId,
  createdAt,
  members,
}: Pick<MapRecord, 'ownerId' | 'createdAt' | 'members'>): string | null {
  const text = JSON.stringify(members);
  return text === JSON.stringify([creatorOf(ownerId, createdAt)]) ? null : text;
}

export function getMap(database: Database, id: string): MapRecord | null {
  const row = database.get('SELECT * FROM maps WHERE id = ?', id);
  return row === undefined ? null : toMap(row);
}

function patchMap(database: Database, id: string, patch: MapPatch): void {
  writeListHeads(database);
  const columns: string[] = [];
  const values: SqlValue[] = [];
  for (const [key, column] of Object.entries(PATCH_COLUMNS)) {
    const value = patch[key as keyof MapPatch];
    if (value === undefined) continue;
    columns.push(`${column} = ?`);
    values.push(toSqlValue(value));
  }
  if (columns.length > 0) database.run(`UPDATE maps SET ${columns.join(', ')} WHERE id = ?`, ...values, id);
}

function toSqlValue(value: NonNullable<MapPatch[keyof MapPatch]> | null): SqlValue {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' ? jsonOrNull(value) : value;
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function listMaps(database: Database, query: MapsQuery): MapRecord[] {
  const { conditions, values } = mapsOfMember(query);
  if (query.after !== null) {
    conditions.push('(map_members.created_at, map_id) > (?, ?)');
    values.push(query.after.createdAt, query.after.id);
  }
  if (query.before !== null) {
    conditions.push('(map_members.created_at, map_id) < (?, ?)');
    values.push(query.before.createdAt, query.before.id);
  }
  const direction = query.fromEnd ? 'DESC' : 'ASC';
  const rows = database.all(
    `SELECT maps.* FROM map_members JOIN maps ON maps.id = map_id WHERE ${conditions.join(' AND ')}
     ORDER BY map_members.created_at ${direction}, map_id ${direction} LIMIT ?`,
    ...values,
    query.limit,
  );
  const maps = rows.map(toMap);
  return query.fromEnd ? maps.reverse() : maps;
}

function countMaps(database: Database, query: Pick<MapsQuery, 'ownerId' | 'mapId'>): number {
  const { conditions, values } = mapsOfMember(query);
  const row = database.get(
    `SELECT COUNT(*) AS count FROM map_members WHERE ${conditions.join(' AND ')}`,
    ...values,
  );
  return Number(row?.count);
}

function listPublishedMaps(
  database: Database,
  { after, limit }: Parameters<MapStorage['listPublishedMaps']>[0],
): PublishedMapEntry[] {
  const rows = database.all(
    `SELECT id, max(coalesce(updated_at, created_at), last_change_at) AS changed_at FROM maps
     WHERE is_published = 1 AND is_deleted = 0 AND id > ? ORDER BY id LIMIT ?`,
    after ?? '',
    limit,
  );
  return rows.map((row) => ({ id: textOf(row, 'id'), changedAt: numberOf(row, 'changed_at') }));
}

function mapsOfMember(query: Pick<MapsQuery, 'ownerId' | 'mapId'>) {
  const conditions = ['map_members.owner_id = ?'];
  const values: SqlValue[] = [query.ownerId];
  if (query.mapId !== null) {
    // The time of creation, which is part of the key, avoids a walk through all maps of the member.
    conditions.push('(map_members.created_at, map_id) = (SELECT created_at, id FROM maps WHERE id = ?)');
    values.push(query.mapId);
  }
  return { conditions, values };
}

async function* walkMapsWithKeys(database: Database): AsyncGenerator<MapRecord> {
  let last = 0;
  for (;;) {
    const rows = database.read(() =>
      database.all(
        `SELECT * FROM maps WHERE number > ? AND (provider_map_api_key IS NOT NULL OR geocoding_api_key IS NOT NULL)
         ORDER BY number LIMIT ${WALK_BATCH}`,
        last,
      ),
    );
    for (const row of rows) {
      last = numberOf(row, 'number');
      yield toMap(row);
    }
    if (rows.length < WALK_BATCH) return;
  }
}

function changeMapKeys(database: Database, changes: readonly MapKeyChange[]): number {
  let count = 0;
  for (const { mapId, name, from, to } of changes) {
    const column = PATCH_COLUMNS[name];
    count += database.run(`UPDATE maps SET ${column} = ? WHERE id = ? AND ${column} = ?`, to, mapId, from);
  }
  return count;
}

export function toMap(row: SqlRow): MapRecord {
  const members = textOrNull(row, 'members');
  const ownerId = textOf(row, 'owner_id');
  return {
    id: textOf(row, 'id'),
    ownerId,
    members:
      members === null
        ? [creatorOf(ownerId, numberOf(row, 'created_at'))]
        : (JSON.parse(members) as MapMember[]),
    name: textOf(row, 'name'),
    isDeleted: row.is_deleted === 1,
    isPublished: row.is_published === 1,
    createdAt: numberOf(row, 'created_at'),
    updatedAt: numberOrNull(row, 'updated_at') ?? numberOf(row, 'created_at'),
    providerMapApiKey: textOrNull(row, 'provider_map_api_key'),
    geocodingApiKey: textOrNull(row, 'geocoding_api_key'),
    geocoding: parsedOrNull<GeocodingArea>(row, 'geocoding'),
    fields: JSON.parse(textOf(row, 'fields')) as FieldDefinition[],
    language: textOrNull(row, 'language') as MapRecord['language'],
    timeZone: textOrNull(row, 'time_zone'),
    theme: parsedOrNull<PageTheme>(row, 'theme'),
    logo: parsedOrNull<LogoInfo>(row, 'logo'),
    categories: parsedOrNull<CategoryStyle[]>(row, 'categories') ?? [],
  };
}

function parsedOrNull<T>(row: SqlRow, column: string): T | null {
  const text = textOrNull(row, column);
  return text === null ? null : (JSON.parse(text) as T);
}
