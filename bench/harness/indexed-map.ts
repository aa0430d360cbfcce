/** A store's map as a hand-written server would keep it for searches: a plain table with indexes by hand. */

import { rmSync } from 'node:fs';

import { DatabaseSync } from '@photostructure/sqlite';

import { INDEXES } from '../subjects/indexes-by-hand.ts';
import type { SqliteStore } from './filled-store.ts';

/** Rows are numbered in list order. */
const PLACES = `
  CREATE TABLE places (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    place_id TEXT NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    properties TEXT NOT NULL
  ) STRICT;
`;

const FILL_PLACES = `
  INSERT INTO places (id, name, place_id, latitude, longitude, properties)
  SELECT id, name, place_id, latitude, longitude, properties FROM ours.locations
  WHERE map_number = (SELECT number FROM ours.maps WHERE id = ?) ORDER BY order_key, sequence
`;

const FILL_INDEXES = `
  INSERT INTO by_point SELECT number, latitude, latitude, longitude, longitude FROM places;
  INSERT INTO by_word (rowid, words)
    SELECT number, (SELECT group_concat(value, ' ') FROM json_each(properties) WHERE type = 'text') FROM places;
  INSERT INTO by_field SELECT key, value, number FROM places, json_each(properties) ORDER BY key, value, number;
`;

const made = new Map<string, string>();

/** Makes the file once per store. @returns its path */
export function indexedMapOf(store: SqliteStore): string {
  const path = made.get(store.path) ?? makeIndexedMap(store);
  made.set(store.path, path);
  return path;
}

function makeIndexedMap({ path, mapId }: SqliteStore): string {
  const target = path.replace(/\.db$/, '-indexed.db');
  rmSync(target, { force: true });
  const database = new DatabaseSync(target);
  try {
    // An interrupted run discards the file.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    database.exec(PLACES + INDEXES);
    database.prepare('ATTACH ? AS ours').run(path);
    database.exec('BEGIN');
    database.prepare(FILL_PLACES).run(mapId);
    database.exec(FILL_INDEXES);
    database.exec('COMMIT; DETACH ours; PRAGMA journal_mode = WAL');
  } finally {
    database.close();
  }
  return target;
}
