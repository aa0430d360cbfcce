/** GraphiQL at /graphiql, with no request to any other host. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.ts';
import { prefersHtml } from '../request/accept.ts';
import type { ExampleQuery } from '../../web/example-queries.ts';
import { GRAPHIQL_ASSETS, readGraphiqlAsset } from '../../web/graphiql-assets.ts';
import type { GraphiqlAssetName } from '../../web/graphiql-assets.ts';
import { graphiqlPageHeaders, renderGraphiqlPage } from '../../web/graphiql-page.ts';
import type { PageLink } from '../../web/pages.ts';
import { baseOf } from '../request/request-url.ts';
import { createStaticFile, sendStaticFile } from './static-file.ts';
import type { StaticFile } from './static-file.ts';

export interface GraphiqlOptions {
  /** Path of the GraphQL endpoint, from the root: `/graphql`. */
  readonly graphqlPath: string;
  /** One for each tab. */
  readonly examples: readonly ExampleQuery[];
  /** Whether `viewer` says whose a token is; true by default. */
  readonly hasViewer?: boolean;
  /** All that are served; none by default. */
  readonly pages?: readonly PageLink[];
}

const ASSETS_PATH = '/graphiql/assets/';

/** Registers the page and its files; HEAD comes with Fastify's GET. */
export function graphiqlRoutes(app: FastifyInstance, options: GraphiqlOptions): void {
  const byName = new Map([...files().values()].map((file) => [file.name, file]));
  for (const url of ['/graphiql', '/graphiql/']) {
    // When the server ignores a trailing slash, the second route exists already. (Fastify returns null for a route that
    // is missing, whatever its types say.)
    const there: unknown = app.findRoute({ method: 'GET', url });
    if (there !== null) continue;
    app.get(url, (request, reply) => sendGraphiqlPage(request, reply, options));
  }
  app.get<{ Params: { name: string } }>(`${ASSETS_PATH}:name`, (request, reply) => {
    const file = byName.get(request.params.name);
    if (file === undefined) throw new ServiceError('NOT_FOUND', 'There is no such path.');
    return sendStaticFile(request, reply, file);
  });
}

/** True when a GET of the GraphQL endpoint comes from a person with a browser: it has no query and prefers HTML. */
export function wantsGraphiql(request: FastifyRequest): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !request.url.includes('?') &&
    prefersHtml(request.headers.accept)
  );
}

/** Answers with the page, whichever path was asked for. */
export function sendGraphiqlPage(
  request: FastifyRequest,
  reply: FastifyReply,
  options: GraphiqlOptions,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64url');
  const html = renderGraphiqlPage({
    ...options,
    base: baseOf(request),
    nonce,
    pathOf: (asset) => ASSETS_PATH + fileOf(asset).name,
  });
  // The same address may answer a program with data.
  return reply
    .headers(graphiqlPageHeaders(nonce))
    .header('vary', 'Accept')
    .type('text/html; charset=utf-8')
    .send(html);
}

let loaded: ReadonlyMap<GraphiqlAssetName, StaticFile> | undefined;

/** Read and hashed once, and only in a process that serves them. */
function files(): ReadonlyMap<GraphiqlAssetName, StaticFile> {
  loaded ??= new Map(
    GRAPHIQL_ASSETS.map((asset) => [
      asset.name,
      createStaticFile(asset.name, asset.type, readGraphiqlAsset(asset)),
    ]),
  );
  return loaded;
}

function fileOf(name: GraphiqlAssetName): StaticFile {
  const file = files().get(name);
  if (file === undefined) throw new Error(`no such file of GraphiQL: ${name}`);
  return file;
}
