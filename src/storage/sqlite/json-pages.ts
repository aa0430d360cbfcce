/** Locations as JSON in SQL, as their template says. */

import type { LocationTemplate, LocationValue } from '../../domain/location-template.ts';
import { joinTexts } from '../../domain/location-template.ts';
import type { SqlValue } from './engine/driver.ts';
import type { PageClauses } from './pages.ts';

/** A piece of text, or an expression. */
type Piece = { readonly text: string } | { readonly sql: string };

const QUOTE: Piece = { text: '"' };

/** Milliseconds. */
const TIMES = { createdAt: 'created_at', updatedAt: 'coalesce(updated_at, created_at)' };

/** The values as JSON.stringify would write them. */
const PIECES: Readonly<Record<Exclude<LocationValue, keyof typeof TIMES>, readonly Piece[]>> = {
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
  provider: [{ sql: 'json_quote(provider)' }],
  precision: [{ sql: 'json_quote("precision")' }],
};

/**
 * Most locations of a page were imported at one time, and not changed since. To write that time once for all of them takes a
 * quarter of the time off an export (2.3 to 1.7 µs for a location).
 *
 * @param milliseconds an expression
 */
function knownTime(milliseconds: string): string {
  return `iif(${milliseconds} = (SELECT ms FROM known), (SELECT text FROM known), ${time(milliseconds)})`;
}

function time(milliseconds: string): string {
  return `concat(strftime('"%FT%T.', ${milliseconds} / 1000, 'unixepoch'), substr(1000 + ${milliseconds} % 1000, 2), 'Z"')`;
}

export interface Query {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * A query over the locations of a page.
 *
 * @param of makes it of a SELECT of `order_key`, `sequence` and the location's `json`. Where template and clauses are the
 *   same, it is the same function
 */
export function queryOf(
  template: LocationTemplate,
  { clauses, values }: PageClauses,
  of: (rows: string) => string,
): Query {
  const known = knownSqls.get(template) ?? new Map<string, string>();
  knownSqls.set(template, known);
  const sql = known.get(clauses) ?? of(rowsSql(template, clauses));
  known.set(clauses, sql);
  return { sql, values: hasTimes(template) ? [...values.with(-1, 1), ...values] : values };
}

/** By template, then clauses. There are few of both, so the text is not made for each page. */
const knownSqls = new WeakMap<LocationTemplate, Map<string, string>>();

function rowsSql(template: LocationTemplate, clauses: string): string {
  const known = `WITH known AS MATERIALIZED (
    SELECT created_at AS ms, ${time('created_at')} AS text FROM locations ${clauses})`;
  return `${hasTimes(template) ? known : ''}
    SELECT order_key, sequence, ${jsonWith(template, knownTime)} AS json FROM locations ${clauses}`;
}

function hasTimes({ parts }: LocationTemplate): boolean {
  return parts.some((part) => 'value' in part && part.value in TIMES);
}

/** There are few templates, so the text is not made for each page. */
const knownJsons = new WeakMap<LocationTemplate, string>();

/** An expression: a location's JSON. */
export function locationJson(template: LocationTemplate): string {
  const known = knownJsons.get(template) ?? jsonWith(template, time);
  knownJsons.set(template, known);
  return known;
}

function jsonWith({ parts }: LocationTemplate, timeOf: (milliseconds: string) => string): string {
  const piecesOf = (value: LocationValue): readonly Piece[] =>
    value === 'createdAt' || value === 'updatedAt' ? [{ sql: timeOf(TIMES[value]) }] : PIECES[value];
  const pieces = joinTexts(
    parts.flatMap((part): readonly Piece[] => ('text' in part ? [part] : piecesOf(part.value))),
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
