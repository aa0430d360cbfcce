/**
 * The number of a map's locations, kept in the map's document. A location and its map are two documents, and no
 * transaction changes both; so the map's document also says which locations are being written.
 *
 * A write is announced before it is done: an entry in `open` names the sequence numbers of the locations that it may
 * store or remove. A sequence number belongs to one location for ever. One rule holds at any time:
 *
 *   `settled` is the number of locations that are there and that no entry names. Such a location stays as it is.
 *
 * So the count is `settled` and the number of locations that are there among those named, whatever a crash left undone.
 * When a write is done, its entry is settled: it is taken out, and what is there of it is added to `settled`. That keeps
 * the entries few; the count is right without it.
 */

import type { SequenceRange } from './sequence-ranges.ts';
import { isWithin, mergeRanges, subtractRanges } from './sequence-ranges.ts';

/** A write that has been announced. */
export interface OpenWrite extends SequenceRange {
  readonly id: string;
  readonly since: Date;
}

export interface ListCount {
  readonly settled: number;
  readonly open: readonly OpenWrite[];
}

export const NOTHING_COUNTED: ListCount = { settled: 0, open: [] };

/**
 * Announces a write.
 *
 * @param present which of its sequence numbers are there now
 */
export function recordIntent(count: ListCount, write: OpenWrite, present: readonly number[]): ListCount {
  const moved = present.filter((sequence) => !isWithin(count.open, sequence)).length;
  return { settled: count.settled - moved, open: [...count.open, write] };
}

/** The sequence numbers that these writes name and no other: what settling them adds to `settled`. */
export function namedByThese({ open }: ListCount, ids: ReadonlySet<string>): readonly SequenceRange[] {
  return subtractRanges(
    mergeRanges(open.filter(({ id }) => ids.has(id))),
    mergeRanges(open.filter(({ id }) => !ids.has(id))),
  );
}

/**
 * Settles writes.
 *
 * @param present how many of the sequence numbers of {@link namedByThese} are there now
 */
export function settleWrites(
  { settled, open }: ListCount,
  ids: ReadonlySet<string>,
  present: number,
): ListCount {
  return { settled: settled + present, open: open.filter(({ id }) => !ids.has(id)) };
}
