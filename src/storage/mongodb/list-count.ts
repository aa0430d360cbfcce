/**
 * The number of a map's locations, kept in the map's document. A location and the map are two documents, and no
 * transaction changes both; so the document says also which locations are being written.
 *
 * A write is announced before it is done: an entry in `open` names the sequence numbers of the locations that it may
 * store or remove. A sequence number belongs to one location for ever. The rule that all of this keeps:
 *
 *   `settled` is the number of locations that are there and that no entry names, and such a location stays as it is.
 *
 * So `settled` plus the locations that are there among those named is the count, at any time, whatever a crash left
 * undone. A writer that is done takes its entry out and adds to `settled` what is there of it: the entry is settled. That
 * keeps the list of entries short, and is not needed for the count to be right.
 */

/** A write that has been announced. */
export interface OpenWrite {
  readonly id: string;
  /** The first and the last of its sequence numbers. */
  readonly from: number;
  readonly to: number;
  readonly since: Date;
}

export interface ListCount {
  readonly settled: number;
  readonly open: readonly OpenWrite[];
}

export const NOTHING_COUNTED: ListCount = { settled: 0, open: [] };

export type SequenceRange = Pick<OpenWrite, 'from' | 'to'>;

/**
 * Announces a write.
 *
 * @param present which of its sequence numbers are there now
 */
export function announce(count: ListCount, write: OpenWrite, present: readonly number[]): ListCount {
  const moved = present.filter((sequence) => !isNamed(count.open, sequence)).length;
  return { settled: count.settled - moved, open: [...count.open, write] };
}

/**
 * Settles writes that are done.
 *
 * @param present which of their sequence numbers are there now
 */
export function settleWrites(
  { settled, open }: ListCount,
  ids: ReadonlySet<string>,
  present: readonly number[],
): ListCount {
  const done = open.filter(({ id }) => ids.has(id));
  const rest = open.filter(({ id }) => !ids.has(id));
  const moved = new Set(present.filter((sequence) => isNamed(done, sequence) && !isNamed(rest, sequence)));
  return { settled: settled + moved.size, open: rest };
}

function isNamed(open: readonly OpenWrite[], sequence: number): boolean {
  return open.some(({ from, to }) => from <= sequence && sequence <= to);
}

/** The same sequence numbers in as few ranges as there can be, ascending. */
export function mergeRanges(ranges: readonly SequenceRange[]): readonly SequenceRange[] {
  const merged: SequenceRange[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to + 1) {
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    } else {
      merged.push({ from, to });
    }
  }
  return merged;
}
