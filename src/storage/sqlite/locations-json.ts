/**
 * Pages as JSON that SQLite writes itself. It gives one row of bytes instead of a hundred rows of columns: to take those
 * into JavaScript costs far more than to find them.
 */

import { JsonText } from '../../domain/json/json-text.ts';
import type { LocationTemplate } from '../../domain/location-template.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { LocationsJson } from '../storage.ts';
import type { Connection } from './connection.ts';
import type { SqlRow } from './driver.ts';
import { queryOf } from './location-sql.ts';
import { pageClauses } from './pages.ts';
import { bytesOf, numberOf, textOf } from './rows.ts';

/** The page of a map that is not there. */
export const NO_LOCATIONS: LocationsJson = {
  json: new JsonText('[]'),
  count: 0,
  first: null,
  last: null,
  next: null,
};

export function listLocationsJson(
  connection: Connection,
  mapNumber: number,
  page: PageRequest<SortKey>,
  template: LocationTemplate,
): LocationsJson {
  const { sql, values } = queryOf(
    template,
    pageClauses(mapNumber, page),
    page.fromEnd ? turnedRound : pageSql,
  );
  const row = connection.get(sql, ...values);
  if (row === undefined) throw new Error('An aggregate without groups has one row.');
  const count = numberOf(row, 'count');
  const ends = count === 0 ? null : endsOf(row);
  return {
    json: new JsonText(bytesOf(row, 'json')),
    count,
    first: ends?.first ?? null,
    last: ends?.last ?? null,
    next: ends === null || count < page.limit ? null : findNext(connection, mapNumber, page, ends),
  };
}

/** An aggregate: a list of all rows' values of a column, which holds JSON. */
export function listText(column: string): string {
  return `concat('[', group_concat(${column}, ','), ']')`;
}

/** The list of the column `json`, as the page's bytes. */
export const PAGE_JSON = `CAST(${listText('json')} AS BLOB) AS json`;

function pageSql(rows: string): string {
  // SQLite's aggregates take the rows of a subquery in the subquery's order.
  return `SELECT ${ENDS}, ${PAGE_JSON} FROM (${rows})`;
}

function turnedRound(rows: string): string {
  return pageSql(`SELECT * FROM (${rows}) ORDER BY order_key, sequence`);
}

/** What {@link endsOf} reads, and how many rows there are. */
export const ENDS = `count(*) AS count, min(order_key) AS first_key, max(order_key) AS last_key,
  group_concat(sequence) AS sequences`;

interface Ends {
  readonly first: SortKey;
  readonly last: SortKey;
}

/** Of ascending rows, of which there is one at least. */
export function endsOf(row: SqlRow): Ends {
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
  mapNumber: number,
  page: PageRequest<SortKey>,
  { first, last }: Ends,
): LocationsJson['next'] {
  const { fromEnd } = page;
  const [after, before] = fromEnd ? [page.after, first] : [last, page.before];
  const { clauses, values } = pageClauses(mapNumber, { limit: 1, fromEnd, after, before });
  const row = connection.get(`SELECT order_key, sequence, position FROM locations ${clauses}`, ...values);
  if (row === undefined) return null;
  return {
    orderKey: textOf(row, 'order_key'),
    sequence: numberOf(row, 'sequence'),
    order: textOf(row, 'position'),
  };
}
