/** Adds locations to a map's list, within one transaction. */

import type { LocationChanged } from '../../domain/change.ts';
import { judgeKey } from '../../domain/idempotency.ts';
import type { OpenListEnd } from '../../domain/list/list-end.ts';
import { addToList } from '../../domain/list/list-end.ts';
import { createdLocation } from '../../domain/location.ts';
import { isNumberKey } from '../../domain/list/order.ts';
import type { InsertOutcome, LocationInsert, MapUnavailable } from '../storage.ts';
import type { Connection } from './connection.ts';
import { findIdempotencyRecord, insertIdempotencyRecord } from './idempotency.ts';
import { findIdOfExternalId, insertLocation } from './location-rows.ts';
import type { ListHead } from './list-head.ts';
import { changeListHead, readListHead } from './list-head.ts';
import { textOf } from './rows.ts';

/** The list that is added to. */
interface OpenList {
  readonly head: ListHead;
  end: OpenListEnd;
  /** Those that were added so far. */
  readonly changes: LocationChanged[];
}

/** @returns an outcome for each insert, or why the map takes no part */
export function insertAll(
  connection: Connection,
  mapId: string,
  inserts: readonly LocationInsert[],
  now: number,
): readonly InsertOutcome[] | MapUnavailable {
  const head = readListHead(connection, mapId);
  if ('kind' in head) return head;
  const list = openList(connection, head, inserts);
  const outcomes = inserts.map((insert) => insertOne(connection, list, insert, now));
  const { end, changes } = list;
  const { lastSequence, largestNumber } = end;
  changeListHead(connection, head, { lastSequence, largestNumber, added: changes.length, changes });
  return outcomes;
}

function openList(connection: Connection, head: ListHead, inserts: readonly LocationInsert[]): OpenList {
  const { mapNumber, lastSequence, largestNumber } = head;
  // Only an append needs the last text.
  const hasAppend = inserts.some(({ order }) => order === null);
  const lastText = hasAppend ? readLastText(connection, mapNumber) : null;
  return { head, end: { lastSequence, largestNumber, lastText }, changes: [] };
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
  insertLocation(connection, list.head.mapNumber, stored);
  list.changes.push({ kind: 'created', id: stored.id });
  if (idempotency !== null) insertIdempotencyRecord(connection, idempotency, stored);
  return { kind: 'inserted', location: stored };
}
