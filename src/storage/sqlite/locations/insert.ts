/** Inserts locations, within one transaction. */

import type { LocationChanged } from '../../../domain/change.ts';
import { judgeKey } from '../../../domain/idempotency.ts';
import type { OpenListEnd } from '../../../domain/list/list-end.ts';
import { addToList } from '../../../domain/list/list-end.ts';
import { createdLocation } from '../../../domain/location.ts';
import { isNumberKey } from '../../../domain/list/order.ts';
import type { InsertOutcome, LocationInsert, MapUnavailable, WriteCall } from '../../storage.ts';
import type { Database } from '../database.ts';
import { findIdempotencyRecord, insertIdempotencyRecord } from '../idempotency.ts';
import { findIdOfExternalId } from './external-ids.ts';
import { insertLocation } from './location-records.ts';
import type { ListHead } from './list.ts';
import { changeListHead, readListHead } from './list.ts';
import { textOf } from '../engine/statements.ts';

/** The list that locations are added to. */
interface OpenList {
  readonly head: ListHead;
  end: OpenListEnd;
  /** So far. */
  readonly changes: LocationChanged[];
}

/** @returns an outcome per insert, or why the map takes no part */
export function insertAll(
  database: Database,
  mapId: string,
  inserts: readonly LocationInsert[],
  now: number,
  call?: WriteCall,
): readonly InsertOutcome[] | MapUnavailable {
  const head = readListHead(database, mapId);
  if ('kind' in head) return head;
  const list = openList(database, head, inserts);
  const outcomes = inserts.map((insert) => insertOne(database, list, insert, now));
  const { end, changes } = list;
  const { lastSequence, largestNumber } = end;
  changeListHead(database, head, { lastSequence, largestNumber, added: changes.length, changes, call });
  return outcomes;
}

function openList(database: Database, head: ListHead, inserts: readonly LocationInsert[]): OpenList {
  const { mapNumber, lastSequence, largestNumber } = head;
  // Only appends need the last text.
  const hasAppend = inserts.some(({ order }) => order === null);
  const lastText = hasAppend ? readLastText(database, mapNumber) : null;
  return { head, end: { lastSequence, largestNumber, lastText }, changes: [] };
}

/** The order of the list's last location if that is a text; null otherwise. */
function readLastText(database: Database, mapNumber: number): string | null {
  const row = database.get(
    'SELECT order_key, position FROM locations WHERE map_number = ? ORDER BY order_key DESC, sequence DESC LIMIT 1',
    mapNumber,
  );
  return row === undefined || isNumberKey(textOf(row, 'order_key')) ? null : textOf(row, 'position');
}

function insertOne(
  database: Database,
  list: OpenList,
  { order, location, idempotency }: LocationInsert,
  now: number,
): InsertOutcome {
  if (idempotency !== null) {
    const scope = { tokenId: idempotency.tokenId, mapId: location.mapId };
    const record = findIdempotencyRecord(database, scope, idempotency.key, now);
    const use = judgeKey(record, idempotency.digest);
    if (use === 'conflict') return { kind: 'conflict' };
    if (record !== null && use === 'replay') return { kind: 'replayed', location: record.location };
  }
  const { mapId, externalId } = location;
  if (externalId !== null && findIdOfExternalId(database, mapId, externalId) !== null) {
    return { kind: 'external-id-taken' };
  }
  const { added, end } = addToList(list.end, order);
  list.end = end;
  const stored = createdLocation(location, added);
  insertLocation(database, list.head.mapNumber, stored);
  list.changes.push({ kind: 'created', id: stored.id });
  if (idempotency !== null) insertIdempotencyRecord(database, idempotency, stored);
  return { kind: 'inserted', location: stored };
}
