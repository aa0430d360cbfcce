/**
 * The end of a map's list (contract §3): the order and sequence number of the next locations. All stores share this rule:
 * they read the stored end, compute the new one here, and write it together with the locations.
 */

import type { OrderKey } from './order.ts';
import { compareOrderKeys, encodeOrder, isNumberKey, largerNumber, nextWholeNumber } from './order.ts';
import type { SortKey } from './sort-key.ts';

/** Stored with the map, since deleted locations count, too. */
export interface ListEnd {
  /** The last assigned sequence number; 0 before the first. */
  readonly lastSequence: number;
  /** The largest number ever used as an order, as written; null before the first. */
  readonly largestNumber: string | null;
}

/** The end of a new map's list. */
export const EMPTY_LIST: ListEnd = { lastSequence: 0, largestNumber: null };

/** A location's order and its sort key. */
export interface OrderedSortKey extends SortKey {
  /** As the caller wrote it, or as an append chose it. */
  readonly order: string;
}

/** The end of a list while locations are added to it. */
export interface OpenListEnd extends ListEnd {
  /** The order of the last location if it is a text. */
  readonly lastText: string | null;
}

/** Assigns an order and a sort key to one location. @param wanted a valid order; null appends */
export function addToList(
  end: OpenListEnd,
  wanted: string | null,
): { readonly added: OrderedSortKey; readonly end: OpenListEnd } {
  const order = wanted ?? end.lastText ?? nextWholeNumber(end.largestNumber);
  const orderKey = encodeOrder(order);
  const sequence = end.lastSequence + 1;
  const isText = !isNumberKey(orderKey);
  // The next whole number is the largest by construction.
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

/** The same for several locations, in list order. */
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

/** The end extended by one more location of the list; the same object if nothing changes. */
export function endWith(
  end: ListEnd,
  { order, sequence }: Pick<OrderedSortKey, 'order' | 'sequence'>,
): ListEnd {
  const largestNumber = largerNumber(end.largestNumber, order);
  if (sequence <= end.lastSequence && largestNumber === end.largestNumber) return end;
  return { lastSequence: Math.max(sequence, end.lastSequence), largestNumber };
}

/** Whether the locations of a list exceed its stored end. */
export function isBeyond(seen: ListEnd, end: ListEnd): boolean {
  if (seen.lastSequence > end.lastSequence) return true;
  return (
    seen.largestNumber !== null && largerNumber(end.largestNumber, seen.largestNumber) !== end.largestNumber
  );
}

/** The text that sorts later. */
function laterText(last: string | null, order: string, orderKey: OrderKey): string {
  return last !== null && compareOrderKeys(encodeOrder(last), orderKey) > 0 ? last : order;
}
