/** The steps that build the search indexes of locations stored by earlier versions. */

import { cellOf } from '../../../domain/filter/cell.ts';
import { hasJoinedLetters } from '../../../domain/filter/joined-letters.ts';
import type { Database } from '../database.ts';
import { toIndexedText } from '../locations/location-records.ts';
import { numberOf, textOf } from '../engine/statements.ts';
import type { IndexChange, IndexedText } from '../locations/location-records.ts';
import { sumUpCells } from '../search/cell-sums.ts';
import { writeWords } from '../search/search-index.ts';

const INDEX_COLUMNS = `
  ALTER TABLE locations ADD COLUMN number INTEGER;
  ALTER TABLE locations ADD COLUMN cell INTEGER;
  CREATE VIRTUAL TABLE location_words USING fts5(
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );
  CREATE TABLE cell_sums (
    map_number INTEGER NOT NULL,
    level INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    count INTEGER NOT NULL,
    latitudes INTEGER NOT NULL,
    longitudes INTEGER NOT NULL,
    south REAL,
    west REAL,
    north REAL,
    east REAL,
    PRIMARY KEY (map_number, level, cell)
  ) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE location_words_seen USING fts5vocab(location_words, instance);
  CREATE VIRTUAL TABLE location_words_counted USING fts5vocab(location_words, row);
`;

/** Created after all rows have their numbers and cells: sorting once takes a fraction of inserting one by one. */
const INDEXES = `
  CREATE UNIQUE INDEX locations_by_number ON locations (number);
  CREATE INDEX locations_by_cell ON locations (map_number, cell, number, latitude, longitude);
`;

/** Rows per read; bounds memory. */
const BATCH = 500;

/**
 * Version 6: adds the search indexes.
 *
 * @param onProgress called after each batch
 */
export function indexLocations(database: Database, onProgress: () => void): void {
  database.exec(INDEX_COLUMNS);
  let lastNumber = 0;
  for (const map of database.all('SELECT number FROM maps')) {
    const mapNumber = numberOf(map, 'number');
    let hit = ['', 0] as [orderKey: string, sequence: number];
    for (;;) {
      const rows = database.all(
        `SELECT order_key, sequence, name, properties, latitude, longitude FROM locations
         WHERE map_number = ? AND (order_key, sequence) > (?, ?) ORDER BY order_key, sequence LIMIT ${BATCH}`,
        mapNumber,
        ...hit,
      );
      const changes = rows.map((row): IndexChange<IndexedText> => {
        const point = { latitude: numberOf(row, 'latitude'), longitude: numberOf(row, 'longitude') };
        lastNumber += 1;
        hit = [textOf(row, 'order_key'), numberOf(row, 'sequence')];
        database.run(
          'UPDATE locations SET number = ?, cell = ? WHERE map_number = ? AND order_key = ? AND sequence = ?',
          lastNumber,
          cellOf(point),
          mapNumber,
          ...hit,
        );
        return { number: lastNumber, before: null, after: toIndexedText(row, mapNumber) };
      });
      writeWords(database, changes);
      onProgress();
      if (rows.length < BATCH) break;
    }
  }
  database.exec(INDEXES);
  sumUpCells(database);
}

/**
 * Version 11: indexes texts with apostrophes between letters as one word, not two. Other words stay.
 *
 * @param onProgress called after each batch
 */
export function joinLetters(database: Database, onProgress: () => void): void {
  for (let last = 0; ; onProgress()) {
    const rows = database.all(
      `SELECT number, map_number, name, properties FROM locations
       WHERE number > ? ORDER BY number LIMIT ${BATCH}`,
      last,
    );
    const changes: IndexChange<IndexedText>[] = [];
    for (const row of rows) {
      last = numberOf(row, 'number');
      if (!hasJoinedLetters(textOf(row, 'name'), textOf(row, 'properties'))) continue;
      database.run('DELETE FROM location_words WHERE rowid = ?', last);
      changes.push({
        number: last,
        before: null,
        after: toIndexedText(row, numberOf(row, 'map_number')),
      });
    }
    writeWords(database, changes);
    if (rows.length < BATCH) return;
  }
}
