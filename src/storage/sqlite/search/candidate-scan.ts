/** Ways through the locations of a map, in steps. */

import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import { compareSortKeys } from '../../../domain/list/sort-key.ts';
import { pageClauses } from '../pages.ts';
import type { Reader } from '../reader.ts';
import { numberOf, textOf } from '../rows.ts';
import type { Candidate } from './candidate.ts';
import { readCandidates } from './candidate.ts';
import type { Choice } from './candidates.ts';
import { candidatesOf, LookupChooser } from './candidates.ts';
import { numbersOfAll } from './covered-numbers.ts';
import { AT_NUMBERS } from './hit-rows.ts';
import type { ListRange } from './list-range.ts';
import { isInRange } from './list-range.ts';
import { isOfPoints, scanPoints } from './points.ts';
import type { StoredMap } from './searched-map.ts';
import type { ResumableScan } from './resumable-scan.ts';

/**
 * Is shown candidates, each once. True: that is enough.
 *
 * @param havePassed whether the filter is known to let them through
 */
export type ScanCallback = (candidates: readonly Candidate[], havePassed: boolean) => boolean;

/** Locations that are read at a time. */
const CHUNK = 200;
/** Places in the list that are read at a time. */
const PLACES = 2_000;

const WHOLE_LIST: ListRange = { after: null, before: null, fromEnd: false };

/** All that may pass the filter, in no order. */
export function* scanCandidates(reader: Reader, map: StoredMap, scan: ScanCallback): ResumableScan<void> {
  const choice = yield* new LookupChooser(reader, map).choose();
  if (choice === null) {
    yield* walk(reader, map, WHOLE_LIST, scan);
  } else if (isOfPoints(map, choice.lookups[0])) {
    yield* scanPoints(reader, map, choice.lookups[0], (points) => scan(points, true));
  } else {
    const numbers = yield* numbersOfAll(reader, map, choice.lookups);
    yield* scanNumbers(reader, map, choice, numbers, scan);
  }
}

/** How many entries of an index are read in the time that one location takes. */
const ENTRIES_OF_A_LOCATION = 5;
/** Entries that are counted of covers before the list is tried. */
const WIDE = 5_000;

/**
 * All of the range that may pass the filter, as the list goes.
 *
 * @param limit how many have to pass, about, until it is enough
 */
export function* scanInOrder(
  reader: Reader,
  map: StoredMap,
  range: ListRange,
  limit: number,
  scan: ScanCallback,
): ResumableScan<void> {
  const chooser = new LookupChooser(reader, map);
  let choice = yield* chooser.choose(WIDE);
  let left = range;
  if (choice === null) {
    // The list's beginning is the shortest way to a page of what is found everywhere.
    const beyond = yield* walk(reader, map, range, scan, WIDE / ENTRIES_OF_A_LOCATION);
    if (beyond === null) return;
    left = beyond;
    choice = yield* chooser.choose();
  }
  if (choice === null) {
    yield* walk(reader, map, left, scan);
    return;
  }
  // Where much passes, the list's beginning has enough of it. Should it not, little was lost.
  const affordable = choice.width / ENTRIES_OF_A_LOCATION;
  const isLikely = (limit * map.count) / choice.width < affordable;
  const rest = isLikely ? yield* walk(reader, map, left, scan, affordable) : left;
  if (rest === null) return;
  if (isOfPoints(map, choice.lookups[0])) {
    yield* scanPassed(yield* pointsInOrder(reader, map, choice.lookups[0], rest), scan);
    return;
  }
  const numbers = yield* numbersOfAll(reader, map, choice.lookups);
  yield* scanNumbers(reader, map, choice, yield* inOrder(reader, numbers, rest), scan);
}

/** @returns what is left of the range after about `most` locations; null where nothing is, or where it was enough */
function* walk(
  reader: Reader,
  { number, projection }: StoredMap,
  range: ListRange,
  scan: ScanCallback,
  most = Infinity,
): ResumableScan<ListRange | null> {
  let left = range;
  for (let walked = 0; walked < most; walked += CHUNK) {
    const { clauses, values } = pageClauses(number, { ...left, limit: CHUNK });
    const candidates = readCandidates(reader, projection, `locations ${clauses}`, ...values);
    const last = candidates.at(-1);
    if (scan(candidates, false) || last === undefined || candidates.length < CHUNK) return null;
    left = left.fromEnd ? { ...left, before: last } : { ...left, after: last };
    yield;
  }
  return left;
}

function* scanNumbers(
  reader: Reader,
  map: StoredMap,
  { lookups }: Choice,
  numbers: readonly number[],
  scan: ScanCallback,
): ResumableScan<void> {
  const havePassed = map.isExact && lookups.length === map.lookups.length;
  for (let begin = 0; begin < numbers.length; begin += CHUNK) {
    const some = numbers.slice(begin, begin + CHUNK);
    if (scan(candidatesOf(reader, map, some, havePassed), havePassed)) return;
    yield;
  }
}

function* scanPassed(candidates: readonly Candidate[], scan: ScanCallback): ResumableScan<void> {
  for (let begin = 0; begin < candidates.length; begin += CHUNK) {
    if (scan(candidates.slice(begin, begin + CHUNK), true)) return;
    yield;
  }
}

function* pointsInOrder(
  reader: Reader,
  map: StoredMap,
  lookup: IndexLookup,
  range: ListRange,
): ResumableScan<readonly Candidate[]> {
  const points: Candidate[] = [];
  yield* scanPoints(reader, map, lookup, (some) => {
    for (const point of some) if (isInRange(range, point)) points.push(point);
    return false;
  });
  return byList(points, range);
}

interface ListedNumber extends SortKey {
  readonly number: number;
}

/** Those within the range, as the list goes; the index of numbers holds their places. */
function* inOrder(
  reader: Reader,
  numbers: readonly number[],
  range: ListRange,
): ResumableScan<readonly number[]> {
  const hits: ListedNumber[] = [];
  for (let begin = 0; begin < numbers.length; begin += PLACES) {
    yield;
    const rows = reader.all(
      `SELECT number, order_key, sequence FROM ${AT_NUMBERS}`,
      JSON.stringify(numbers.slice(begin, begin + PLACES)),
    );
    for (const row of rows) {
      const hit = {
        number: numberOf(row, 'number'),
        orderKey: textOf(row, 'order_key'),
        sequence: numberOf(row, 'sequence'),
      };
      if (isInRange(range, hit)) hits.push(hit);
    }
  }
  yield;
  return byList(hits, range).map(({ number }) => number);
}

/** Sorts in place. */
function byList<T extends SortKey>(hits: T[], { fromEnd }: ListRange): readonly T[] {
  hits.sort(compareSortKeys);
  return fromEnd ? hits.reverse() : hits;
}
