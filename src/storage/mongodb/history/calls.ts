/**
 * The calls of changes, from the write intent to the history. An intent names the calls of its changes. When it is closed,
 * each call gets a part of its record: a document with the numbers of its changes and the counts of their kinds. Ids of
 * parts are derived from their changes, so several processes may close or recover the same write.
 */

import type { Actor } from '../../../domain/actor.ts';
import { isSameActor } from '../../../domain/actor.ts';
import type { ChangeKind } from '../../../domain/change.ts';
import { fromEntry } from '../../change-entries.ts';
import type { HistoryRecord, WriteCall } from '../../storage.ts';
import { duplicatesOf } from '../errors.ts';
import type { Collections, HistoryDocument, OpenCalls, OpenChanges } from '../schema.ts';

/** Consecutive changes of one call. */
export interface CallRun {
  readonly call: WriteCall | undefined;
  readonly length: number;
}

/** The calls of a write's changes, for its intent; undefined if there are none. */
export function toOpenCalls(changes: readonly CallRun[]): readonly OpenCalls[] | undefined {
  const all: { readonly actor: Actor; readonly operation: string; readonly runs: string[] }[] = [];
  let start = 0;
  for (const { call, length } of merged(changes)) {
    if (call !== undefined && length > 0) {
      const { id, actor, operation } = call;
      const run = `${start} ${length} ${id}`;
      const same = all.find((each) => each.operation === operation && isSameActor(each.actor, actor));
      if (same === undefined) all.push({ actor, operation, runs: [run] });
      else same.runs.push(run);
    }
    start += length;
  }
  return all.length === 0 ? undefined : all;
}

function merged(changes: readonly CallRun[]): readonly CallRun[] {
  const runs: CallRun[] = [];
  for (const { call, length } of changes) {
    const last = runs.at(-1);
    if (last !== undefined && last.call?.id === call?.id) {
      runs[runs.length - 1] = { call, length: last.length + length };
    } else {
      runs.push({ call, length });
    }
  }
  return runs;
}

/**
 * The parts of the history that a write adds.
 *
 * @param made the write's entries; empty for a change that was not made
 */
export function toParts(
  mapId: string,
  { first, calls = [] }: Pick<OpenChanges, 'first' | 'calls'>,
  made: readonly string[],
): readonly HistoryDocument[] {
  return calls.flatMap(({ actor, operation, runs }) =>
    runs.flatMap((run) => {
      const [start = 0, length = 0] = run.split(' ', 2).map(Number);
      const callId = run.slice(run.lastIndexOf(' ') + 1);
      const entries = made.slice(start, start + length);
      const from = entries.findIndex((entry) => entry !== '');
      if (from === -1) return [];
      const to = entries.findLastIndex((entry) => entry !== '');
      return {
        _id: partId(mapId, callId, first + start),
        mapId,
        actor,
        operation,
        counts: countKinds(entries.flatMap((entry) => (entry === '' ? [] : fromEntry(mapId, entry).kind))),
        first: first + start + from,
        last: first + start + to,
      };
    }),
  );
}

export function countKinds(kinds: readonly ChangeKind[]): HistoryDocument['counts'] {
  const counts: Partial<Record<ChangeKind, number>> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Stores parts; skips those that are stored already. */
export async function storeParts(
  { history }: Pick<Collections, 'history'>,
  parts: readonly HistoryDocument[],
): Promise<void> {
  if (parts.length === 0) return;
  try {
    await history.insertMany([...parts], { ordered: false });
  } catch (error) {
    if (duplicatesOf(error) === null) throw error;
  }
}

const NUMBER_DIGITS = 15;

/** Sorts by map, by call, and by number. */
export function partId(mapId: string, callId: string, first: number): string {
  return `${mapId} ${callId} ${String(first).padStart(NUMBER_DIGITS, '0')}`;
}

export function callOfPart({ _id }: Pick<HistoryDocument, '_id'>): string {
  return _id.split(' ', 2)[1] ?? '';
}

/** The record of a call's parts. @param parts one or more */
export function toRecord(parts: readonly HistoryDocument[]): HistoryRecord {
  const [part] = parts;
  if (part === undefined) throw new Error('A history record has at least one part.');
  const sumOf = (kind: ChangeKind) => parts.reduce((sum, { counts }) => sum + (counts[kind] ?? 0), 0);
  return {
    id: callOfPart(part),
    mapId: part.mapId,
    actor: part.actor,
    operation: part.operation,
    counts: {
      created: sumOf('created'),
      updated: sumOf('updated'),
      moved: sumOf('moved'),
      deleted: sumOf('deleted'),
    },
    firstChange: parts.reduce((least, { first }) => Math.min(least, first), part.first),
    lastChange: parts.reduce((most, { last }) => Math.max(most, last), part.last),
  };
}
