/**
 * Each map's list: its head (the columns of the map's row that describe the list), its pages, and the entries that writes
 * append to its change log. The head and the log are written once per transaction, at its end.
 */

import type { LocationChanged } from '../../../domain/change.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import { yieldWhenLong } from '../../../lib/cooperative-scheduler.ts';
import { inParts, toEntry } from '../../change-entries.ts';
import type { MapUnavailable, Storage, WriteCall } from '../../storage.ts';
import type { SqlRow, SqlValue } from '../engine/driver.ts';
import type { GuardedReader, Reader, Writer } from '../engine/statements.ts';
import { numberOf, textOf, textOrNull } from '../engine/statements.ts';
import type { LoggedWrite } from '../history/calls.ts';
import { encodeCalls, recordCalls } from '../history/calls.ts';
import { blockOf, FIRST_IN_BLOCK, LOCATION_COLUMNS, MAP_NUMBER, toLocation } from './location-records.ts';

/** A transaction, and the list heads to write at its end. */
export interface ListWriter extends Writer {
  readonly pending: { /** By map id. */ readonly heads: Map<string, ListHead> };
  /** Entries that each map's log keeps. */
  readonly mostChanges: number;
}

/** The state of a list, as changed by the transaction so far. */
export interface ListHead {
  readonly mapId: string;
  readonly mapNumber: number;
  /** The last sequence number assigned. */
  readonly lastSequence: number;
  /** The largest number ever used as an order. */
  readonly largestNumber: string | null;
  /** Before the transaction. */
  readonly logEnd: LogEnd;
  /** Of the transaction. */
  readonly writes: readonly LoggedWrite[];
  /** Locations added, less those deleted. */
  readonly added: number;
}

interface LogEnd {
  /** The number of the log's last change; 0 in an empty log. */
  readonly lastChange: number;
  /** Milliseconds since the epoch. */
  readonly lastChangeAt: number;
}

/** What one write changes; omitted values stay. */
export interface ListHeadChange {
  readonly lastSequence?: number;
  readonly largestNumber?: string | null;
  /** Locations added, less those deleted. */
  readonly added?: number;
  /** In the order of the call. */
  readonly changes: readonly LocationChanged[];
  readonly call?: WriteCall | undefined;
}

/** @param row of `maps`, with the column `is_deleted`; undefined for an unknown map */
export function mapUnavailableReason(row: SqlRow | undefined): MapUnavailable | null {
  if (row === undefined) return { kind: 'map-missing' };
  return row.is_deleted === 1 ? { kind: 'map-deleted' } : null;
}

export function readListHead(writer: ListWriter, mapId: string): ListHead | MapUnavailable {
  const pending = writer.pending.heads.get(mapId);
  if (pending !== undefined) return pending;
  const row = writer.get(
    `SELECT is_deleted, number, last_sequence, largest_number, last_change, last_change_at FROM maps WHERE id = ?`,
    mapId,
  );
  const unavailable = mapUnavailableReason(row);
  if (row === undefined || unavailable !== null) return unavailable ?? { kind: 'map-missing' };
  return {
    mapId,
    mapNumber: numberOf(row, 'number'),
    lastSequence: numberOf(row, 'last_sequence'),
    largestNumber: textOrNull(row, 'largest_number'),
    logEnd: { lastChange: numberOf(row, 'last_change'), lastChangeAt: numberOf(row, 'last_change_at') },
    writes: [],
    added: 0,
  };
}

/**
 * Does nothing for a write that changed nothing.
 *
 * @param head as the write read it
 */
export function changeListHead(
  writer: ListWriter,
  head: ListHead,
  {
    lastSequence = head.lastSequence,
    largestNumber = head.largestNumber,
    added = 0,
    changes,
    call,
  }: ListHeadChange,
): void {
  if (changes.length === 0) return;
  writer.pending.heads.set(head.mapId, {
    ...head,
    lastSequence,
    largestNumber,
    writes: [...head.writes, { call, changes }],
    added: head.added + added,
  });
}

/** Called before the commit, and before any other statement updates rows of `maps`. */
export function writeListHeads(writer: ListWriter): void {
  const { heads } = writer.pending;
  for (const head of heads.values()) writeListHead(writer, head);
  heads.clear();
}

function writeListHead(writer: ListWriter, head: ListHead): void {
  const { mapNumber, lastSequence, largestNumber, added } = head;
  const end = appendToLog(writer, head);
  recordCalls(writer, mapNumber, head.logEnd.lastChange, head.writes);
  writer.run(
    `UPDATE maps SET last_sequence = ?, largest_number = ?, location_count = location_count + ?, revision = revision + 1,
       last_change = ?, last_change_at = ? WHERE number = ?`,
    lastSequence,
    largestNumber,
    added,
    end.lastChange,
    end.lastChangeAt,
    mapNumber,
  );
}

/**
 * Appends the transaction's changes, and removes the oldest entries beyond the limit, unless a call keeps its history. A row
 * holds up to a thousand changes of one transaction; its column `last` is the number of the last of them.
 */
function appendToLog(writer: ListWriter, { mapId, mapNumber, logEnd, writes }: ListHead): LogEnd {
  // Times never decrease, so that expiry always removes the oldest entries.
  const now = Math.max(Date.now(), logEnd.lastChangeAt);
  const all = writes.flatMap(({ changes }) => changes);
  for (const { start, part } of inParts(all)) {
    writer.run(
      'INSERT INTO changes (map_number, last, changed_at, entries, calls) VALUES (?, ?, ?, ?, ?)',
      mapNumber,
      logEnd.lastChange + start + part.length,
      now,
      JSON.stringify(part.map((change) => toEntry(mapId, change))),
      encodeCalls(writes, start, part.length),
    );
  }
  const last = logEnd.lastChange + all.length;
  const isKept = writes.some(({ call }) => call !== undefined && call.mostVersions > 0);
  if (last > writer.mostChanges && !isKept) {
    writer.run(
      'DELETE FROM changes WHERE map_number = ? AND last <= ?',
      mapNumber,
      last - writer.mostChanges,
    );
  }
  return { lastChange: last, lastChangeAt: now };
}

export interface PageClauses {
  /** WHERE, ORDER BY and LIMIT. A page from the end is in descending order. */
  readonly clauses: string;
  /** The limit comes last. */
  readonly values: readonly SqlValue[];
}

/** @param map its id or its number */
export function pageClauses(
  map: string | number,
  { limit, fromEnd, ...range }: PageRequest<SortKey>,
): PageClauses {
  const { sql, values } = rangeCondition(range);
  const direction = fromEnd ? 'DESC' : 'ASC';
  return {
    clauses: `WHERE map_number = ${typeof map === 'number' ? '?' : MAP_NUMBER}${sql}
      ORDER BY order_key ${direction}, sequence ${direction} LIMIT ?`,
    values: [map, ...values, limit],
  };
}

/**
 * The same in the order of sequence numbers, by the rows' numbers. Rows outside of their map's block have an index of their
 * own: those of files of earlier versions, and of maps and sequence numbers beyond the blocks.
 */
export function sequenceClauses(
  reader: Pick<Reader, 'get'>,
  mapNumber: number,
  { limit, fromEnd, after, before }: PageRequest<SortKey>,
): PageClauses {
  const direction = fromEnd ? 'DESC' : 'ASC';
  const [from, to] = [after?.sequence ?? 0, before?.sequence ?? Number.MAX_SAFE_INTEGER];
  const block = blockOf(mapNumber);
  const within = [block.number(from), block.number(to)];
  const inBlock = 'number > ? AND number < ?';
  if (reader.get(`SELECT 1 FROM ${OUTSIDE_BLOCKS} LIMIT 1`, mapNumber) === undefined) {
    return { clauses: `WHERE ${inBlock} ORDER BY number ${direction} LIMIT ?`, values: [...within, limit] };
  }
  return {
    clauses: `WHERE number IN (SELECT number FROM (
        SELECT * FROM (SELECT number, sequence FROM ${OUTSIDE_BLOCKS} AND sequence > ? AND sequence < ?
          ORDER BY sequence ${direction} LIMIT ?)
        UNION ALL SELECT * FROM (SELECT number, number - ? AS sequence FROM locations WHERE ${inBlock}
          ORDER BY number ${direction} LIMIT ?)
      ) ORDER BY sequence ${direction} LIMIT ?)
      ORDER BY sequence ${direction} LIMIT ?`,
    values: [...[mapNumber, from, to, limit], ...[block.first, ...within, limit], limit, limit],
  };
}

/** SQL: the rows of a map that are outside of its block, and the condition for them. */
const OUTSIDE_BLOCKS = `locations INDEXED BY locations_outside_blocks
  WHERE map_number = ? AND number < ${FIRST_IN_BLOCK}`;

export interface Condition {
  /** Starts with ` AND `; empty for none. */
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export function rangeCondition({ after, before }: Pick<PageRequest<SortKey>, 'after' | 'before'>): Condition {
  let sql = '';
  const values: SqlValue[] = [];
  if (after !== null) {
    sql += ' AND (order_key, sequence) > (?, ?)';
    values.push(after.orderKey, after.sequence);
  }
  if (before !== null) {
    sql += ' AND (order_key, sequence) < (?, ?)';
    values.push(before.orderKey, before.sequence);
  }
  return { sql, values };
}

export function listLocations(reader: Reader, mapId: string, page: PageRequest<SortKey>): LocationRecord[] {
  const { clauses, values } = pageClauses(mapId, page);
  const rows = reader.all(`SELECT ${LOCATION_COLUMNS} FROM locations ${clauses}`, ...values);
  const locations = rows.map((row) => toLocation(row, mapId));
  return page.fromEnd ? locations.reverse() : locations;
}

/** Keys skipped between two turns of the event loop: about a millisecond. */
const STRIDE = 10_000;

export async function locationAt(
  reader: GuardedReader,
  mapId: string,
  { skipped, fromEnd }: Parameters<Storage['locationAt']>[1],
): Promise<LocationRecord | null> {
  const yieldIfDue = yieldWhenLong();
  let edge: SortKey | null = null;
  let left = skipped;
  for (; left >= STRIDE; left -= STRIDE) {
    edge = reader.read(() => {
      const row = rowAt(reader, mapId, 'order_key, sequence', { edge, fromEnd, skipped: STRIDE - 1 });
      return row === undefined
        ? null
        : { orderKey: textOf(row, 'order_key'), sequence: numberOf(row, 'sequence') };
    });
    if (edge === null) return null;
    await yieldIfDue();
  }
  return reader.read(() => {
    const row = rowAt(reader, mapId, LOCATION_COLUMNS, { edge, fromEnd, skipped: left });
    return row === undefined ? null : toLocation(row, mapId);
  });
}

function rowAt(
  reader: Reader,
  mapId: string,
  columns: string,
  { edge, fromEnd, skipped }: { edge: SortKey | null; fromEnd: boolean; skipped: number },
): SqlRow | undefined {
  const [after, before] = fromEnd ? [null, edge] : [edge, null];
  const { clauses, values } = pageClauses(mapId, { after, before, fromEnd, limit: 1 });
  return reader.get(`SELECT ${columns} FROM locations ${clauses} OFFSET ?`, ...values, skipped);
}
