/** A store's map as a hand-written server would keep it for searches: a plain table with indexes by hand. */

import { rmSync } from 'node:fs';

import { DatabaseSync } from '@photostructure/sqlite';

import { INDEXES } from '../subjects/indexes-by-hand.ts';
import type { SqliteStore } from './filled-store.ts';

/** Rows are numbered in list order. */
const LOCATIONS = `
  CREATE TABLE locations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    place_id TEXT NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    properties TEXT NOT NULL,
    is_checked INTEGER NOT NULL
  ) STRICT;
`;

const FILL_LOCATIONS = `
  INSERT INTO locations (id, name, place_id, latitude, longitude, properties, is_checked)
  SELECT id, name, place_id, latitude, longitude, properties, is_checked FROM ours.locations
  WHERE map_number = (SELECT number FROM ours.maps WHERE id = ?) ORDER BY order_key, sequence
`;

const FILL_INDEXES = `
  INSERT INTO by_point SELECT number, latitude, latitude, longitude, longitude FROM locations;
  INSERT INTO by_word (rowid, words)
    SELECT number, (SELECT group_concat(value, ' ') FROM json_each(properties) WHERE type = 'text') FROM locations;
  INSERT INTO by_field SELECT key, value, number FROM locations, json_each(properties) ORDER BY key, value, number;
  CREATE INDEX by_checked ON locations (is_checked, number);
`;

const paths = new Map<string, string>();

/** Creates the file once per store. @returns its path */
export function indexedMapOf(store: SqliteStore): string {
  const path = paths.get(store.path) ?? createIndexedMap(store);
  paths.set(store.path, path);
  return path;
}

function createIndexedMap({ path, mapId }: SqliteStore): string {
  const target = path.replace(/\.db$/, '-indexed.db');
  rmSync(target, { force: true });
  const database = new DatabaseSync(target);
  try {
    // An interrupted run discards the file.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    database.exec(LOCATIONS + INDEXES);
    database.prepare('ATTACH ? AS ours').run(path);
    database.exec('BEGIN');
    database.prepare(FILL_LOCATIONS).run(mapId);
    database.exec(FILL_INDEXES);
    database.exec('COMMIT; DETACH ours; PRAGMA journal_mode = WAL');
  } finally {
    database.close();
  }
  return target;
}
