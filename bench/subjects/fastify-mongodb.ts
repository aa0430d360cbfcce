/** Fastify by hand over the official driver: native documents, an index in list order, a projection. */

import { fastify } from 'fastify';
import { MongoClient } from 'mongodb';

import { hashOfBearer } from './bearer.ts';
import { HOST, port, setting } from './settings.ts';
import type { PageQuery } from './v0-page.ts';
import { linkTo, readPageStart, toV0Location } from './v0-page.ts';

interface TokenDocument {
  readonly _id: string;
  readonly ownerId: string;
  readonly mapId: string | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

interface MapDocument {
  readonly _id: string;
  readonly ownerId: string;
  readonly isDeleted: boolean;
}

interface LocationDocument {
  readonly _id: string;
  readonly mapId: string;
  readonly order: string;
  readonly orderKey: string;
  readonly sequence: number;
  readonly name: string;
  readonly placeId: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly properties: object;
}

const PROJECTION = { mapId: 0, createdAt: 0, provider: 0, precision: 0 } as const;

const client = await new MongoClient(setting('DATABASE')).connect();
const database = client.db();
const tokens = database.collection<TokenDocument>('tokens');
const maps = database.collection<MapDocument>('maps');
const locations = database.collection<LocationDocument>('locations');
const app = fastify({ logger: false });

app.get<{ Params: { mapId: string }; Querystring: PageQuery }>(
  '/v0/map/:mapId/locations',
  async (request, reply) => {
    const { mapId } = request.params;
    const hash = hashOfBearer(request.headers.authorization);
    const token = hash === null ? null : await tokens.findOne({ _id: hash });
    const isValid = token?.revokedAt === null && (token.expiresAt === null || token.expiresAt > new Date());
    if (!isValid) return reply.code(401).send({ error: 401, message: 'The token is not valid.' });

    const map = await maps.findOne({ _id: mapId });
    if (map?.ownerId !== token.ownerId || (token.mapId !== null && token.mapId !== mapId))
      return reply.code(400).send({ error: 404, message: 'There is no such map.' });
    if (map.isDeleted) return reply.code(400).send({ error: 410, message: 'The map is deleted.' });

    const start = readPageStart(request.query);
    if (start === null) return reply.code(400).send({ error: 400, message: 'There is no such page.' });
    const { limit, orderKey, sequence } = start;
    const range =
      sequence === 0
        ? { orderKey: { $gte: orderKey } }
        : { $or: [{ orderKey: { $gt: orderKey } }, { orderKey, sequence: { $gt: sequence } }] };
    const found = await locations
      .find({ mapId, ...range }, { projection: PROJECTION, batchSize: limit + 1 })
      .sort({ orderKey: 1, sequence: 1 })
      .limit(limit + 1)
      .toArray();
    const next = found.length > limit ? found.pop() : undefined;
    if (next !== undefined) {
      const baseUrl = `${request.protocol}://${request.host}`;
      void reply.header('link', linkTo(next, found.at(-1)!, baseUrl, mapId, limit));
    }
    const page = found.map((document) =>
      toV0Location({ ...document, id: document._id }, document.properties),
    );
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(page));
  },
);

await app.listen({ host: HOST, port: port() });
