/**
 * The minimal import: csv-parse, one prepared insert and one transaction per batch, into the same tables under the same
 * pragmas, without any checks. `bare-import DATABASE MAP FILE BATCH [indexed]`
 */

import { createReadStream } from 'node:fs';

import { parse } from 'csv-parse';

import { toPlainDecimal } from './decimal.ts';
import { newLocationId } from './ids.ts';
import { indexesByHand } from './indexes-by-hand.ts';
import { encodeOrder } from './order-key.ts';
import { openStore } from './store.ts';

const [path = '', mapId = '', file = '', batchText = '', indexed] = process.argv.slice(2);
const batchSize = Number(batchText);
const { database } = openStore(path);
const { number } = database.prepare('SELECT number FROM maps WHERE id = ?').get(mapId) as { number: number };
const insert = database.prepare(
  `INSERT INTO locations (map_number, order_key, sequence, id, position, name, place_id, latitude, longitude,
     properties, created_at, provider, "precision", lat, lng, cell, version)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'manual', 'rooftop', '', '', 0, 1)`,
);
const update = database.prepare('UPDATE maps SET last_sequence = ?, largest_number = ? WHERE number = ?');

const addToIndexes = indexed === undefined ? null : indexesByHand(database);

let sequence = 0;

function store(batch: readonly Record<string, string>[]): void {
  database.exec('BEGIN IMMEDIATE');
  const now = Date.now();
  for (const { lat, lng, ...fields } of batch) {
    sequence += 1;
    const order = String(sequence);
    const latitude = Number(lat);
    const longitude = Number(lng);
    insert.run(
      number,
      encodeOrder(order),
      sequence,
      newLocationId(mapId),
      order,
      fields.Name!,
      `point:${toPlainDecimal(latitude)},${toPlainDecimal(longitude)}`,
      latitude,
      longitude,
      JSON.stringify(fields),
      now,
    );
    addToIndexes?.({ number: sequence, latitude, longitude, fields });
  }
  update.run(sequence, String(sequence), number);
  database.exec('COMMIT');
}

let batch: Record<string, string>[] = [];
for await (const row of createReadStream(file).pipe(parse({ columns: true }))) {
  batch.push(row as Record<string, string>);
  if (batch.length < batchSize) continue;
  store(batch);
  batch = [];
}
if (batch.length > 0) store(batch);
database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
database.close();
