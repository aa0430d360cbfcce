/** Locations as far as a search looks at them. To read them whole takes several times as long. */

import type { Filtered } from '../../../domain/filter/matcher.ts';
import type { Member } from '../../../domain/filter/members.ts';
import { UNSEEN } from '../../../domain/filter/members.ts';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import type { SortKey } from '../../../domain/sort-key.ts';
import type { SqlRow, SqlValue } from '../driver.ts';
import { PAGE_TEXT } from '../locations-json.ts';
import type { Reader } from '../reader.ts';
import { numberOf, textOf } from '../rows.ts';

/** What is not looked at is as in {@link UNSEEN}. */
export interface Candidate extends Filtered, SortKey {}

/** What a search looks at. */
export interface Look {
  readonly members: readonly Member[];
  /** The one property that is read; null where all are. */
  readonly property: string | null;
}

/** @param names of the properties that are looked at; null is all */
export function createLook(members: readonly Member[], names: readonly string[] | null): Look {
  const [only, ...others] = new Set(names ?? []);
  const isOne = names !== null && only !== undefined && others.length === 0 && isPlainName(only);
  return { members: [...new Set(members)], property: isOne ? only : null };
}

/** Whether a name stands in JSON, and in a path of SQLite's, as it is. */
function isPlainName(name: string): boolean {
  return JSON.stringify(name) === `"${name}"`;
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
 * A list of the value, which is empty where the property is not there. SQLite takes a name for another that goes on with a
 * NUL, so where there is one, all properties are read.
 */
const ONE_PROPERTY = String.raw`iif(instr(locations.properties, '\u0000') > 0, locations.properties,
  concat('[', locations.properties -> ?, ']'))`;

/**
 * Candidates as one text: to take a hundred rows into JavaScript costs more than to parse that.
 *
 * @param from of the table `locations`, with what stands behind it
 */
export function readCandidates(
  reader: Reader,
  { members, property }: Look,
  from: string,
  ...values: readonly SqlValue[]
): readonly Candidate[] {
  const hasPath = property !== null && members.includes('properties');
  const columns = members.map((member) =>
    hasPath && member === 'properties' ? ONE_PROPERTY : COLUMNS[member],
  );
  const parts = ['json_quote(locations.order_key)', 'locations.sequence', ...columns];
  const row = reader.get(
    `SELECT ${PAGE_TEXT} AS json FROM (SELECT concat('[', ${parts.join(`, ',', `)}, ']') AS json FROM ${from})`,
    ...(hasPath ? [`$."${property}"`, ...values] : values),
  );
  const tuples = JSON.parse(textOf(row ?? {}, 'json')) as (readonly [string, number, ...JsonValue[]])[];
  return tuples.map(([orderKey, sequence, ...seen]) => {
    const candidate: Record<string, unknown> = { ...UNSEEN, orderKey, sequence };
    members.forEach((member, index) => {
      candidate[member] = seen[index];
    });
    const { properties } = candidate;
    if (hasPath && Array.isArray(properties)) candidate['properties'] = withOne(property, properties);
    // Its members are those of the tables' columns.
    return candidate as unknown as Candidate;
  });
}

function withOne(name: string, [value]: readonly JsonValue[]): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

/** A row of the index of cells, which holds doubles, and no decimals. */
export function toPointCandidate(row: SqlRow): Candidate {
  return {
    ...UNSEEN,
    orderKey: textOf(row, 'order_key'),
    sequence: numberOf(row, 'sequence'),
    latitude: numberOf(row, 'latitude'),
    longitude: numberOf(row, 'longitude'),
  };
}
