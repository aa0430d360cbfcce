/**
 * Moving locations within a map's list (capabilities §9): the orders that they get, and those of neighbours that have to
 * make room. A location keeps its sequence number, so only its order says where it stands.
 */

import { badUserInput } from '../errors.ts';
import type { OrderKey } from './order.ts';
import { MAX_CHOSEN_LENGTH, ordersBetween } from './orders-between.ts';

/** A location in the list. */
export interface Listed {
  readonly id: string;
  readonly order: string;
  readonly orderKey: OrderKey;
}

/** What stands on one side of the gap, without what is moved. */
export interface Neighbours {
  /** The nearest first; at most so many as were asked for. */
  read(count: number): readonly Listed[];
}

export interface Move {
  /** In their new sequence. */
  readonly moved: readonly Listed[];
  readonly before: Neighbours;
  readonly after: Neighbours;
  /** The largest number ever used as an order in the map. */
  readonly largestNumber: string | null;
}

export interface NewOrder {
  readonly id: string;
  readonly order: string;
}

/** Neighbours that one call may renumber. */
const MOST_RENUMBERED = 10_000;
/** Renumbered orders leave room for many more moves between them. */
const ROOMY_LENGTH = MAX_CHOSEN_LENGTH - 16;
/** With so many neighbours on a side, orders that leave less room will do. */
const LARGE_WINDOW = 256;

/**
 * @returns the locations that get another order, in the sequence of the list
 * @throws ServiceError BAD_USER_INPUT where too many neighbours would have to make room
 */
export function planMove(move: Move): readonly NewOrder[] {
  const { moved, before, after, largestNumber } = move;
  const [low = null] = before.read(1);
  const [high = null] = after.read(1);
  const orders = ordersBetween(gapOf(low, high, largestNumber), moved.length);
  return orders === null ? renumber(move, equalsBeside(low, high, before, after)) : changed(moved, orders);
}

/** Numbers of neighbours, before and after the gap. */
interface Sizes {
  readonly left: number;
  readonly right: number;
}

/** Gives new orders to what is moved and to neighbours, to as few of them as will do. */
function renumber({ moved, before, after, largestNumber }: Move, equals: Sizes): readonly NewOrder[] {
  let narrow: readonly NewOrder[] | null = null;
  for (const { left, right } of windowsFrom(equals)) {
    // One more on each side stays, and bounds what the others get.
    const [lefts, rights] = [before.read(left + 1), after.read(right + 1)];
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
  if (narrow !== null) return narrow;
  throw badUserInput(
    `More than ${MOST_RENUMBERED} locations would have to be renumbered to make room; give them other orders first.`,
  );
}

/** Larger and larger windows around the gap. The first holds the locations of the gap's one order on the shorter side. */
function* windowsFrom(equals: Sizes): Iterable<Sizes> {
  if (equals.left + equals.right > 0) yield equals;
  for (let size = 1; ; size *= 2) {
    yield { left: Math.max(size, equals.left), right: Math.max(size, equals.right) };
  }
}

/** Where both sides of the gap have one order: those of it on the side that has fewer. */
function equalsBeside(low: Listed | null, high: Listed | null, before: Neighbours, after: Neighbours): Sizes {
  if (low === null || high?.orderKey !== low.orderKey) return { left: 0, right: 0 };
  const isEqual = ({ orderKey }: Listed) => orderKey === low.orderKey;
  for (let size = 1; size <= 2 * MOST_RENUMBERED; size *= 2) {
    const [left, right] = [before, after].map((side) => side.read(size).filter(isEqual).length);
    if (left !== undefined && left < size && left <= (right ?? 0)) return { left, right: 0 };
    if (right !== undefined && right < size) return { left: 0, right };
  }
  return { left: 2 * MOST_RENUMBERED, right: 0 };
}

function gapOf(low: Listed | null, high: Listed | null, largestNumber: string | null) {
  return { low: low?.order ?? null, high: high?.order ?? null, largestNumber };
}

function changed(locations: readonly Listed[], orders: readonly string[]): readonly NewOrder[] {
  return locations.flatMap(({ id, order }, index) => {
    const next = orders[index] ?? order;
    return next === order ? [] : [{ id, order: next }];
  });
}
