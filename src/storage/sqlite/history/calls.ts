/**
 * The calls of changes. A row of `changes` names the call of each of its changes in the column `calls`: the call's id where
 * all have the same one, else a JSON array of runs, `[id or null, number of changes]`.
 */

import { actorIdOf } from '../../../domain/actor.ts';
import type { LocationChanged } from '../../../domain/change.ts';
import { CHANGE_KINDS } from '../../../domain/change.ts';
import { timeOfHistoryId } from '../../../domain/ids.ts';
import { toEntry } from '../../change-entries.ts';
import type { StoredItem, WriteCall } from '../../storage.ts';
import type { Writer } from '../engine/statements.ts';

/** What one write of a transaction changed, in the order of the log. */
export interface LoggedWrite {
  readonly call: WriteCall | undefined;
  readonly changes: readonly LocationChanged[];
}

type Run = [id: string | null, length: number];

/** The column of a row that holds `length` changes of these writes, from the index `start` on. */
export function encodeCalls(writes: readonly LoggedWrite[], start: number, length: number): string | null {
  const runs: Run[] = [];
  let index = 0;
  for (const { call, changes } of writes) {
    const count = Math.min(index + changes.length, start + length) - Math.max(index, start);
    index += changes.length;
    if (count <= 0) continue;
    const id = call?.id ?? null;
    const last = runs.at(-1);
    if (last?.[0] === id) last[1] += count;
    else runs.push([id, count]);
  }
  const [only, other] = runs;
  return only === undefined || other === undefined ? (only?.[0] ?? null) : JSON.stringify(runs);
}

/** The call of each change of a row with `length` changes. */
export function decodeCalls(column: string | null, length: number): readonly (string | null)[] {
  if (column === null || !column.startsWith('[')) return Array.from({ length }, () => column);
  const runs = JSON.parse(column) as Run[];
  return runs.flatMap(([id, count]) => Array.from({ length: count }, () => id));
}

/** Adds the changes of a transaction to the history of its calls. @param lastChange number of the change before them */
export function recordCalls(
  writer: Writer,
  mapNumber: number,
  lastChange: number,
  writes: readonly LoggedWrite[],
): void {
  const records = new Map<string, CallChanges>();
  let number = lastChange;
  for (const { call, changes } of writes) {
    if (call !== undefined) {
      const record = records.get(call.id) ?? { call, kinds: [], firstChange: number + 1, lastChange: 0 };
      for (const { kind } of changes) record.kinds.push(kind);
      record.lastChange = number + changes.length;
      records.set(call.id, record);
    }
    number += changes.length;
  }
  for (const record of records.values()) recordCall(writer, mapNumber, record);
}

interface CallChanges {
  readonly call: WriteCall;
  readonly kinds: LocationChanged['kind'][];
  readonly firstChange: number;
  lastChange: number;
}

function recordCall(
  writer: Writer,
  mapNumber: number,
  { call: { id, actor, operation }, kinds, firstChange, lastChange }: CallChanges,
): void {
  const counts = CHANGE_KINDS.map((kind) => kinds.filter((each) => each === kind).length);
  writer.run(
    `INSERT INTO history (map_number, id, actor_kind, actor_id, operation, created, updated, moved, deleted,
       first_change, last_change) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (map_number, id) DO UPDATE SET created = created + excluded.created, updated = updated + excluded.updated,
       moved = moved + excluded.moved, deleted = deleted + excluded.deleted, last_change = excluded.last_change`,
    mapNumber,
    id,
    actor.kind,
    actorIdOf(actor),
    operation,
    ...counts,
    firstChange,
    lastChange,
  );
}

/** Stores the changes of a dump, as rows of consecutive numbers. The log goes on after them. */
export function insertChanges(
  writer: Writer,
  mapNumber: number,
  { mapId, historyId, changes }: Extract<StoredItem, { kind: 'changes' }>,
): void {
  const changedAt = timeOfHistoryId(historyId);
  let entries: string[] = [];
  for (const [index, { number, kind, locationId }] of changes.entries()) {
    entries.push(toEntry(mapId, { kind, id: locationId }));
    if (changes[index + 1]?.number === number + 1) continue;
    writer.run(
      'INSERT INTO changes (map_number, last, changed_at, entries, calls) VALUES (?, ?, ?, ?, ?)',
      mapNumber,
      number,
      changedAt,
      JSON.stringify(entries),
      historyId,
    );
    entries = [];
  }
  writer.run(
    'UPDATE maps SET last_change = max(last_change, ?), last_change_at = max(last_change_at, ?) WHERE number = ?',
    changes.at(-1)?.number ?? 0,
    changedAt,
    mapNumber,
  );
}
