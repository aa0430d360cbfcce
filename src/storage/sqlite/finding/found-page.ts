/** What is to be told of a page's locations, read by their places. */

import type { FoundKey } from '../../../domain/filter/location-order.ts';
import type { FoundLocation } from '../../../domain/filter/location-search.ts';
import type { LocationTemplate } from '../../../domain/location-template.ts';
import type { PageEnds } from '../../../domain/pages.ts';
import { keysOfEnds, pageOf } from '../../../domain/pages.ts';
import type { PageRequest } from '../../../domain/paging.ts';
import type { FoundVersion } from '../../finding.ts';
import type { SqlRow } from '../driver.ts';
import type { Candidate } from './candidate.ts';
import type { JsonLine } from './json-lines.ts';
import { listOf } from './json-lines.ts';
import { LOCATION_COLUMNS, toLocation } from '../location-rows.ts';
import { locationJson } from '../location-sql.ts';
import { PAGE_JSON } from '../locations-json.ts';
import type { Reader } from '../reader.ts';
import { bytesOf, numberOf, textOf } from '../rows.ts';
import type { Steps } from './steps.ts';

/** A location that was found. */
export interface FoundPlace {
  /** Stands for it in the store. */
  readonly number: number;
  readonly key: FoundKey;
  /** As a page shows it; null where it was not read. */
  readonly json: JsonLine | null;
}

export function placeOf({ number, json }: Pick<Candidate, 'number' | 'json'>, key: FoundKey): FoundPlace {
  return { number, key, json };
}

/** Locations that are read at a time. */
const CHUNK = 200;

/** A list of numbers, with its locations, in the list's order. */
export const AT_NUMBERS =
  '(SELECT key AS at, value AS at_number FROM json_each(?)) CROSS JOIN locations ON number = at_number';

function numbersJson(places: readonly FoundPlace[]): string {
  return JSON.stringify(places.map(({ number }) => number));
}

/** A place whose location has gone meanwhile is left out. */
export function* recordsAt(reader: Reader, places: readonly FoundPlace[]): Steps<readonly FoundLocation[]> {
  return yield* readAt(reader, places, LOCATION_COLUMNS, (row, { key }) => ({
    location: toLocation(row, key.map.id),
    key,
  }));
}

/** As {@link recordsAt}. */
export function* versionsAt(reader: Reader, places: readonly FoundPlace[]): Steps<readonly FoundVersion[]> {
  return yield* readAt(reader, places, 'locations.id, locations.version', (row) => ({
    id: textOf(row, 'id'),
    version: numberOf(row, 'version'),
  }));
}

function* readAt<T>(
  reader: Reader,
  places: readonly FoundPlace[],
  columns: string,
  make: (row: SqlRow, place: FoundPlace) => T,
): Steps<readonly T[]> {
  const made: T[] = [];
  for (let begin = 0; begin < places.length; begin += CHUNK) {
    if (begin > 0) yield;
    const some = places.slice(begin, begin + CHUNK);
    for (const row of reader.all(`SELECT at, ${columns} FROM ${AT_NUMBERS}`, numbersJson(some))) {
      const place = some[numberOf(row, 'at')];
      if (place !== undefined) made.push(make(row, place));
    }
  }
  return made;
}

/** A page as JSON that can be sent to another thread. */
export interface FoundBytes extends PageEnds<FoundKey> {
  /** UTF-8. */
  readonly json: Uint8Array;
}

/** @param places of the page, and one more on the side where it is cut off; as {@link recordsAt} */
export function jsonAt(
  reader: Reader,
  places: readonly FoundPlace[],
  page: PageRequest<FoundKey>,
  template: LocationTemplate,
): FoundBytes {
  const { items, ...ends } = pageOf(page, places);
  const known = items.flatMap(({ json }) => json ?? []);
  if (known.length === items.length) return { ...keysOfEnds(ends), json: listOf(known) };
  const sql = `SELECT count(*) AS count, ${PAGE_JSON} FROM (SELECT ${locationJson(template)} AS json FROM ${AT_NUMBERS})`;
  const row = reader.get(sql, numbersJson(items));
  if (row === undefined) throw new Error('An aggregate without groups has one row.');
  return { ...keysOfEnds(ends), count: numberOf(row, 'count'), json: bytesOf(row, 'json') };
}
