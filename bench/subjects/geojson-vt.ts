/**
 * geojson-vt behind Fastify: `GET /maps/{id}/tiles/{z}/{x}/{y}.mvt`, encoded for each request. It builds its index in memory
 * before it listens.
 */

import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { fastify } from 'fastify';
import GeoJsonVt from 'geojson-vt';

import { HOST, port, setting } from './settings.ts';
import { openStore } from './store.ts';

interface Params {
  readonly map: string;
  readonly z: string;
  readonly x: string;
  readonly y: string;
}

interface PointRow {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly properties: string;
}

const store = openStore(setting('DATABASE'));
const mapId = setting('MAP');
const points = store.database
  .prepare(
    `SELECT id, name, latitude, longitude, properties FROM locations
     WHERE map_number = (SELECT number FROM maps WHERE id = ?)`,
  )
  .iterate(mapId) as unknown as Iterable<PointRow>;
const features = Array.from(points, ({ id, name, longitude, latitude, properties }) => ({
  type: 'Feature' as const,
  geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  properties: { id, name, ...(JSON.parse(properties) as object) },
}));
const index = new GeoJsonVt(
  { type: 'FeatureCollection', features },
  { maxZoom: 14, extent: 4096, buffer: 0 },
);
const app = fastify({ logger: false });

app.get<{ Params: Params }>('/maps/:map/tiles/:z/:x/:y.mvt', (request, reply) => {
  const caller = store.authenticate(request.headers.authorization);
  if (caller === null) return reply.code(401).send({ error: 401, message: 'The token is not valid.' });
  const { map, z, x, y } = request.params;
  if (store.findMap(caller, map) === null)
    return reply.code(404).send({ error: 404, message: 'There is no such map.' });
  const tile = index.getTile(Number(z), Number(x), Number(y));
  if (tile === null) return reply.code(204).send();
  const bytes = fromGeojsonVt({ locations: tile }, { version: 2, extent: 4096 });
  return reply.type('application/vnd.mapbox-vector-tile').send(Buffer.from(bytes));
});

await app.listen({ host: HOST, port: port() });
