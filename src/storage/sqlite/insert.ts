/** Adds locations to a map's list, within one transaction. */

import { judgeKey } from '../../domain/idempotency.ts';
import type { OpenListEnd } from '../../domain/list-end.ts';
import { addToList } from '../../domain/list-end.ts';
import { createdLocation } from '../../domain/location.ts';
import { isNumberKey } from '../../domain/order.ts';
import type { InsertOutcome, LocationInsert, MapGone } from '../storage.ts';
import type { Connection } from './connection.ts';
import { findIdempotencyRecord, insertIdempotencyRecord } from './idempotency.ts';
import { findIdOfExternalId, insertLocation } from './location-rows.ts';
import { goneBy } from './maps.ts';
import { numberOf, textOf, textOrNull } from './rows.ts';

/** The list that is added to. */
interface OpenList {
  readonly mapNumber: number;
  end: OpenListEnd;
  /** Locations added so far. */
  added: number;
}

/** @returns an outcome for each insert, or why the map takes no part */
export function insertAll(
  connection: Connection,
  mapId: string,
  inserts: readonly LocationInsert[],
  now: number,
): readonly InsertOutcome[] | MapGone {
  const list = openList(connection, mapId, inserts);
  if ('kind' in list) return list;
  const outcomes = inserts.map((insert) => insertOne(connection, list, insert, now));
  connection.run(
    `UPDATE maps SET last_sequence = ?, largest_number = ?, location_count = location_count + ?,
       revision = revision + 1 WHERE number = ?`,
    list.end.lastSequence,
    list.end.largestNumber,
    list.added,
    list.mapNumber,
  );
  return outcomes;
}

function openList(
  connection: Connection,
  mapId: string,
  inserts: readonly LocationInsert[],
): OpenList | MapGone {
  const row = connection.get(
    'SELECT is_deleted, number, last_sequence, largest_number FROM maps WHERE id = ?',
    mapId,
  );
  const gone = goneBy(row);
  if (row === undefined || gone !== null) return gone ?? { kind: 'map-missing' };
  const mapNumber = numberOf(row, 'number');
  // Only an append needs the last text.
  const hasAppend = inserts.some(({ order }) => order === null);
  return {
    mapNumber,
    end: {
      lastSequence: numberOf(row, 'last_sequence'),
      largestNumber: textOrNull(row, 'largest_number'),
      lastText: hasAppend ? readLastText(connection, mapNumber) : null,
    },
    added: 0,
  };
}

/** The order of the list's last location when that is a text; null otherwise. */
function readLastText(connection: Connection, mapNumber: number): string | null {
  const row = connection.get(
    'SELECT order_key, position FROM locations WHERE map_number = ? ORDER BY order_key DESC, sequence DESC LIMIT 1',
    mapNumber,
  );
  return row === undefined || isNumberKey(textOf(row, 'order_key')) ? null : textOf(row, 'position');
}

function insertOne(
  connection: Connection,
  list: OpenList,
  { order, location, idempotency }: LocationInsert,
  now: number,
): InsertOutcome {
  if (idempotency !== null) {
    const scope = { tokenId: idempotency.tokenId, mapId: location.mapId };
    const record = findIdempotencyRecord(connection, scope, idempotency.key, now);
    const use = judgeKey(record, idempotency.digest);
    if (use === 'conflict') return { kind: 'conflict' };
    if (record !== null && use === 'replay') return { kind: 'replayed', location: record.location };
  }
  const { mapId, externalId } = location;
  if (externalId !== null && findIdOfExternalId(connection, mapId, externalId) !== null) {
    return { kind: 'external-id-taken' };
  }
  const { added, end } = addToList(list.end, order);
  list.end = end;
  const stored = createdLocation(location, added);
  insertLocation(connection, list.mapNumber, stored);
  list.added += 1;
  if (idempotency !== null) insertIdempotencyRecord(connection, idempotency, stored);
  return { kind: 'inserted', location: stored };
}
