/** Hand-written indexes for the same searches: by point, by word, by value. */

import type { DatabaseSync } from '@photostructure/sqlite';

export const INDEXES = `
  CREATE VIRTUAL TABLE by_point USING rtree (number, south, north, west, east);
  CREATE VIRTUAL TABLE by_word USING fts5 (words, content = '', contentless_delete = 1);
  CREATE TABLE by_field (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (name, value, number)
  ) STRICT, WITHOUT ROWID;
`;

export interface Indexed {
  readonly number: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly fields: Readonly<Record<string, string>>;
}

/** Creates the indexes. @returns adds a location to them, in the open transaction */
export function indexesByHand(database: InstanceType<typeof DatabaseSync>): (location: Indexed) => void {
  database.exec(INDEXES);
  const point = database.prepare('INSERT INTO by_point VALUES (?, ?, ?, ?, ?)');
  const words = database.prepare('INSERT INTO by_word (rowid, words) VALUES (?, ?)');
  const field = database.prepare('INSERT INTO by_field VALUES (?, ?, ?)');
  return ({ number, latitude, longitude, fields }) => {
    point.run(number, latitude, latitude, longitude, longitude);
    words.run(number, Object.values(fields).join(' '));
    for (const [name, value] of Object.entries(fields)) field.run(name, value, number);
  };
}
