/** Locations as far as a search looks at them. To read them whole takes several times as long. */

import type { Filtered } from '../../../domain/filter/matcher.ts';
import type { Member } from '../../../domain/filter/members.ts';
import { UNSEEN } from '../../../domain/filter/members.ts';
import type { JsonValue } from '../../../domain/json/json.ts';
import type { LocationTemplate } from '../../../domain/location-template.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import type { SqlValue } from '../driver.ts';
import { locationJson } from '../location-sql.ts';
import { listText } from '../locations-json.ts';
import type { Reader } from '../reader.ts';
import { bytesOf, textOf } from '../rows.ts';
import type { JsonLine } from './json-lines.ts';
import { linesOf } from './json-lines.ts';
import { byteTextOf, isPlainName, propertyReader } from './one-property.ts';

/** What is not looked at is as in {@link UNSEEN}. */
export interface Candidate extends Filtered, SortKey {
  /** Stands for the location in the store. */
  readonly number: number;
  /** The location as a page shows it; null where it was not read. */
  readonly json: JsonLine | null;
}

/** What a search looks at. */
export interface Projection {
  readonly members: readonly Member[];
  /** The one property that is read; null where all are. */
  readonly property: string | null;
  /** What is read to be shown, besides; null is nothing. */
  readonly template?: LocationTemplate | null;
}

/** @param names of the properties that are looked at; null is all */
export function createProjection(members: readonly Member[], names: readonly string[] | null): Projection {
  const [only, ...others] = new Set(names ?? []);
  const isOne = names !== null && only !== undefined && others.length === 0 && isPlainName(only);
  return { members: [...new Set(members)], property: isOne ? only : null };
}

/** JSON, each of a location. */
const COLUMNS: Readonly<Record<Member, string>> = {
  id: 'json_quote(locations.id)',
  externalId: 'json_quote(locations.external_id)',
  name: 'json_quote(locations.name)',
  properties: 'locations.properties',
  // The shortest decimals that are the numbers.
  latitude: 'locations.lat',
  longitude: 'locations.lng',
  createdAt: 'locations.created_at',
  updatedAt: 'coalesce(locations.updated_at, locations.created_at)',
};

/**
 * Candidates as one text: to take a hundred rows into JavaScript costs more than to parse that.
 *
 * @param from of the table `locations`, with what stands behind it. It brings no other columns of the same names
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
    const candidate = unseenAt(number, orderKeys[hit] ?? '', sequences[hit] ?? 0);
    parsed.forEach((member, index) => {
      candidate[member] = tuples[hit]?.[index] as never;
    });
    if (readProperty !== null) candidate.properties = readProperty(texts[hit] ?? '{}');
    candidate.json = jsons[hit] ?? null;
    return candidate;
  });
}

/**
 * No line break stands in JSON as it is stored, in a template's, or in an order key. These are not in the tuples, since
 * V8 keeps a table of all short strings that it parses, and looks each up there.
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
    `${listText('number')} AS numbers`,
    `${listText('sequence')} AS sequences`,
    'group_concat(order_key, char(10)) AS orderKeys',
    ...(hasTuples ? [`${listText('tuple')} AS tuples`] : []),
    ...(hasProperties ? ['CAST(group_concat(properties, char(10)) AS BLOB) AS properties'] : []),
    ...(template === null ? [] : ['CAST(group_concat(json, char(10)) AS BLOB) AS jsons']),
  ];
  return `SELECT ${joined.join(', ')} FROM (SELECT ${read.join(', ')} FROM ${from})`;
}

/** Its values are those of the columns. */
type Tuple = readonly JsonValue[];

/** Of which nothing is seen. All are of one shape, which takes a fraction of copying {@link UNSEEN}. */
export function unseenAt(number: number, orderKey: string, sequence: number): Writable<Candidate> {
  const { id, externalId, name, properties, latitude, longitude, createdAt, updatedAt } = UNSEEN;
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
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
