/**
 * Fastify by hand over our SQLite file: reads, parses the properties, maps, stringifies. With RESPONSE_SCHEMA=1, Fastify's
 * compiled serializer replaces JSON.stringify.
 */

import { fastify } from 'fastify';

import { createOne } from './create-location.ts';
import type { NewLocationBody } from './create-location.ts';
import { PAGE_SCHEMA } from './response-schema.ts';
import { HOST, port, setting } from './settings.ts';
import type { Caller } from './store.ts';
import { openStore } from './store.ts';
import type { PageQuery } from './v0-page.ts';
import { linkTo, readPageStart, toV0Location } from './v0-page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const hasSchema = process.env.RESPONSE_SCHEMA === '1';

const store = openStore(setting('DATABASE'));
const create = createOne(store);
const app = fastify({ logger: false });

app.decorateRequest('caller', null);
app.addHook('onRequest', (request, reply, done) => {
  request.caller = store.authenticate(request.headers.authorization);
  if (request.caller === null) void reply.code(401).send({ error: 401, message: 'The token is not valid.' });
  else done();
});

app.get<{ Params: { mapId: string }; Querystring: PageQuery }>(
  '/v0/map/:mapId/locations',
  { schema: hasSchema ? { response: PAGE_SCHEMA } : {} },
  (request, reply) => {
    const { mapId } = request.params;
    const map = store.findMap(request.caller!, mapId);
    if (map === null) return reply.code(400).send({ error: 404, message: 'There is no such map.' });
    if (map.isDeleted === 1) return reply.code(400).send({ error: 410, message: 'The map is deleted.' });
    const start = readPageStart(request.query);
    if (start === null) return reply.code(400).send({ error: 400, message: 'There is no such page.' });

    const { limit, orderKey, sequence } = start;
    // One more row than the page shows whether there is a next page.
    const rows = store.listPage(map.number, orderKey, sequence, limit + 1);
    const next = rows.length > limit ? rows.pop() : undefined;
    if (next !== undefined) {
      const baseUrl = `${request.protocol}://${request.host}`;
      void reply.header('link', linkTo(next, rows.at(-1)!, baseUrl, mapId, limit));
    }
    const page = rows.map((row) => toV0Location(row, JSON.parse(row.properties)));
    return hasSchema ? reply.send(page) : reply.type(JSON_TYPE).send(JSON.stringify(page));
  },
);

app.post<{ Params: { mapId: string }; Body: NewLocationBody }>(
  '/v0/map/:mapId/location',
  (request, reply) => {
    if (request.caller!.scope !== 'write')
      return reply.code(403).send({ error: 403, message: 'The token is read-only.' });
    const map = store.findMap(request.caller!, request.params.mapId);
    if (map === null) return reply.code(400).send({ error: 404, message: 'There is no such map.' });
    const created = create(map, request.body);
    if ('message' in created) return reply.code(400).send(created);
    return reply
      .type(JSON_TYPE)
      .send(JSON.stringify({ data: toV0Location(created, request.body.fields as object) }));
  },
);

await app.listen({ host: HOST, port: port() });
