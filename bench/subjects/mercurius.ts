/** Mercurius on Fastify, with its JIT after the first execution. */

import { fastify } from 'fastify';
import mercurius from 'mercurius';

import { createSchema } from './graphql-schema.ts';
import { HOST, port, setting } from './settings.ts';
import { openStore } from './store.ts';

const store = openStore(setting('DATABASE'));
const app = fastify({ logger: false });
await app.register(mercurius, {
  schema: createSchema(),
  jit: 1,
  graphiql: false,
  context: (request) => ({ store, caller: store.authenticate(request.headers.authorization) }),
});
await app.listen({ host: HOST, port: port() });
