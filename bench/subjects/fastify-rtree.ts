/**
 * Fastify by hand over an R*Tree: what is in a box, joined by row, parsed, mapped, stringified. It takes the POST of
 * GraphQL and looks at the variables alone.
 */

import { DatabaseSync } from '@photostructure/sqlite';
import { fastify } from 'fastify';

import { HOST, port, setting } from './settings.ts';
import type { PlaceRow } from './store.ts';
import { openStore } from './store.ts';
import { toV0Location } from './v0-page.ts';

interface Body {
  readonly variables: {
    readonly id: string;
    readonly filter: {
      readonly bbox: {
        readonly south: number;
        readonly west: number;
        readonly north: number;
        readonly east: number;
      };
    };
  };
}

type BoxRow = Omit<PlaceRow, 'order' | 'orderKey' | 'sequence'>;

const PAGE_SIZE = 100;

const store = openStore(setting('DATABASE'));
const boxes = new DatabaseSync(setting('RTREE'), { readOnly: true });
// The tree holds floats of 32 bits, rounded outwards: the table has the last word.
const within = boxes.prepare(
  `SELECT id, name, place_id AS placeId, latitude, longitude, properties FROM boxes JOIN places USING (number)
   WHERE north >= :south AND south <= :north AND east >= :west AND west <= :east
     AND latitude BETWEEN :south AND :north AND longitude BETWEEN :west AND :east
   ORDER BY number LIMIT ${PAGE_SIZE + 1}`,
);
const app = fastify({ logger: false });
// Statements do not keep their connection: without a reference to it, it would be collected.
app.addHook('onClose', () => boxes.close());

app.post<{ Body: Body }>('/graphql', (request, reply) => {
  const caller = store.authenticate(request.headers.authorization);
  if (caller === null) return reply.code(401).send({ error: 401, message: 'The token is not valid.' });
  const { id, filter } = request.body.variables;
  const map = store.findMap(caller, id);
  if (map === null) return reply.code(404).send({ error: 404, message: 'There is no such map.' });
  if (map.isDeleted === 1) return reply.code(410).send({ error: 410, message: 'The map is deleted.' });
  const { south, west, north, east } = filter.bbox;
  const rows = within.all({ south, west, north, east }) as unknown as BoxRow[];
  const hasNextPage = rows.length > PAGE_SIZE;
  const nodes = rows.slice(0, PAGE_SIZE).map((row) => toV0Location(row, JSON.parse(row.properties)));
  const response = { data: { map: { locations: { nodes, pageInfo: { hasNextPage } } } } };
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(response));
});

await app.listen({ host: HOST, port: port() });
