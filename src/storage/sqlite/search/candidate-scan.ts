/** Scans of a map's locations, and the part of its list that a page in a stored order needs. */

import type { MapSortKey } from '../../../domain/paging/cursor.ts';
import { compareMaps } from '../../../domain/paging/cursor.ts';
import type { Direction } from '../../../domain/filter/direction.ts';
import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import type { SearchSortKey } from '../../../domain/filter/location-order.ts';
import { keyComparison } from '../../../domain/filter/location-order.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import type { Reader } from '../engine/statements.ts';
import { numberOf, textOf } from '../engine/statements.ts';
import type { ResumableScan } from '../threads/long-reads.ts';
import type { Choice } from './candidates.ts';
import { LookupChooser, WHOLE_LIST, candidatesOf, listedCandidates } from './candidates.ts';
import { AT_NUMBERS } from './hit-rows.ts';
import { numbersMatchingAll } from './index-lookups.ts';
import { isPointLookup, scanPoints } from './points.ts';
import type { Candidate } from './projection.ts';
import type { SearchedMapRow } from './searched-map.ts';

/**
 * Receives each candidate once. Returning true stops the scan.
 *
 * @param areMatches whether the candidates are known to match the filter
 */
export type ScanCallback = (candidates: readonly Candidate[], areMatches: boolean) => boolean;

/** Locations per read. */
const BATCH = 200;
/** Sort keys per read. */
const KEYS_PER_READ = 2_000;

/** All candidates, unordered. */
export function* scanCandidates(
  reader: Reader,
  map: SearchedMapRow,
  scan: ScanCallback,
): ResumableScan<void> {
  const choice = yield* new LookupChooser(reader, map).choose();
  if (choice === null) {
    yield* scanList(reader, map, WHOLE_LIST, scan);
  } else if (isPointLookup(map, choice.lookups[0])) {
    yield* scanPoints(reader, map, choice.lookups[0], (points) => scan(points, true));
  } else {
    const numbers = yield* numbersMatchingAll(reader, map, choice.lookups);
    yield* scanNumbers(reader, map, choice, numbers, scan);
  }
}

/** Index entries that can be read in the time of one location. */
const ENTRIES_OF_A_LOCATION = 5;
/** Index entries to count before the list itself is tried. */
const MAX_COUNTED = 5_000;

/**
 * All candidates within the range, in the map's order.
 *
 * @param limit about how many matches are needed
 */
export function* scanInOrder(
  reader: Reader,
  map: SearchedMapRow,
  range: ListRange,
  limit: number,
  scan: ScanCallback,
): ResumableScan<void> {
  const chooser = new LookupChooser(reader, map);
  let choice = yield* chooser.choose(MAX_COUNTED);
  let left = range;
  if (choice === null) {
    // For a filter that matches nearly everything, the start of the list has a page of matches.
    const beyond = yield* scanList(reader, map, range, scan, MAX_COUNTED / ENTRIES_OF_A_LOCATION);
    if (beyond === null) return;
    left = beyond;
    choice = yield* chooser.choose();
  }
  if (choice === null) {
    yield* scanList(reader, map, left, scan);
    return;
  }
  // If much matches, the start of the list has enough. If not, little time is lost.
  const affordable = choice.width / ENTRIES_OF_A_LOCATION;
  const isLikely = (limit * map.list.count) / choice.width < affordable;
  const rest = isLikely ? yield* scanList(reader, map, left, scan, affordable) : left;
  if (rest === null) return;
  if (isPointLookup(map, choice.lookups[0])) {
    yield* scanMatches(yield* pointsInOrder(reader, map, choice.lookups[0], rest), scan);
    return;
  }
  const numbers = yield* numbersMatchingAll(reader, map, choice.lookups);
  yield* scanNumbers(reader, map, choice, yield* inOrder(reader, map, numbers, rest), scan);
}

/** @returns the rest of the range after about `most` locations; null at its end, or when the scan stopped */
function* scanList(
  reader: Reader,
  map: SearchedMapRow,
  range: ListRange,
  scan: ScanCallback,
  max = Infinity,
): ResumableScan<ListRange | null> {
  let left = range;
  for (let scanned = 0; scanned < max; scanned += BATCH) {
    const candidates = listedCandidates(reader, map, { ...left, limit: BATCH });
    const last = candidates.at(-1);
    if (scan(candidates, map.list.areMatches) || last === undefined || candidates.length < BATCH) return null;
    left = left.fromEnd ? { ...left, before: last } : { ...left, after: last };
    yield;
  }
  return left;
}

function* scanNumbers(
  reader: Reader,
  map: SearchedMapRow,
  { lookups }: Choice,
  numbers: readonly number[],
  scan: ScanCallback,
): ResumableScan<void> {
  const areMatches = map.isExact && lookups.length === map.lookups.length;
  for (let begin = 0; begin < numbers.length; begin += BATCH) {
    const batch = numbers.slice(begin, begin + BATCH);
    if (scan(candidatesOf(reader, map, batch, areMatches), areMatches)) return;
    yield;
  }
}

function* scanMatches(candidates: readonly Candidate[], scan: ScanCallback): ResumableScan<void> {
  for (let begin = 0; begin < candidates.length; begin += BATCH) {
    if (scan(candidates.slice(begin, begin + BATCH), true)) return;
    yield;
  }
}

function* pointsInOrder(
  reader: Reader,
  map: SearchedMapRow,
  lookup: IndexLookup,
  range: ListRange,
): ResumableScan<readonly Candidate[]> {
  const points: Candidate[] = [];
  yield* scanPoints(reader, map, lookup, (batch) => {
    for (const point of batch) if (isInRange(map, range, point)) points.push(point);
    return false;
  });
  return sortedIn(map, points, range);
}

interface ListedNumber extends SortKey {
  readonly number: number;
}

/** Candidates within the range, in the map's order, which is read by row number. */
function* inOrder(
  reader: Reader,
  map: SearchedMapRow,
  numbers: readonly number[],
  range: ListRange,
): ResumableScan<readonly number[]> {
  const hits: ListedNumber[] = [];
  for (let begin = 0; begin < numbers.length; begin += KEYS_PER_READ) {
    yield;
    const rows = reader.all(
      `SELECT number, order_key, sequence FROM ${AT_NUMBERS}`,
      JSON.stringify(numbers.slice(begin, begin + KEYS_PER_READ)),
    );
    for (const row of rows) {
      const hit = {
        number: numberOf(row, 'number'),
        orderKey: textOf(row, 'order_key'),
        sequence: numberOf(row, 'sequence'),
      };
      if (isInRange(map, range, hit)) hits.push(hit);
    }
  }
  yield;
  return sortedIn(map, hits, range).map(({ number }) => number);
}

/** Sorts in place. */
function sortedIn<T extends SortKey>(
  { order }: SearchedMapRow,
  hits: T[],
  { fromEnd }: ListRange,
): readonly T[] {
  hits.sort(keyComparison(order));
  return fromEnd ? hits.reverse() : hits;
}

/** Exclusive bounds; null for none. */
export interface ListRange {
  readonly after: SortKey | null;
  readonly before: SortKey | null;
  /** Whether the page starts at the end of the range. */
  readonly fromEnd: boolean;
}

/** Turns a page in descending order into one of the ascending list. */
export function ascendingPage(
  page: PageRequest<SearchSortKey>,
  direction: Direction,
): PageRequest<SearchSortKey> {
  if (direction === 'asc') return page;
  return { ...page, after: page.before, before: page.after, fromEnd: !page.fromEnd };
}

/** Null where no location of the map is within the page's bounds. */
export function rangeIn(
  map: MapSortKey,
  { after, before, fromEnd }: PageRequest<SearchSortKey>,
): ListRange | null {
  const fromAfter = after === null ? 1 : compareMaps(map, after.map);
  const toBefore = before === null ? -1 : compareMaps(map, before.map);
  if (fromAfter < 0 || toBefore > 0) return null;
  return {
    after: fromAfter === 0 && after !== null ? after.sortKey : null,
    before: toBefore === 0 && before !== null ? before.sortKey : null,
    fromEnd,
  };
}

export function isInRange(
  { order }: Pick<SearchedMapRow, 'order'>,
  { after, before }: ListRange,
  hit: SortKey,
): boolean {
  const compare = keyComparison(order);
  return (after === null || compare(hit, after) > 0) && (before === null || compare(hit, before) < 0);
}
