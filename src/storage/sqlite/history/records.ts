/** Reads what calls have changed: rows of `history`, and of `changes`. */

import type { Actor } from '../../../domain/actor.ts';
import { actorIdOf } from '../../../domain/actor.ts';
import { firstHistoryId } from '../../../domain/ids.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import { yieldWhenLong } from '../../../lib/cooperative-scheduler.ts';
import { fromEntry, MOST_TOGETHER, toEntry } from '../../change-entries.ts';
import type { CallChange, HistoryFilter, HistoryRecord } from '../../storage.ts';
import type { Database } from '../database.ts';
import type { SqlRow } from '../engine/driver.ts';
import type { Reader, Writer } from '../engine/statements.ts';
import { numberOf, textOf, textOrNull } from '../engine/statements.ts';
import { MAP_NUMBER } from '../locations/location-records.ts';
import { decodeCalls } from './calls.ts';

/** Rows read at once: about a millisecond. */
const STRIDE = 500;
/** Calls that may have created a location. */
const MAX_CANDIDATES = 1_000;

/** Sorts after every id. */
const LAST_ID = 'history_~';

export async function listHistory(
  database: Database,
  mapId: string,
  { limit, after }: { readonly limit: number; readonly after: string | null },
  { since, until, operation }: HistoryFilter,
): Promise<readonly HistoryRecord[]> {
  const yieldIfDue = yieldWhenLong();
  const first = since === null ? '' : firstHistoryId(since);
  let last = until === null ? LAST_ID : firstHistoryId(until + 1);
  if (after !== null && after < last) last = after;
  const records: HistoryRecord[] = [];
  for (;;) {
    const rows = database.read(() =>
      database.all(
        `SELECT * FROM history WHERE map_number = ${MAP_NUMBER} AND id >= ? AND id < ? ORDER BY id DESC LIMIT ${STRIDE}`,
        mapId,
        first,
        last,
      ),
    );
    for (const row of rows) {
      const record = toHistoryRecord(row, mapId);
      last = record.id;
      if (operation !== null && record.operation !== operation) continue;
      if (records.push(record) === limit) return records;
    }
    if (rows.length < STRIDE) return records;
    await yieldIfDue();
  }
}

export function findHistory(reader: Reader, mapId: string, id: string): HistoryRecord | null {
  const row = reader.get(`SELECT * FROM history WHERE map_number = ${MAP_NUMBER} AND id = ?`, mapId, id);
  return row === undefined ? null : toHistoryRecord(row, mapId);
}

export function toHistoryRecord(row: SqlRow, mapId: string): HistoryRecord {
  return {
    id: textOf(row, 'id'),
    mapId,
    actor: toActor(textOf(row, 'actor_kind'), textOrNull(row, 'actor_id')),
    operation: textOf(row, 'operation'),
    counts: {
      created: numberOf(row, 'created'),
      updated: numberOf(row, 'updated'),
      moved: numberOf(row, 'moved'),
      deleted: numberOf(row, 'deleted'),
    },
    firstChange: numberOf(row, 'first_change'),
    lastChange: numberOf(row, 'last_change'),
  };
}

function toActor(kind: string, id: string | null): Actor {
  return id === null ? { kind: 'operator' } : { kind: kind as Exclude<Actor['kind'], 'operator'>, id };
}

/** Stores a record of a dump. */
export function insertHistory(
  writer: Writer,
  { id, mapId, actor, operation, counts, firstChange, lastChange }: HistoryRecord,
): void {
  writer.run(
    `INSERT INTO history (map_number, id, actor_kind, actor_id, operation, created, updated, moved, deleted,
       first_change, last_change) VALUES (${MAP_NUMBER}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    mapId,
    id,
    actor.kind,
    actorIdOf(actor),
    operation,
    counts.created,
    counts.updated,
    counts.moved,
    counts.deleted,
    firstChange,
    lastChange,
  );
}

export function changesOfCall(
  reader: Reader,
  mapId: string,
  id: string,
  { limit, after }: { readonly limit: number; readonly after: number },
): readonly CallChange[] {
  const record = findHistory(reader, mapId, id);
  if (record === null) return [];
  const changes: CallChange[] = [];
  let last = Math.max(after, record.firstChange - 1);
  while (last < record.lastChange) {
    const rows = reader.all(
      `SELECT last, entries, calls FROM changes WHERE map_number = ${MAP_NUMBER} AND last > ? AND last < ?
       ORDER BY last LIMIT ?`,
      mapId,
      last,
      record.lastChange + MOST_TOGETHER,
      STRIDE,
    );
    for (const row of rows) {
      for (const change of changesIn(mapId, row, id)) {
        if (change.number > last && changes.push(change) === limit) return changes;
      }
    }
    last = numberOf(rows.at(-1) ?? { last: record.lastChange }, 'last');
  }
  return changes;
}

function changesIn(mapId: string, row: SqlRow, callId: string): readonly CallChange[] {
  const calls = textOrNull(row, 'calls');
  if (calls === null || !calls.includes(callId)) return [];
  const entries = JSON.parse(textOf(row, 'entries')) as string[];
  const first = numberOf(row, 'last') - entries.length + 1;
  const idOf = decodeCalls(calls, entries.length);
  return entries.flatMap((entry, index) => {
    if (idOf[index] !== callId) return [];
    const { kind, id } = fromEntry(mapId, entry);
    return [{ number: first + index, kind, locationId: id }];
  });
}

/** Searches the calls that were under way when the location was created, the latest first. */
export function findCreation(
  reader: Reader,
  mapId: string,
  { id, createdAt }: Pick<LocationRecord, 'id' | 'createdAt'>,
): string | null {
  const calls = reader.all(
    `SELECT id, first_change, last_change FROM history
     WHERE map_number = ${MAP_NUMBER} AND id < ? AND created > 0 ORDER BY id DESC LIMIT ${MAX_CANDIDATES}`,
    mapId,
    firstHistoryId(createdAt + 1),
  );
  const entry = JSON.stringify(toEntry(mapId, { kind: 'created', id }));
  for (const call of calls) {
    const callId = textOf(call, 'id');
    const row = reader.get(
      `SELECT last, entries, calls FROM changes WHERE map_number = ${MAP_NUMBER} AND last >= ? AND last < ?
         AND instr(entries, ?) > 0 AND instr(calls, ?) > 0 LIMIT 1`,
      mapId,
      numberOf(call, 'first_change'),
      numberOf(call, 'last_change') + MOST_TOGETHER,
      entry,
      callId,
    );
    const isCreation =
      row !== undefined &&
      changesIn(mapId, row, callId).some(({ kind, locationId }) => kind === 'created' && locationId === id);
    if (isCreation) return callId;
  }
  return null;
}
