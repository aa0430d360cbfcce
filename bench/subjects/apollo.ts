/** Stock Apollo Server on Fastify. */

import { ApolloServer } from '@apollo/server';
import fastifyApollo from '@as-integrations/fastify';
import { fastify } from 'fastify';

import type { Context } from './graphql-schema.ts';
import { createSchema } from './graphql-schema.ts';
import { HOST, port, setting } from './settings.ts';
import { openStore } from './store.ts';

const store = openStore(setting('DATABASE'));
const apollo = new ApolloServer<Context>({ schema: createSchema() });
await apollo.start();
const app = fastify({ logger: false });
await app.register(fastifyApollo(apollo), {
  context: async (request) => ({ store, caller: store.authenticate(request.headers.authorization) }),
});
await app.listen({ host: HOST, port: port() });
