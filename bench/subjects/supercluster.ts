/**
 * supercluster behind Fastify: `GET /clusters?west=…&south=…&east=…&north=…&zoom=…`. It builds its index in memory before it
 * listens. Its clusters are as wide as our cells, a quarter of a tile.
 */

import { fastify } from 'fastify';
import Supercluster from 'supercluster';

import { HOST, port, setting } from './settings.ts';
import { openStore } from './store.ts';

interface Query {
  readonly west: string;
  readonly south: string;
  readonly east: string;
  readonly north: string;
  readonly zoom: string;
}

const store = openStore(setting('DATABASE'));
const mapId = setting('MAP');
const index = new Supercluster({ radius: 64, extent: 256 }).load(
  store.listPoints(mapId).map(({ id, name, longitude, latitude }) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties: { id, name },
  })),
);
const app = fastify({ logger: false });

app.get<{ Querystring: Query }>('/clusters', (request, reply) => {
  const caller = store.authenticate(request.headers.authorization);
  if (caller === null) return reply.code(401).send({ error: 401, message: 'The token is not valid.' });
  if (store.findMap(caller, mapId) === null)
    return reply.code(404).send({ error: 404, message: 'There is no such map.' });
  const { west, south, east, north, zoom } = request.query;
  const clusters = index.getClusters(
    [Number(west), Number(south), Number(east), Number(north)],
    Number(zoom),
  );
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(clusters));
});

await app.listen({ host: HOST, port: port() });
