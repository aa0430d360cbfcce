/**
 * Walks the list of a map of an upstream, forwards: by the `Link` of each page, else by the order of its last location
 * where the upstream shows it. A `Link` says that there is more; a full page without one says nothing, where the upstream
 * may not know links at all.
 */

import { MAX_PAGE_SIZE } from '../../domain/paging/paging.ts';
import { badUserInput } from '../../errors.ts';
import { unusable } from '../failures.ts';
import type { UpstreamLocation, UpstreamPage } from '../upstream.ts';

/** A place between two locations of the list: what to ask for, and how much of the answer stands before it. */
export interface ListPosition {
  /**
   * `page`: where a page begins. `order`: behind a location, asked for by its order. `within`: behind a location of the
   * page that is asked for. `full`: the same, behind the last one of a full page that shows no way on.
   */
  readonly kind: 'page' | 'order' | 'within' | 'full';
  /** Of /v0, without `limit`; empty for the start of the list. */
  readonly query: string;
  /** How many locations of the answer stand before the place. */
  readonly seen: number;
  /** Id of the last of them; null where it is not known. */
  readonly lastId: string | null;
}

export const LIST_START: ListPosition = { kind: 'page', query: '', seen: 0, lastId: null };

/** A location, and the place right behind it. */
export interface ListedLocation {
  readonly location: UpstreamLocation;
  readonly position: ListPosition;
}

export interface ListedPage {
  readonly items: readonly ListedLocation[];
  /** Whether the list goes on. It may have to ask. @throws as {@link listFrom} */
  readonly isMore: () => Promise<boolean>;
}

/** Reads a page of the upstream. */
export type ReadList = (query: string, limit: number) => Promise<UpstreamPage>;

export interface ListOptions {
  /** Whether a short page is filled up by further ones; otherwise one is read. */
  readonly fills: boolean;
}

/** One answer, without what stands before the place. */
interface Piece {
  readonly fresh: readonly ListedLocation[];
  /** The place behind the whole answer; null where that is empty. */
  readonly end: ListPosition | null;
  /** Whether the answer itself says that the list ends there. */
  readonly isEnd: boolean;
}

/**
 * @param limit 1 to 100
 * @throws ServiceError BAD_USER_INPUT where the upstream shows no way on, or more locations of one order than a page
 *   holds; what `read` throws
 */
export async function listFrom(
  read: ReadList,
  start: ListPosition,
  limit: number,
  { fills }: ListOptions = { fills: true },
): Promise<ListedPage> {
  const items: ListedLocation[] = [];
  let position = start;
  for (;;) {
    const wanted = limit - items.length;
    const piece = await readPiece(read, position, wanted);
    items.push(...piece.fresh.slice(0, wanted));
    if (piece.fresh.length > wanted) return { items, isMore: () => Promise.resolve(true) };
    const { end } = piece;
    if (end === null || piece.isEnd) return { items, isMore: () => Promise.resolve(false) };
    if (!fills || items.length === limit || end.kind === 'full') {
      return { items, isMore: () => goesOn(read, end) };
    }
    if (piece.fresh.length === 0 && end.query === position.query && end.seen <= position.seen) {
      throw unusable('listLocations: the list leads back to itself.');
    }
    position = end;
  }
}

/** @param wanted how many locations behind the place */
async function readPiece(read: ReadList, position: ListPosition, wanted: number): Promise<Piece> {
  const { kind, query, seen } = position;
  if (kind === 'order' && seen >= MAX_PAGE_SIZE) throw tooManyOfOneOrder();
  const limit = Math.min(MAX_PAGE_SIZE, seen + wanted);
  const page = await read(query, limit);
  const { locations, next } = page;
  if (locations.length === 0 && next !== null)
    throw unusable('listLocations: an empty page has a Link to a next one.');
  const passed = countPassed(locations, position);
  const isNew = locations.length > passed || locations.length === MAX_PAGE_SIZE;
  if (kind === 'full' && next === null && isNew && !(await knowsLinks(read, query))) throw noWayOn();
  const positionOf = (index: number) => positionAfter(page, { query, limit }, index);
  return {
    fresh: locations
      .slice(passed)
      .map((location, index) => ({ location, position: positionOf(passed + index) })),
    end: locations.length === 0 ? null : positionOf(locations.length - 1),
    isEnd: next === null && locations.length < limit,
  };
}

/** How many of the locations stand before the place. One that was deleted meanwhile is missing. */
function countPassed(locations: readonly UpstreamLocation[], { seen, lastId }: ListPosition): number {
  const index = lastId === null ? -1 : locations.findIndex(({ id }) => id === lastId);
  if (index !== -1) return index + 1;
  return Math.min(locations.length, lastId === null ? seen : seen - 1);
}

function positionAfter(
  { locations, next }: UpstreamPage,
  { query, limit }: { readonly query: string; readonly limit: number },
  index: number,
): ListPosition {
  const { id: lastId = null, order = null } = locations[index] ?? {};
  const isLast = index === locations.length - 1;
  if (isLast && next !== null) return { ...LIST_START, query: next };
  const isFull = isLast && locations.length === limit;
  if (!isFull || order === null) return { kind: isFull ? 'full' : 'within', query, seen: index + 1, lastId };
  const before = locations.findLastIndex((location) => location.order !== order);
  const offset = new URLSearchParams([['offset', order]]).toString();
  return { kind: 'order', query: offset, seen: index - before, lastId };
}

/** @param end behind a page that does not say itself that the list ends there */
async function goesOn(read: ReadList, end: ListPosition): Promise<boolean> {
  if (end.kind === 'page') return true;
  if (end.kind === 'order') return (await readPiece(read, end, 1)).fresh.length > 0;
  const { query, seen } = end;
  if (seen === MAX_PAGE_SIZE) return !(await knowsLinks(read, query));
  return (await read(query, seen + 1)).locations.length > seen;
}

/** @param query of a page with several locations: a page of one then has a link, where the upstream knows links */
async function knowsLinks(read: ReadList, query: string): Promise<boolean> {
  return (await read(query, 1)).next !== null;
}

function noWayOn() {
  return badUserInput(
    'The upstream does not show how its list goes on after this page: it gives neither a Link nor orders.',
  );
}

function tooManyOfOneOrder() {
  return badUserInput(
    `The upstream's list cannot be read any further: ${MAX_PAGE_SIZE} locations or more share one order, and it gives no Link.`,
  );
}
