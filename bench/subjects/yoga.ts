/** GraphQL Yoga on node:http, as in its documentation, with unused features off. */

import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';

import type { GraphQLSchema } from 'graphql';

import { createSchema } from './graphql-schema.ts';
import { HOST, port, setting } from './settings.ts';
import { openStore } from './store.ts';

interface YogaOptions {
  readonly schema: GraphQLSchema;
  readonly context: (initial: { readonly request: Request }) => object;
  readonly graphiql: boolean;
  readonly landingPage: boolean;
  readonly logging: boolean;
  readonly cors: boolean;
  readonly multipart: boolean;
}

const YOGA: string = 'graphql-yoga';
// Hidden from the compiler, because the package's types would add the browser's globals to all our sources.
const { createYoga } = (await import(YOGA)) as {
  createYoga: (options: YogaOptions) => RequestListener;
};

const store = openStore(setting('DATABASE'));
const yoga = createYoga({
  schema: createSchema(),
  context: ({ request }) => ({ store, caller: store.authenticate(request.headers.get('authorization')) }),
  graphiql: false,
  landingPage: false,
  logging: false,
  cors: false,
  multipart: false,
});
createServer(yoga).listen(port(), HOST);
