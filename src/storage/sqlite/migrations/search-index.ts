/** The steps of the migrations that write indexes: for locations that were stored before there were such indexes or words. */

import { cellOf } from '../../../domain/filter/cell.ts';
import { hasJoinedLetters } from '../../../domain/filter/joined-letters.ts';
import type { Connection } from '../database.ts';
import { indexedOf } from '../location-records.ts';
import { numberOf, textOf } from '../rows.ts';
import { INDEX_COLUMNS, INDEXES } from './index-schema.ts';
import type { IndexChange } from '../search/index-change.ts';
import { sumUpCells } from '../search/cell-sums.ts';
import { writeWords } from '../search/search-index.ts';

/** Locations that are read at a time, which bounds memory. */
const BATCH = 500;

/**
 * Step 6.
 *
 * @param onProgress called now and then
 */
export function indexLocations(connection: Connection, onProgress: () => void): void {
  connection.exec(INDEX_COLUMNS);
  let lastNumber = 0;
  for (const map of connection.all('SELECT number FROM maps')) {
    const mapNumber = numberOf(map, 'number');
    let hit = ['', 0] as [orderKey: string, sequence: number];
    for (;;) {
      const rows = connection.all(
        `SELECT order_key, sequence, name, properties, latitude, longitude FROM locations
         WHERE map_number = ? AND (order_key, sequence) > (?, ?) ORDER BY order_key, sequence LIMIT ${BATCH}`,
        mapNumber,
        ...hit,
      );
      const changes = rows.map((row): IndexChange => {
        const after = indexedOf(row, mapNumber);
        lastNumber += 1;
        hit = [textOf(row, 'order_key'), numberOf(row, 'sequence')];
        connection.run(
          'UPDATE locations SET number = ?, cell = ? WHERE map_number = ? AND order_key = ? AND sequence = ?',
          lastNumber,
          cellOf(after),
          mapNumber,
          ...hit,
        );
        return { number: lastNumber, before: null, after };
      });
      writeWords(connection, changes);
      onProgress();
      if (rows.length < BATCH) break;
    }
  }
  connection.exec(INDEXES);
  sumUpCells(connection);
}

/**
 * Step 11: the words of texts with apostrophes between letters, which were two words before. All else is found as it was.
 *
 * @param onProgress called now and then
 */
export function joinLetters(connection: Connection, onProgress: () => void): void {
  for (let last = 0; ; onProgress()) {
    const rows = connection.all(
      `SELECT number, map_number, name, properties, latitude, longitude FROM locations
       WHERE number > ? ORDER BY number LIMIT ${BATCH}`,
      last,
    );
    const changes: IndexChange[] = [];
    for (const row of rows) {
      last = numberOf(row, 'number');
      if (!hasJoinedLetters(textOf(row, 'name'), textOf(row, 'properties'))) continue;
      connection.run('DELETE FROM location_words WHERE rowid = ?', last);
      changes.push({ number: last, before: null, after: indexedOf(row, numberOf(row, 'map_number')) });
    }
    writeWords(connection, changes);
    if (rows.length < BATCH) return;
  }
}
