/** Kept geocodes, and quotas, in SQLite. */

import type { Storage, StoredGeocode } from '../storage.ts';
import type { Connection } from './database.ts';
import type { SqlRow } from './engine/driver.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from './rows.ts';

type GeocodeStorage = Pick<Storage, 'getGeocode' | 'putGeocode' | 'takeQuota'>;

export function geocodeStore(connection: Connection): GeocodeStorage {
  return {
    getGeocode: async (key, now) =>
      connection.read(() => {
        const row = connection.get(
          'SELECT * FROM geocodes WHERE key = ? AND (expires_at IS NULL OR expires_at > ?)',
          key,
          now,
        );
        return row === undefined ? null : toGeocode(row);
      }),

    putGeocode: (geocode) => connection.write(() => insertGeocode(connection, geocode)),

    takeQuota: (counts, expiresAt) =>
      connection.write(() => {
        const countOf = (name: string) =>
          Number(connection.get('SELECT count FROM quotas WHERE name = ?', name)?.count ?? 0);
        const full = counts.find(({ name, limit }) => countOf(name) >= limit);
        if (full !== undefined) return full.name;
        for (const { name } of counts) {
          connection.run(
            `INSERT INTO quotas VALUES (?, 1, ?) ON CONFLICT (name) DO UPDATE SET count = count + 1`,
            name,
            expiresAt,
          );
        }
        return null;
      }),
  };
}

export function insertGeocode(connection: Connection, geocode: StoredGeocode): void {
  connection.run(
    `INSERT OR REPLACE INTO geocodes (key, provider, map_id, place, stored_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    geocode.key,
    geocode.provider,
    geocode.mapId,
    // JSON keeps doubles to the last bit.
    geocode.place === null ? null : JSON.stringify(geocode.place),
    geocode.storedAt,
    geocode.expiresAt,
  );
}

export function toGeocode(row: SqlRow): StoredGeocode {
  const place = textOrNull(row, 'place');
  return {
    key: textOf(row, 'key'),
    provider: textOf(row, 'provider'),
    mapId: textOrNull(row, 'map_id'),
    place: place === null ? null : (JSON.parse(place) as StoredGeocode['place']),
    storedAt: numberOf(row, 'stored_at'),
    expiresAt: numberOrNull(row, 'expires_at'),
  };
}
