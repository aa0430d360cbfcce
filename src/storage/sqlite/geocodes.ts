/** Cached geocodes, and quotas. */

import type { GeocodeStorage, StoredGeocode } from '../storage.ts';
import type { Database } from './database.ts';
import type { SqlRow } from './engine/driver.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from './engine/statements.ts';

export function geocodeStore(database: Database): GeocodeStorage {
  return {
    getGeocode: async (key, now) =>
      database.read(() => {
        const row = database.get(
          'SELECT * FROM geocodes WHERE key = ? AND (expires_at IS NULL OR expires_at > ?)',
          key,
          now,
        );
        return row === undefined ? null : toGeocode(row);
      }),

    putGeocode: (geocode) => database.write(() => insertGeocode(database, geocode)),

    takeQuota: (counts, expiresAt) =>
      database.write(() => {
        const countOf = (name: string) =>
          Number(database.get('SELECT count FROM quotas WHERE name = ?', name)?.count ?? 0);
        const full = counts.find(({ name, limit }) => countOf(name) >= limit);
        if (full !== undefined) return full.name;
        for (const { name } of counts) {
          database.run(
            `INSERT INTO quotas VALUES (?, 1, ?) ON CONFLICT (name) DO UPDATE SET count = count + 1`,
            name,
            expiresAt,
          );
        }
        return null;
      }),
  };
}

export function insertGeocode(database: Database, geocode: StoredGeocode): void {
  database.run(
    `INSERT OR REPLACE INTO geocodes (key, provider, map_id, place, stored_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    geocode.key,
    geocode.provider,
    geocode.mapId,
    // JSON preserves doubles exactly.
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
