/**
 * Plans moves within a map's list (capabilities §9): new orders for the moved locations, and for neighbours that have to
 * make room. Sequence numbers do not change, so orders alone define the positions.
 */

import { compareOrderKeys } from './order.ts';
import { MAX_CHOSEN_LENGTH, ordersBetween } from './orders-between.ts';
import type { PageRequest } from '../paging/paging.ts';
import type { SortKey } from './sort-key.ts';
import { countCodePoints } from '../text.ts';

/** The target of a move: next to another location, or an end of the list. */
export type MovePosition =
  { readonly kind: 'before' | 'after'; readonly id: string } | { readonly kind: 'start' | 'end' };

/** A location in the list. */
export interface Listed extends SortKey {
  readonly id: string;
  readonly order: string;
}

export interface Move<L extends Listed> {
  /** In their new sequence, without the target. */
  readonly moved: readonly L[];
  readonly kind: MovePosition['kind'];
  /** The location of `before` or `after`; null for an end of the list. */
  readonly target: L | null;
  /** Whether the target was deleted since it was read. Its former position still counts. */
  readonly isTargetGone?: boolean;
  /** The largest number ever used as an order in the map. */
  readonly largestNumber: string | null;
}

export interface NewOrder<L extends Listed> {
  readonly location: L;
  readonly order: string;
}

/**
 * A computation that yields page requests and resumes with the pages, so that synchronous and asynchronous stores share
 * it. Pages ascend, as everywhere.
 */
export type ReadingPages<L, R> = Generator<PageRequest<SortKey>, R, readonly L[]>;

/** Neighbours that one call may renumber. */
export const MOST_RENUMBERED = 10_000;
/** Renumbered orders are short enough to leave room for many further moves. */
const ROOMY_LENGTH = MAX_CHOSEN_LENGTH - 16;
/** With this many neighbours on a side, longer orders are accepted. */
const LARGE_WINDOW = 256;

/**
 * @returns the locations with a new order, in list order; none if all are in place. Null if more than
 *   {@link MOST_RENUMBERED} neighbours would have to make room
 */
export function* planMove<L extends Listed>(move: Move<L>): ReadingPages<L, readonly NewOrder<L>[] | null> {
  const { moved, largestNumber } = move;
  const { before, after } = sidesOf(move);
  const [low = null] = yield* before.read(1);
  const [high = null] = yield* after.read(1);
  if (isAscending([low, ...moved, high])) return [];
  const orders = ordersBetween(gapOf(low, high, largestNumber), moved.length) ?? shareOrder(low, moved, high);
  if (orders !== null) return changed(moved, orders);
  const equals = yield* equalsBeside(low, high, before, after);
  return yield* renumber(moved, before, after, largestNumber, equals);
}

/** Size of the first page of a side; later pages are larger. */
const FIRST_PAGE = 8;

/** The locations on one side of the gap, without the moved ones, nearest first. */
class Neighbours<L extends Listed> {
  readonly #moved: ReadonlySet<string>;
  readonly #isBefore: boolean;
  readonly #items: L[];
  /** The last location read; null before the first page. */
  #edge: SortKey | null;
  #isEnded: boolean;
  #limit = FIRST_PAGE;

  constructor({ moved, target, isTargetGone = false, kind }: Move<L>, side: 'before' | 'after') {
    this.#moved = new Set(moved.map(({ id }) => id));
    this.#isBefore = side === 'before';
    // On the far side of the gap, the target is the nearest location.
    this.#items = target !== null && kind !== side && !isTargetGone ? [target] : [];
    this.#edge = target;
    this.#isEnded = kind === (side === 'before' ? 'start' : 'end');
  }

  /** @returns the nearest locations, fewer at the end of the list */
  *read(count: number): ReadingPages<L, readonly L[]> {
    while (this.#items.length < count && !this.#isEnded) {
      const limit = Math.max(count - this.#items.length, this.#limit);
      this.#limit = 2 * limit;
      const [after, before] = this.#isBefore ? [null, this.#edge] : [this.#edge, null];
      const page = yield { limit, fromEnd: this.#isBefore, after, before };
      this.#isEnded = page.length < limit;
      for (const item of this.#isBefore ? page.toReversed() : page) {
        this.#edge = item;
        if (!this.#moved.has(item.id)) this.#items.push(item);
      }
    }
    return this.#items.slice(0, count);
  }
}

function sidesOf<L extends Listed>(move: Move<L>) {
  return { before: new Neighbours(move, 'before'), after: new Neighbours(move, 'after') };
}

/** Whether the locations are in list order. Null stands for the ends of the list. */
function isAscending(items: readonly (SortKey | null)[]): boolean {
  const keys = items.filter((item) => item !== null);
  return keys.every((key, index) => {
    const last = keys[index - 1];
    if (last === undefined) return true;
    return (compareOrderKeys(last.orderKey, key.orderKey) || last.sequence - key.sequence) < 0;
  });
}

/** Between equal orders: the same order, if the sequence numbers put the moved locations in place. */
function shareOrder<L extends Listed>(
  low: L | null,
  moved: readonly L[],
  high: L | null,
): readonly string[] | null {
  if (low === null || high?.orderKey !== low.orderKey) return null;
  if (countCodePoints(low.order) > MAX_CHOSEN_LENGTH) return null;
  const { order, orderKey } = low;
  const isInPlace = isAscending([low, ...moved.map(({ sequence }) => ({ orderKey, sequence })), high]);
  return isInPlace ? moved.map(() => order) : null;
}

/** Numbers of neighbours before and after the gap. */
interface Sizes {
  readonly left: number;
  readonly right: number;
}

/** Assigns new orders to the moved locations and to as few neighbours as possible. */
function* renumber<L extends Listed>(
  moved: readonly L[],
  before: Neighbours<L>,
  after: Neighbours<L>,
  largestNumber: string | null,
  equals: Sizes,
): ReadingPages<L, readonly NewOrder<L>[] | null> {
  let narrow: readonly NewOrder<L>[] | null = null;
  for (const { left, right } of windowsFrom(equals)) {
    // One more on each side keeps its order and bounds the new ones.
    const lefts = yield* before.read(left + 1);
    const rights = yield* after.read(right + 1);
    const [start = null, end = null] = [lefts[left], rights[right]];
    const all = [...lefts.slice(0, left).toReversed(), ...moved, ...rights.slice(0, right)];
    if (all.length - moved.length > MOST_RENUMBERED) break;
    const isWhole = start === null && end === null;
    const orders = ordersBetween(gapOf(start, end, isWhole ? null : largestNumber), all.length);
    if (orders === null) continue;
    if (isWhole || orders.every(({ length }) => length <= ROOMY_LENGTH)) return changed(all, orders);
    narrow ??= changed(all, orders);
    if (Math.max(left, right) >= LARGE_WINDOW) return narrow;
  }
  return narrow;
}

/** Growing windows around the gap. The first one has the locations of equal order on the shorter side. */
function* windowsFrom(equals: Sizes): Iterable<Sizes> {
  if (equals.left + equals.right > 0) yield equals;
  for (let size = 1; ; size *= 2) {
    yield { left: Math.max(size, equals.left), right: Math.max(size, equals.right) };
  }
}

/** If both sides of the gap have the same order: the locations with it on the side that has fewer. */
function* equalsBeside<L extends Listed>(
  low: L | null,
  high: L | null,
  before: Neighbours<L>,
  after: Neighbours<L>,
): ReadingPages<L, Sizes> {
  if (low === null || high?.orderKey !== low.orderKey) return { left: 0, right: 0 };
  const countEqual = (items: readonly L[]) =>
    items.filter(({ orderKey }) => orderKey === low.orderKey).length;
  for (let size = 1; size <= 2 * MOST_RENUMBERED; size *= 2) {
    const left = countEqual(yield* before.read(size));
    const right = countEqual(yield* after.read(size));
    if (left < size && left <= right) return { left, right: 0 };
    if (right < size) return { left: 0, right };
  }
  return { left: 2 * MOST_RENUMBERED, right: 0 };
}

function gapOf(low: Listed | null, high: Listed | null, largestNumber: string | null) {
  return { low: low?.order ?? null, high: high?.order ?? null, largestNumber };
}

function changed<L extends Listed>(
  locations: readonly L[],
  orders: readonly string[],
): readonly NewOrder<L>[] {
  return locations.flatMap((location, index) => {
    const order = orders[index] ?? location.order;
    return order === location.order ? [] : [{ location, order }];
  });
}
