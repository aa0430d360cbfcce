/**
 * Pages as JSON that SQLite writes itself: one row of bytes in the place of a hundred rows of columns, which cost far
 * more on their way into JavaScript than the walk over the tree that finds them.
 */

import { JsonText } from '../../domain/json-text.ts';
import type { LocationTemplate, LocationValue } from '../../domain/location-template.ts';
import type { PageRequest } from '../../domain/paging.ts';
import type { Position } from '../../domain/position.ts';
import type { LocationsJson } from '../storage.ts';
import type { Connection } from './connection.ts';
import type { SqlRow } from './driver.ts';
import { pageClauses } from './pages.ts';
import { bytesOf, numberOf, textOf } from './rows.ts';

/** Each as the JSON that JSON.stringify would write. */
const SQL: Readonly<Record<LocationValue, string>> = {
  id: `'"' || id || '"'`,
  name: 'json_quote(name)',
  placeId: 'json_quote(place_id)',
  lat: `'"' || lat || '"'`,
  lng: `'"' || lng || '"'`,
  latitude: 'lat',
  longitude: 'lng',
  properties: 'properties',
  order: 'json_quote(position)',
  createdAt: `strftime('"%Y-%m-%dT%H:%M:%S', created_at / 1000, 'unixepoch') || printf('.%03dZ"', created_at % 1000)`,
  provider: 'json_quote(provider)',
  precision: 'json_quote("precision")',
};

export function listLocationsJson(
  connection: Connection,
  mapId: string,
  page: PageRequest<Position>,
  template: LocationTemplate,
): LocationsJson {
  const { clauses, values } = pageClauses(mapId, page);
  const rows = `SELECT order_key, sequence, ${locationSql(template)} AS json FROM locations ${clauses}`;
  // An aggregate takes the rows of a sorted subquery as they come.
  const ascending = page.fromEnd ? `SELECT * FROM (${rows}) ORDER BY order_key, sequence` : rows;
  const row = connection.get(
    `SELECT count(*) AS count, min(order_key) AS first_key, max(order_key) AS last_key,
       group_concat(sequence) AS sequences, CAST('[' || coalesce(group_concat(json), '') || ']' AS BLOB) AS json
     FROM (${ascending})`,
    ...values,
  );
  if (row === undefined) throw new Error('An aggregate without groups has one row.');
  const count = numberOf(row, 'count');
  const ends = count === 0 ? null : endsOf(row);
  return {
    json: new JsonText(bytesOf(row, 'json')),
    count,
    first: ends?.first ?? null,
    last: ends?.last ?? null,
    next: ends === null || count < page.limit ? null : findNext(connection, mapId, page, ends),
  };
}

function locationSql({ parts }: LocationTemplate): string {
  return parts
    .map((part) => ('text' in part ? `'${part.text.replaceAll("'", "''")}'` : SQL[part.value]))
    .join(' || ');
}

interface Ends {
  readonly first: Position;
  readonly last: Position;
}

function endsOf(row: SqlRow): Ends {
  const sequences = textOf(row, 'sequences');
  return {
    first: {
      orderKey: textOf(row, 'first_key'),
      sequence: Number.parseInt(sequences, 10),
    },
    last: {
      orderKey: textOf(row, 'last_key'),
      sequence: Number(sequences.slice(sequences.lastIndexOf(',') + 1)),
    },
  };
}

function findNext(
  connection: Connection,
  mapId: string,
  page: PageRequest<Position>,
  { first, last }: Ends,
): LocationsJson['next'] {
  const beyond = page.fromEnd ? { ...page, before: first } : { ...page, after: last };
  const { clauses, values } = pageClauses(mapId, { ...beyond, limit: 1 });
  const row = connection.get(`SELECT order_key, sequence, position FROM locations ${clauses}`, ...values);
  if (row === undefined) return null;
  return {
    orderKey: textOf(row, 'order_key'),
    sequence: numberOf(row, 'sequence'),
    order: textOf(row, 'position'),
  };
}
