/** Locations as far as a search looks at them. To read them whole takes several times as long. */

import type { Filtered } from '../../../domain/filter/matcher.ts';
import type { Member } from '../../../domain/filter/members.ts';
import { UNSEEN } from '../../../domain/filter/members.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { SortKey } from '../../../domain/sort-key.ts';
import type { SqlRow } from '../driver.ts';
import { numberOf, textOf, textOrNull } from '../rows.ts';

/** What is not looked at is as in {@link UNSEEN}. */
export interface Candidate extends Filtered, SortKey {}

const COLUMNS: Readonly<Record<Member, string>> = {
  id: 'locations.id',
  externalId: 'locations.external_id',
  name: 'locations.name',
  properties: 'locations.properties',
  latitude: 'locations.latitude',
  longitude: 'locations.longitude',
  createdAt: 'locations.created_at',
  updatedAt: 'coalesce(locations.updated_at, locations.created_at) AS updated_at',
};

/** Columns of `locations` that {@link toCandidate} reads. */
export function candidateColumns(members: Iterable<Member>): string {
  const columns = [...new Set(members)].map((member) => COLUMNS[member]);
  return ['locations.order_key', 'locations.sequence', ...columns].join(', ');
}

export function toCandidate(row: SqlRow): Candidate {
  return {
    orderKey: textOf(row, 'order_key'),
    sequence: numberOf(row, 'sequence'),
    id: 'id' in row ? textOf(row, 'id') : UNSEEN.id,
    externalId: 'external_id' in row ? textOrNull(row, 'external_id') : UNSEEN.externalId,
    name: 'name' in row ? textOf(row, 'name') : UNSEEN.name,
    properties:
      'properties' in row ? (JSON.parse(textOf(row, 'properties')) as JsonObject) : UNSEEN.properties,
    latitude: 'latitude' in row ? numberOf(row, 'latitude') : UNSEEN.latitude,
    longitude: 'longitude' in row ? numberOf(row, 'longitude') : UNSEEN.longitude,
    createdAt: 'created_at' in row ? numberOf(row, 'created_at') : UNSEEN.createdAt,
    updatedAt: 'updated_at' in row ? numberOf(row, 'updated_at') : UNSEEN.updatedAt,
  };
}
