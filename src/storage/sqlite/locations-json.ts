/**
 * Pages as JSON that SQLite writes itself. It gives one row of bytes instead of a hundred rows of columns: to take those
 * into JavaScript costs far more than to find them.
 */

import { JsonText } from '../../domain/json-text.ts';
import type { LocationTemplate, LocationValue } from '../../domain/location-template.ts';
import { frameOf, joinTexts } from '../../domain/location-template.ts';
import type { PageRequest } from '../../domain/paging.ts';
import type { SortKey } from '../../domain/sort-key.ts';
import type { LocationsJson } from '../storage.ts';
import type { Connection } from './connection.ts';
import type { SqlRow } from './driver.ts';
import { pageClauses } from './pages.ts';
import { bytesOf, numberOf, textOf } from './rows.ts';

/** A piece of text, or an expression. */
type Piece = { readonly text: string } | { readonly sql: string };

const QUOTE: Piece = { text: '"' };

/** The values as JSON.stringify would write them. */
const PIECES: Readonly<Record<LocationValue, readonly Piece[]>> = {
  id: [QUOTE, { sql: 'id' }, QUOTE],
  name: [{ sql: 'json_quote(name)' }],
  placeId: [{ sql: 'json_quote(place_id)' }],
  lat: [QUOTE, { sql: 'lat' }, QUOTE],
  lng: [QUOTE, { sql: 'lng' }, QUOTE],
  latitude: [{ sql: 'lat' }],
  longitude: [{ sql: 'lng' }],
  properties: [{ sql: 'properties' }],
  order: [{ sql: 'json_quote(position)' }],
  // SQL's NULL becomes JSON's.
  externalId: [{ sql: 'json_quote(external_id)' }],
  version: [{ sql: 'version' }],
  createdAt: timePieces('created_at'),
  updatedAt: timePieces('coalesce(updated_at, created_at)'),
  provider: [{ sql: 'json_quote(provider)' }],
  precision: [{ sql: 'json_quote("precision")' }],
};

/** @param milliseconds an expression */
function timePieces(milliseconds: string): readonly Piece[] {
  return [
    { sql: `strftime('"%Y-%m-%dT%H:%M:%S', ${milliseconds} / 1000, 'unixepoch')` },
    { sql: `printf('.%03dZ"', ${milliseconds} % 1000)` },
  ];
}

/** The page of a map that is not there. */
export function noLocations(template: LocationTemplate): LocationsJson {
  const [before, , after] = frameOf(template);
  return { json: new JsonText(before + after), count: 0, first: null, last: null, next: null };
}

export function listLocationsJson(
  connection: Connection,
  mapNumber: number,
  page: PageRequest<SortKey>,
  template: LocationTemplate,
): LocationsJson {
  const { clauses, values } = pageClauses(mapNumber, page);
  const row = connection.get(pageSql(template, clauses, page.fromEnd), ...values);
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

/** By template, then clauses. There are few of both, so the text is not made for each page. */
const pageSqls = new WeakMap<LocationTemplate, Map<string, string>>();

function pageSql(template: LocationTemplate, clauses: string, fromEnd: boolean): string {
  const known = pageSqls.get(template) ?? new Map<string, string>();
  pageSqls.set(template, known);
  const sql = known.get(clauses) ?? makePageSql(template, clauses, fromEnd);
  known.set(clauses, sql);
  return sql;
}

function makePageSql(template: LocationTemplate, clauses: string, fromEnd: boolean): string {
  const rows = `SELECT order_key, sequence, ${locationJson(template)} AS json FROM locations ${clauses}`;
  // SQLite's aggregates take the rows of a subquery in the subquery's order.
  const ascending = fromEnd ? `SELECT * FROM (${rows}) ORDER BY order_key, sequence` : rows;
  return `SELECT count(*) AS count, min(order_key) AS first_key, max(order_key) AS last_key,
       group_concat(sequence) AS sequences, ${pageJson(template)} AS json
     FROM (${ascending})`;
}

/** An aggregate of the column `json` of all rows: the page's bytes. */
export function pageJson(template: LocationTemplate): string {
  const [before, between, after] = frameOf(template).map(literal);
  return `CAST(concat(${before}, group_concat(json, ${between}), ${after}) AS BLOB)`;
}

/** An expression: a location's JSON. */
export function locationJson({ parts }: LocationTemplate): string {
  const pieces = joinTexts(
    parts.flatMap((part): readonly Piece[] => ('text' in part ? [part] : PIECES[part.value])),
  );
  return concat(pieces.map((piece) => ('sql' in piece ? piece.sql : literal(piece.text))));
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** SQLite's functions take at most 127 arguments, unless it was built otherwise. */
const MAX_ARGUMENTS = 100;

/** Copies each piece once. The operator `||` would copy everything before it each time. */
function concat(pieces: readonly string[]): string {
  if (pieces.length <= MAX_ARGUMENTS) return `concat(${pieces.join(', ')})`;
  return `concat(${concat(pieces.slice(0, MAX_ARGUMENTS - 1))}, ${concat(pieces.slice(MAX_ARGUMENTS - 1))})`;
}

interface Ends {
  readonly first: SortKey;
  readonly last: SortKey;
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
