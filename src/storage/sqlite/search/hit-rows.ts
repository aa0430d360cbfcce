/** Content of hits, read by row number. */

import type { SearchSortKey } from '../../../domain/filter/location-order.ts';
import type { SearchHit } from '../../../domain/filter/location-search.ts';
import type { LocationTemplate } from '../../../domain/location-template.ts';
import type { PageEnds } from '../../../domain/paging/pages.ts';
import { keysOfEnds, pageOf } from '../../../domain/paging/pages.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { VersionHit } from '../../search.ts';
import type { SqlRow } from '../engine/driver.ts';
import type { Candidate } from './projection.ts';
import type { JsonLine } from './json-scan.ts';
import { listOf } from './json-scan.ts';
import { LOCATION_COLUMNS, toLocation } from '../locations/location-records.ts';
import { PAGE_JSON, locationJson } from '../locations/json-pages.ts';
import type { Reader } from '../engine/statements.ts';
import { bytesOf, numberOf, textOf } from '../engine/statements.ts';
import type { ResumableScan } from '../threads/long-reads.ts';

export interface HitRow {
  /** The row's number. */
  readonly number: number;
  readonly key: SearchSortKey;
  /** Rendered by the search's template; null where it was not read. */
  readonly json: JsonLine | null;
}

export function hitOf({ number, json }: Pick<Candidate, 'number' | 'json'>, key: SearchSortKey): HitRow {
  return { number, key, json };
}

/** Locations per read. */
const BATCH = 200;

/** SQL: the locations with these row numbers (a JSON array), in its order. */
export const AT_NUMBERS =
  '(SELECT key AS at, value AS at_number FROM json_each(?)) CROSS JOIN locations ON number = at_number';

function numbersJson(hits: readonly HitRow[]): string {
  return JSON.stringify(hits.map(({ number }) => number));
}

/** Skips hits that were deleted meanwhile. */
export function* recordsAt(reader: Reader, hits: readonly HitRow[]): ResumableScan<readonly SearchHit[]> {
  return yield* readAt(reader, hits, LOCATION_COLUMNS, (row, { key }) => ({
    location: toLocation(row, key.map.id),
    key,
  }));
}

/** As {@link recordsAt}. */
export function* versionsAt(reader: Reader, hits: readonly HitRow[]): ResumableScan<readonly VersionHit[]> {
  return yield* readAt(reader, hits, 'locations.id, locations.version', (row) => ({
    id: textOf(row, 'id'),
    version: numberOf(row, 'version'),
  }));
}

function* readAt<T>(
  reader: Reader,
  hits: readonly HitRow[],
  columns: string,
  make: (row: SqlRow, hit: HitRow) => T,
): ResumableScan<readonly T[]> {
  const made: T[] = [];
  for (let begin = 0; begin < hits.length; begin += BATCH) {
    if (begin > 0) yield;
    const some = hits.slice(begin, begin + BATCH);
    for (const row of reader.all(`SELECT at, ${columns} FROM ${AT_NUMBERS}`, numbersJson(some))) {
      const hit = some[numberOf(row, 'at')];
      if (hit !== undefined) made.push(make(row, hit));
    }
  }
  return made;
}

/** A page as JSON, structured-cloneable. */
export interface SearchPageBytes extends PageEnds<SearchSortKey> {
  /** UTF-8. */
  readonly json: Uint8Array;
}

/**
 * Skips hits that were deleted meanwhile.
 * @param hits the page, plus one hit on the side where it is cut off
 */
export function jsonAt(
  reader: Reader,
  hits: readonly HitRow[],
  page: PageRequest<SearchSortKey>,
  template: LocationTemplate,
): SearchPageBytes {
  const { items, ...ends } = pageOf(page, hits);
  const known = items.flatMap(({ json }) => json ?? []);
  if (known.length === items.length) return { ...keysOfEnds(ends), json: listOf(known) };
  const sql = `SELECT count(*) AS count, ${PAGE_JSON} FROM (SELECT ${locationJson(template)} AS json FROM ${AT_NUMBERS})`;
  const row = reader.get(sql, numbersJson(items));
  if (row === undefined) throw new Error('An aggregate query without GROUP BY must return one row.');
  return { ...keysOfEnds(ends), count: numberOf(row, 'count'), json: bytesOf(row, 'json') };
}
