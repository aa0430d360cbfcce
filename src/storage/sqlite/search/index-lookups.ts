/** Reads the row numbers that match an {@link IndexLookup} from the indexes alone. */

import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import type { SqlValue } from '../engine/driver.ts';
import { numberOf, textOf } from '../engine/statements.ts';
import type { PointRow } from './points.ts';
import { pointRows, POINTS_OF_RANGES, pointsOf } from './points.ts';
import { matchExpression, rangesOfTerms } from './search-index.ts';
import type { Reader } from '../engine/statements.ts';
import type { ResumableScan } from '../threads/long-reads.ts';
import type { SearchedMapRow } from './searched-map.ts';

type LookedUpMap = Pick<SearchedMapRow, 'number' | 'accepts'>;

/** How one part of a lookup is read from its index. */
interface Index {
  /** The second parameter, as JSON; an empty array matches nothing. */
  readonly parametersOf: (lookup: IndexLookup, map: LookedUpMap) => readonly unknown[];
  /** Reads at most as many entries as the last parameter says. */
  readonly sql: string;
  /** Whether it returns {@link PointRow}s. */
  readonly hasPoints?: true;
  /** A cheaper way to count, at least up to the last parameter. */
  readonly count?: Pick<Index, 'parametersOf' | 'sql'>;
}

/** FTS5 keeps the number of locations of each word. A range has at most as many words as entries. */
const COUNT_SQL = `SELECT coalesce(sum(doc), 0) AS count FROM (
  SELECT c.doc FROM json_each(?2) AS r CROSS JOIN location_words_counted AS c
  WHERE c.term >= r.value ->> 'first' AND c.term <= r.value ->> 'last' AND ?1 IS NOT NULL LIMIT ?3)`;

/** Terms per MATCH, which looks up all of them before it returns any row. */
const MAX_MATCHED = 100;

/** Terms for MATCH, and terms to read word by word. */
function partsOf({ terms }: IndexLookup) {
  const whole = terms.filter(({ isPrefix }) => !isPrefix);
  return whole.length > MAX_MATCHED
    ? { matched: [], scanned: terms }
    : { matched: whole, scanned: terms.filter(({ isPrefix }) => isPrefix) };
}

const INDEXES: readonly Index[] = [
  {
    parametersOf: ({ cells }) => cells,
    hasPoints: true,
    sql: POINTS_OF_RANGES,
  },
  {
    // Several times faster than reading word by word, and stops as early, since there are no prefixes to merge.
    parametersOf: (lookup, { number }) => {
      const { matched } = partsOf(lookup);
      return matched.length === 0 ? [] : [matchExpression(number, [matched])];
    },
    sql: `SELECT rowid AS number FROM location_words WHERE location_words MATCH (?2 ->> 0) LIMIT ?3`,
    count: {
      parametersOf: (lookup, { number }) => rangesOfTerms(number, partsOf(lookup).matched),
      sql: COUNT_SQL,
    },
  },
  {
    parametersOf: (lookup, { number }) => rangesOfTerms(number, partsOf(lookup).scanned),
    sql: `SELECT s.doc AS number FROM json_each(?2) AS r CROSS JOIN location_words_seen AS s
      WHERE s.term >= r.value ->> 'first' AND s.term <= r.value ->> 'last' LIMIT ?3`,
    count: {
      parametersOf: (lookup, { number }) => rangesOfTerms(number, partsOf(lookup).scanned),
      sql: COUNT_SQL,
    },
  },
  {
    parametersOf: ({ ids }) => ids,
    sql: `SELECT l.number FROM json_each(?2) AS i CROSS JOIN locations AS l ON l.id = i.value
      WHERE l.map_number = ?1 LIMIT ?3`,
  },
  {
    parametersOf: ({ externalIds }) => externalIds,
    sql: `SELECT l.number FROM json_each(?2) AS i CROSS JOIN locations AS l ON l.external_id = i.value
      WHERE l.map_number = ?1 LIMIT ?3`,
  },
];

/**
 * Unique numbers of candidates.
 *
 * @returns null where the indexes hold more than `limit` entries
 */
export function numbersWithin(
  reader: Reader,
  map: LookedUpMap,
  lookup: IndexLookup,
  limit: number,
): ReadonlySet<number> | null {
  const numbers = new Set<number>();
  let left = limit;
  for (const { parametersOf, sql, hasPoints = false } of INDEXES) {
    const parts = parametersOf(lookup, map);
    if (parts.length === 0) continue;
    const values = [map.number, JSON.stringify(parts), left + 1];
    const found = hasPoints ? pointRows(reader, sql, ...values) : listOf(reader, sql, values);
    left -= found.length;
    if (left < 0) return null;
    for (const each of found) {
      if (typeof each === 'number') numbers.add(each);
      else addAccepted(numbers, map, each);
    }
  }
  return numbers;
}

/** One JSON text is faster than a row per number. */
function listOf(reader: Reader, sql: string, values: readonly SqlValue[]): readonly number[] {
  const row = reader.get(`SELECT json_group_array(number) AS numbers FROM (${sql})`, ...values);
  return JSON.parse(textOf(row ?? {}, 'numbers')) as number[];
}

function addAccepted(
  numbers: Set<number>,
  { accepts }: LookedUpMap,
  [number, , , latitude, longitude]: PointRow,
): void {
  if (accepts({ latitude, longitude })) numbers.add(number);
}

/** The number of index entries of a lookup; null where there are more than `limit`. */
export function countWithin(
  reader: Reader,
  map: LookedUpMap,
  lookup: IndexLookup,
  limit: number,
): number | null {
  let count = 0;
  for (const { parametersOf, sql, count: shortcut } of INDEXES) {
    const parts = (shortcut?.parametersOf ?? parametersOf)(lookup, map);
    if (parts.length === 0) continue;
    const countSql = shortcut?.sql ?? `SELECT count(*) AS count FROM (${sql})`;
    const row = reader.get(countSql, map.number, JSON.stringify(parts), limit - count + 1);
    count += numberOf(row ?? {}, 'count');
    if (count > limit) return null;
  }
  return count;
}

/** The unique numbers that match all lookups. */
export function* numbersMatchingAll(
  reader: Reader,
  map: LookedUpMap,
  lookups: readonly IndexLookup[],
): ResumableScan<readonly number[]> {
  const sets: ReadonlySet<number>[] = [];
  const ofTerms = lookups.filter(hasOnlyTerms);
  if (ofTerms.length > 0) sets.push(numbersOfTerms(reader, map, ofTerms));
  for (const lookup of lookups) {
    yield;
    if (!hasOnlyTerms(lookup)) sets.push(yield* numbersOf(reader, map, lookup));
  }
  const [smallest = new Set<number>(), ...others] = sets.toSorted((a, b) => a.size - b.size);
  return [...smallest].filter((number) => others.every((set) => set.has(number)));
}

function hasOnlyTerms({ terms, cells, ids, externalIds }: IndexLookup): boolean {
  return terms.length > 0 && cells.length + ids.length + externalIds.length === 0;
}

/** FTS5 intersects word lists faster than JavaScript. */
function numbersOfTerms(
  reader: Reader,
  { number }: LookedUpMap,
  lookups: readonly IndexLookup[],
): ReadonlySet<number> {
  const row = reader.get(
    'SELECT json_group_array(rowid) AS numbers FROM location_words WHERE location_words MATCH ?',
    matchExpression(
      number,
      lookups.map(({ terms }) => terms),
    ),
  );
  return new Set(JSON.parse(textOf(row ?? {}, 'numbers')) as number[]);
}

/** The number of locations that match all of the map's lookups, which have terms only. */
export function countMatchingAll(reader: Reader, { number, lookups }: SearchedMapRow): number {
  const row = reader.get(
    'SELECT count(*) AS count FROM location_words WHERE location_words MATCH ?',
    matchExpression(
      number,
      lookups.map(({ terms }) => terms),
    ),
  );
  return numberOf(row ?? {}, 'count');
}

/** More than a filter can list. */
const UNLIMITED = 1_000_000;

function* numbersOf(
  reader: Reader,
  map: LookedUpMap,
  lookup: IndexLookup,
): ResumableScan<ReadonlySet<number>> {
  const numbers = new Set<number>();
  const { cells, ...others } = lookup;
  for (const number of numbersWithin(reader, map, { ...others, cells: [], terms: [] }, UNLIMITED) ?? []) {
    numbers.add(number);
  }
  if (lookup.terms.length > 0)
    for (const number of numbersOfTerms(reader, map, [lookup])) numbers.add(number);
  for (const range of cells) {
    for (const rows of pointsOf(reader, map.number, range)) {
      for (const row of rows) addAccepted(numbers, map, row);
      yield;
    }
  }
  return numbers;
}
