/** Reads our SQLite file with prepared statements, as a good hand-written server does. */

import { DatabaseSync } from '@photostructure/sqlite';

import { hashOfBearer } from './bearer.ts';

export interface Caller {
  readonly ownerId: string;
  readonly scope: string;
  readonly mapId: string | null;
}

export interface MapRow {
  readonly number: number;
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly isDeleted: number;
  readonly isPublished: number;
  readonly fields: string;
}

/** The columns of a page of /v0. */
export interface PageRow {
  readonly id: string;
  readonly name: string;
  readonly placeId: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly properties: string;
  readonly order: string;
  readonly orderKey: string;
  readonly sequence: number;
}

export interface LocationRow extends PageRow {
  readonly createdAt: number;
  readonly provider: string;
  readonly precision: string;
}

interface TokenRow {
  readonly owner_id: string;
  readonly scope: string;
  readonly map_id: string | null;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

const PAGE_COLUMNS = `id, name, place_id AS placeId, latitude, longitude, properties, position AS "order",
  order_key AS orderKey, sequence`;

export interface PointRow {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

export type Store = ReturnType<typeof openStore>;

export function openStore(path: string) {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA busy_timeout = 2000');
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON');

  const pageOf = (columns: string) =>
    database.prepare(
      `SELECT ${columns} FROM locations WHERE map_number = ? AND (order_key, sequence) > (?, ?)
       ORDER BY order_key, sequence LIMIT ?`,
    );
  const token = database.prepare(
    'SELECT owner_id, scope, map_id, expires_at, revoked_at FROM tokens WHERE hash = ?',
  );
  const map = database.prepare(
    `SELECT number, id, owner_id AS ownerId, name, is_deleted AS isDeleted, is_published AS isPublished, fields
     FROM maps WHERE id = ?`,
  );
  const page = pageOf(PAGE_COLUMNS);
  const locations = pageOf(`${PAGE_COLUMNS}, created_at AS createdAt, provider, "precision"`);
  const points = database.prepare(
    `SELECT id, name, latitude, longitude FROM locations
     WHERE map_number = (SELECT number FROM maps WHERE id = ?)`,
  );
  const before = database.prepare(
    'SELECT 1 FROM locations WHERE map_number = ? AND (order_key, sequence) < (?, ?) LIMIT 1',
  );

  return {
    database,
    /** @returns null for a token that is missing, unknown, expired or revoked */
    authenticate(authorization: string | null | undefined): Caller | null {
      const hash = hashOfBearer(authorization);
      const row = hash === null ? undefined : (token.get(hash) as TokenRow | undefined);
      if (row?.revoked_at !== null) return null;
      if (row.expires_at !== null && row.expires_at <= Date.now()) return null;
      return { ownerId: row.owner_id, scope: row.scope, mapId: row.map_id };
    },
    /** @returns null for a map that is unknown or not the caller's */
    findMap(caller: Caller, id: string): MapRow | null {
      const row = map.get(id) as MapRow | undefined;
      if (row?.ownerId !== caller.ownerId) return null;
      return caller.mapId === null || caller.mapId === id ? row : null;
    },
    listPage: (mapNumber: number, orderKey: string, sequence: number, limit: number) =>
      page.all(mapNumber, orderKey, sequence, limit) as unknown as PageRow[],
    listLocations: (mapNumber: number, orderKey: string, sequence: number, limit: number) =>
      locations.all(mapNumber, orderKey, sequence, limit) as unknown as LocationRow[],
    listPoints: (mapId: string) => points.all(mapId) as unknown as PointRow[],
    hasLocationsBefore: (mapNumber: number, orderKey: string, sequence: number) =>
      before.get(mapNumber, orderKey, sequence) !== undefined,
  };
}
