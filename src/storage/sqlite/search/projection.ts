/** Partial locations: what a search needs to match and sort. Reading whole ones takes several times as long. */

import type { Filtered } from '../../../domain/filter/matcher.ts';
import type { Member } from '../../../domain/filter/members.ts';
import { UNSEEN } from '../../../domain/filter/members.ts';
import type { JsonValue } from '../../../domain/json/json.ts';
import type { LocationTemplate } from '../../../domain/location-template.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import type { SqlValue } from '../engine/driver.ts';
import { jsonArrayOf, locationJson } from '../locations/json-pages.ts';
import type { Reader } from '../engine/statements.ts';
import { bytesOf, textOf } from '../engine/statements.ts';
import type { JsonLine } from './json-scan.ts';
import { byteTextOf, isPlainName, linesOf, propertyReader } from './json-scan.ts';

/** Members that were not read are those of {@link UNSEEN}. */
export interface Candidate extends Filtered, SortKey {
  /** The row's number. */
  readonly number: number;
  /** Rendered by the search's template; null where it was not read. */
  readonly json: JsonLine | null;
}

/** What a search reads of each location. */
export interface Projection {
  readonly members: readonly Member[];
  /** The only property to read; null for all. */
  readonly property: string | null;
  /** Also renders each location; null for none. */
  readonly template?: LocationTemplate | null;
}

/** @param names of the properties to read; null for all */
export function createProjection(members: readonly Member[], names: readonly string[] | null): Projection {
  const [only, ...others] = new Set(names ?? []);
  const isOne = names !== null && only !== undefined && others.length === 0 && isPlainName(only);
  return { members: [...new Set(members)], property: isOne ? only : null };
}

/** SQL: a JSON value each. */
const COLUMNS: Readonly<Record<Member, string>> = {
  id: 'json_quote(locations.id)',
  externalId: 'json_quote(locations.external_id)',
  name: 'json_quote(locations.name)',
  properties: 'locations.properties',
  // Stored as the shortest exact decimals.
  latitude: 'locations.lat',
  longitude: 'locations.lng',
  createdAt: 'locations.created_at',
  updatedAt: 'coalesce(locations.updated_at, locations.created_at)',
  geocoding: `json_object('provider', locations.provider, 'precision', locations."precision",
    'isAmbiguous', json(iif(locations.is_ambiguous, 'true', 'false')),
    'isChecked', json(iif(locations.is_checked, 'true', 'false')))`,
};

/**
 * Reads all candidates as one text: parsing that is cheaper than passing a hundred rows into JavaScript.
 *
 * @param from `locations` and the clauses after it, without other columns of the same names
 */
export function readCandidates(
  reader: Reader,
  { members, property, template = null }: Projection,
  from: string,
  ...values: readonly SqlValue[]
): readonly Candidate[] {
  const isOfOne = property !== null && members.includes('properties');
  const parsed = isOfOne ? members.filter((member) => member !== 'properties') : members;
  const row = reader.get(candidatesSql(parsed, isOfOne, template, from), ...values) ?? {};
  const numbers = JSON.parse(textOf(row, 'numbers')) as number[];
  if (numbers.length === 0) return [];
  const sequences = JSON.parse(textOf(row, 'sequences')) as number[];
  const orderKeys = textOf(row, 'orderKeys').split('\n');
  const tuples = parsed.length === 0 ? [] : (JSON.parse(textOf(row, 'tuples')) as Tuple[]);
  const texts = isOfOne ? byteTextOf(bytesOf(row, 'properties')).split('\n') : [];
  const readProperty = isOfOne ? propertyReader(property) : null;
  const jsons = template === null ? [] : linesOf(bytesOf(row, 'jsons'));
  return numbers.map((number, hit) => {
    const candidate = emptyCandidate(number, orderKeys[hit] ?? '', sequences[hit] ?? 0);
    parsed.forEach((member, index) => {
      candidate[member] = tuples[hit]?.[index] as never;
    });
    if (readProperty !== null) candidate.properties = readProperty(texts[hit] ?? '{}');
    candidate.json = jsons[hit] ?? null;
    return candidate;
  });
}

/**
 * Neither stored JSON, nor templates, nor order keys contain line breaks. Sort keys are not in the tuples, since V8
 * interns every short string that JSON.parse reads.
 */
function candidatesSql(
  members: readonly Member[],
  hasProperties: boolean,
  template: LocationTemplate | null,
  from: string,
): string {
  const columns = members.map((member) => COLUMNS[member]);
  const hasTuples = columns.length > 0;
  const read = [
    'locations.number',
    'locations.sequence',
    'locations.order_key',
    ...(hasTuples ? [`concat('[', ${columns.join(`, ',', `)}, ']') AS tuple`] : []),
    ...(hasProperties ? ['locations.properties'] : []),
    ...(template === null ? [] : [`${locationJson(template)} AS json`]),
  ];
  const joined = [
    `${jsonArrayOf('number')} AS numbers`,
    `${jsonArrayOf('sequence')} AS sequences`,
    'group_concat(order_key, char(10)) AS orderKeys',
    ...(hasTuples ? [`${jsonArrayOf('tuple')} AS tuples`] : []),
    ...(hasProperties ? ['CAST(group_concat(properties, char(10)) AS BLOB) AS properties'] : []),
    ...(template === null ? [] : ['CAST(group_concat(json, char(10)) AS BLOB) AS jsons']),
  ];
  return `SELECT ${joined.join(', ')} FROM (SELECT ${read.join(', ')} FROM ${from})`;
}

/** In the order of the columns. */
type Tuple = readonly JsonValue[];

/** A candidate of which nothing was read. Building one shape for all takes a fraction of copying {@link UNSEEN}. */
export function emptyCandidate(number: number, orderKey: string, sequence: number): Writable<Candidate> {
  const { id, externalId, name, properties, latitude, longitude, createdAt, updatedAt, geocoding } = UNSEEN;
  return {
    number,
    json: null,
    orderKey,
    sequence,
    id,
    externalId,
    name,
    properties,
    latitude,
    longitude,
    createdAt,
    updatedAt,
    geocoding,
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
