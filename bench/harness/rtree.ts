/** The map of a store as a hand-written server would keep it to search a box: a plain table and an R*Tree. */

import { rmSync } from 'node:fs';

import { DatabaseSync } from '@photostructure/sqlite';

import type { SqliteStore } from './filled-store.ts';

const SCHEMA = `
  CREATE TABLE places (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    place_id TEXT NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    properties TEXT NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE boxes USING rtree (number, south, north, west, east);
`;

const made = new Map<string, string>();

/** Places are numbered in the order of the map's list. @returns the path of the file */
export function rtreeOf(store: SqliteStore): string {
  const path = made.get(store.path) ?? makeRtree(store);
  made.set(store.path, path);
  return path;
}

function makeRtree({ path, mapId }: SqliteStore): string {
  const target = path.replace(/\.db$/, '-rtree.db');
  rmSync(target, { force: true });
  const database = new DatabaseSync(target);
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(SCHEMA);
    database.prepare('ATTACH ? AS ours').run(path);
    database.exec('BEGIN');
    database
      .prepare(
        `INSERT INTO places (id, name, place_id, latitude, longitude, properties)
         SELECT id, name, place_id, latitude, longitude, properties FROM ours.locations
         WHERE map_number = (SELECT number FROM ours.maps WHERE id = ?) ORDER BY order_key, sequence`,
      )
      .run(mapId);
    database.exec(
      'INSERT INTO boxes SELECT number, latitude, latitude, longitude, longitude FROM places; COMMIT',
    );
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  return target;
}
