/**
 * Fastify by hand over a plain table and the indexes of indexes-by-hand.ts: the first 100 locations, in list order, in a
 * box or a circle, with a word, with a value, or unchecked. It accepts our GraphQL request and reads only its variables. It ignores
 * the poles and the antimeridian, which no request reaches.
 */

import { DatabaseSync } from '@photostructure/sqlite';
import { fastify } from 'fastify';

import { HOST, port, setting } from './settings.ts';
import type { PageRow } from './store.ts';
import { openStore } from './store.ts';
import { toV0Location } from './v0-page.ts';

interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  /** Metres. */
  readonly radius: number;
}

/** One of them is given. */
interface Filter {
  readonly bbox?: Box;
  readonly near?: Circle;
  readonly search?: string;
  readonly property?: { readonly name: string; readonly eq: string };
  readonly geocoding?: { readonly isChecked: boolean };
}

interface Body {
  readonly variables: { readonly id: string; readonly filter: Filter; readonly afterNumber?: number };
}

type SearchRow = Omit<PageRow, 'order' | 'orderKey' | 'sequence'>;

const PAGE_SIZE = 100;
const EARTH_RADIUS = 6_371_008.8;
const RADIANS = Math.PI / 180;
const WORD = /[\p{L}\p{N}]+/gu;

const store = openStore(setting('DATABASE'));
const indexed = new DatabaseSync(setting('INDEXED'), { readOnly: true });

/** `number` is the position in the list. SQLite sorts the result of IN by it, and stops at the limit. */
const searchWhere = (condition: string) =>
  indexed.prepare(
    `SELECT id, name, place_id AS placeId, latitude, longitude, properties FROM locations
     WHERE ${condition} ORDER BY number LIMIT ${PAGE_SIZE + 1}`,
  );
const TOUCHES_BOX = `number IN
  (SELECT number FROM by_point WHERE north >= :south AND south <= :north AND east >= :west AND west <= :east)`;
// The R*Tree rounds its 32-bit coordinates outwards, so the exact ones are checked too.
const inBox = searchWhere(
  `${TOUCHES_BOX} AND latitude BETWEEN :south AND :north AND longitude BETWEEN :west AND :east`,
);
// The haversine formula.
const inCircle = searchWhere(
  `${TOUCHES_BOX} AND 2 * ${EARTH_RADIUS} * asin(min(1, sqrt(
     pow(sin(radians(latitude - :latitude) / 2), 2) + cos(radians(:latitude)) * cos(radians(latitude)) *
     pow(sin(radians(longitude - :longitude) / 2), 2)))) <= :radius`,
);
const withWords = searchWhere('number IN (SELECT rowid FROM by_word WHERE by_word MATCH ?)');
const withValue = searchWhere('number IN (SELECT number FROM by_field WHERE name = ? AND value = ?)');
const byChecked = searchWhere('is_checked = ? AND number > ?');

function boxAround({ latitude, longitude, radius }: Circle): Box {
  const angle = radius / EARTH_RADIUS;
  const height = angle / RADIANS;
  const width = Math.asin(Math.sin(angle) / Math.cos(latitude * RADIANS)) / RADIANS;
  return {
    south: latitude - height,
    west: longitude - width,
    north: latitude + height,
    east: longitude + width,
  };
}

/** All words, each as a prefix. */
function matchOf(search: string): string {
  return (search.match(WORD) ?? []).map((word) => `"${word}"*`).join(' ');
}

/** @returns the page and one more row if there is a next page; null for a filter that is not supported */
function find({ bbox, near, search, property, geocoding }: Filter, afterNumber: number): SearchRow[] | null {
  const rows = () => {
    if (bbox) return inBox.all({ ...bbox });
    if (near) return inCircle.all({ ...boxAround(near), ...near });
    if (search) return withWords.all(matchOf(search));
    if (property) return withValue.all(property.name, property.eq);
    if (geocoding) return byChecked.all(Number(geocoding.isChecked), afterNumber);
    return null;
  };
  return rows() as SearchRow[] | null;
}

const app = fastify({ logger: false });
// Statements do not keep their connection alive: unreferenced, it would be garbage-collected.
app.addHook('onClose', () => indexed.close());

app.post<{ Body: Body }>('/graphql', (request, reply) => {
  const caller = store.authenticate(request.headers.authorization);
  if (caller === null) return reply.code(401).send({ error: 401, message: 'The token is not valid.' });
  const { id, filter, afterNumber = 0 } = request.body.variables;
  const map = store.findMap(caller, id);
  if (map === null) return reply.code(404).send({ error: 404, message: 'There is no such map.' });
  if (map.isDeleted === 1) return reply.code(410).send({ error: 410, message: 'The map is deleted.' });
  const rows = find(filter, afterNumber);
  if (rows === null) return reply.code(400).send({ error: 400, message: 'The filter is not supported.' });
  const hasNextPage = rows.length > PAGE_SIZE;
  const nodes = rows.slice(0, PAGE_SIZE).map((row) => toV0Location(row, JSON.parse(row.properties)));
  const response = { data: { map: { locations: { nodes, pageInfo: { hasNextPage } } } } };
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(response));
});

await app.listen({ host: HOST, port: port() });
