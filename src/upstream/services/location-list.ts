/**
 * Reads the list of an upstream map forwards: by the `Link` of each page, else by the order of its last location if the
 * upstream sends orders. A full page without a `Link` may or may not be the last one: the upstream may not support links.
 */

import { MAX_PAGE_SIZE } from '../../domain/paging/paging.ts';
import { badUserInput } from '../../errors.ts';
import { unusable } from '../failures.ts';
import type { UpstreamLocation, UpstreamPage } from '../upstream.ts';

/** A position between two locations: the query to send, and the number of locations to skip in its response. */
export interface ListPosition {
  /**
   * `page`: the start of a page. `order`: after a location, queried by its order. `within`: after a location of the
   * queried page. `full`: after the last location of a full page without a `Link` or orders.
   */
  readonly kind: 'page' | 'order' | 'within' | 'full';
  /** Query of /v0 without `limit`; empty for the start of the list. */
  readonly query: string;
  /** Locations of the response before the position. */
  readonly seen: number;
  /** Id of the last of them; null if unknown. */
  readonly lastId: string | null;
}

export const LIST_START: ListPosition = { kind: 'page', query: '', seen: 0, lastId: null };

/** A location, and the position after it. */
export interface ListedLocation {
  readonly location: UpstreamLocation;
  readonly position: ListPosition;
}

export interface ListedPage {
  readonly items: readonly ListedLocation[];
  /** Whether the list continues; may need a request. @throws as {@link listFrom} */
  readonly isMore: () => Promise<boolean>;
}

/** Reads a page of the upstream. */
export type ReadList = (query: string, limit: number) => Promise<UpstreamPage>;

export interface ListOptions {
  /** Whether to read further pages until the limit is reached. */
  readonly fills: boolean;
}

/** One response, without the locations before the position. */
interface Piece {
  readonly fresh: readonly ListedLocation[];
  /** The position after the response; null if it is empty. */
  readonly end: ListPosition | null;
  /** Whether the response shows that the list ends there. */
  readonly isEnd: boolean;
}

/**
 * @param limit 1 to 100
 * @throws ServiceError BAD_USER_INPUT if the upstream sends neither links nor orders, or more locations of one order than
 *   fit into a page; what `read` throws
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
      return { items, isMore: () => continues(read, end) };
    }
    if (piece.fresh.length === 0 && end.query === position.query && end.seen <= position.seen) {
      throw unusable('listLocations: the links form a loop.');
    }
    position = end;
  }
}

/** @param wanted number of locations after the position */
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
  if (kind === 'full' && next === null && isNew && !(await hasLinks(read, query))) throw cannotContinue();
  const positionOf = (index: number) => positionAfter(page, { query, limit }, index);
  return {
    fresh: locations
      .slice(passed)
      .map((location, index) => ({ location, position: positionOf(passed + index) })),
    end: locations.length === 0 ? null : positionOf(locations.length - 1),
    isEnd: next === null && locations.length < limit,
  };
}

/** How many of the locations are before the position; one of them may have been deleted since. */
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

/** @param end after a response that does not show that the list ends */
async function continues(read: ReadList, end: ListPosition): Promise<boolean> {
  if (end.kind === 'page') return true;
  if (end.kind === 'order') return (await readPiece(read, end, 1)).fresh.length > 0;
  const { query, seen } = end;
  if (seen === MAX_PAGE_SIZE) return !(await hasLinks(read, query));
  return (await read(query, seen + 1)).locations.length > seen;
}

/** @param query of a page with several locations: with limit 1 it has a link if the upstream supports links */
async function hasLinks(read: ReadList, query: string): Promise<boolean> {
  return (await read(query, 1)).next !== null;
}

function cannotContinue() {
  return badUserInput(
    'The upstream does not show how its list continues after this page: it sends neither a Link nor orders.',
  );
}

function tooManyOfOneOrder() {
  return badUserInput(
    `The rest of the upstream's list cannot be read: ${MAX_PAGE_SIZE} or more locations have the same order, and there is no Link.`,
  );
}
