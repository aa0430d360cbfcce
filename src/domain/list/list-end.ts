/**
 * The end of a map's list (contract §3): which order and which sequence number the next locations get. The one rule for
 * every store: a store reads what is known of the end, asks here, and writes the new end together with the locations.
 */

import type { OrderKey } from './order.ts';
import { compareOrderKeys, encodeOrder, isNumberKey, largerNumber, nextWholeNumber } from './order.ts';
import type { SortKey } from './sort-key.ts';

/** What a map knows of its list beyond the locations that are in it now. */
export interface ListEnd {
  /** The last sequence number given out; 0 before the first. */
  readonly lastSequence: number;
  /** The largest number ever used as an order, as it was written; null before the first. */
  readonly largestNumber: string | null;
}

/** The end of a new map's list. */
export const EMPTY_LIST: ListEnd = { lastSequence: 0, largestNumber: null };

/** A location's order and where that puts it in the list. */
export interface OrderedSortKey extends SortKey {
  /** As the caller wrote it, or as the append chose it. */
  readonly order: string;
}

/** The end of a list while locations are added to it. */
export interface OpenListEnd extends ListEnd {
  /** The order of the last location in the list, where that is a text. */
  readonly lastText: string | null;
}

/** Gives one location its order and its sort key. @param wanted the caller's order, already checked; null appends */
export function addToList(
  end: OpenListEnd,
  wanted: string | null,
): { readonly added: OrderedSortKey; readonly end: OpenListEnd } {
  const order = wanted ?? end.lastText ?? nextWholeNumber(end.largestNumber);
  const orderKey = encodeOrder(order);
  const sequence = end.lastSequence + 1;
  const isText = !isNumberKey(orderKey);
  // The next whole number is the largest by the way it was made.
  const isNext = wanted === null && !isText;
  return {
    added: { order, orderKey, sequence },
    end: {
      lastSequence: sequence,
      largestNumber: isNext ? order : largerNumber(end.largestNumber, order),
      lastText: isText ? laterText(end.lastText, order, orderKey) : end.lastText,
    },
  };
}

/** Gives several locations theirs, in the order of the list. */
export function addAllToList(
  end: OpenListEnd,
  wanted: readonly (string | null)[],
): { readonly added: readonly OrderedSortKey[]; readonly end: OpenListEnd } {
  let last = end;
  const added = wanted.map((order) => {
    const step = addToList(last, order);
    last = step.end;
    return step.added;
  });
  return { added, end: last };
}

/** What is known of an end when one more location of the list was seen; the same object where that says nothing new. */
export function endWith(
  end: ListEnd,
  { order, sequence }: Pick<OrderedSortKey, 'order' | 'sequence'>,
): ListEnd {
  const largestNumber = largerNumber(end.largestNumber, order);
  if (sequence <= end.lastSequence && largestNumber === end.largestNumber) return end;
  return { lastSequence: Math.max(sequence, end.lastSequence), largestNumber };
}

/** Whether what was seen of a list goes beyond the end that it is said to have. */
export function isBeyond(seen: ListEnd, end: ListEnd): boolean {
  if (seen.lastSequence > end.lastSequence) return true;
  return (
    seen.largestNumber !== null && largerNumber(end.largestNumber, seen.largestNumber) !== end.largestNumber
  );
}

/** Of two texts the one that is listed later; of two equal ones the new one, which is written alike. */
function laterText(last: string | null, order: string, orderKey: OrderKey): string {
  return last !== null && compareOrderKeys(encodeOrder(last), orderKey) > 0 ? last : order;
}
