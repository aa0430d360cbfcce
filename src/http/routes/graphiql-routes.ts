/** GraphiQL at /graphiql, without requests to other hosts. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noSuchPath } from '../errors.ts';
import { HTML_TYPE, prefersHtml } from '../request/media-types.ts';
import type { ExampleQuery } from '../../web/example-queries.ts';
import { GRAPHIQL_ASSETS, readGraphiqlAsset } from '../../web/graphiql-assets.ts';
import type { GraphiqlAssetName } from '../../web/graphiql-assets.ts';
import { graphiqlPageHeaders, renderGraphiqlPage } from '../../web/graphiql-page.ts';
import type { PageLink } from '../../web/pages.ts';
import { baseOf } from '../request/request-url.ts';
import { createStaticFile, sendStaticFile } from './static-file.ts';
import type { StaticFile } from './static-file.ts';

export interface GraphiqlOptions {
  /** Path of the GraphQL endpoint: `/graphql`. */
  readonly graphqlPath: string;
  /** One per tab. */
  readonly examples: readonly ExampleQuery[];
  /** Whether the schema has `viewer`; true by default. */
  readonly hasViewer?: boolean;
  /** All served pages; none by default. */
  readonly pages?: readonly PageLink[];
}

const ASSETS_PATH = '/graphiql/assets/';

/** Registers the page and its files. Fastify adds HEAD to GET. */
export function graphiqlRoutes(app: FastifyInstance, options: GraphiqlOptions): void {
  const byName = new Map([...files().values()].map((file) => [file.name, file]));
  for (const url of ['/graphiql', '/graphiql/']) {
    // With ignoreTrailingSlash the second route exists already. (Fastify returns null for a missing route, whatever
    // its types say.)
    const existing: unknown = app.findRoute({ method: 'GET', url });
    if (existing !== null) continue;
    app.get(url, (request, reply) => sendGraphiqlPage(request, reply, options));
  }
  app.get<{ Params: { name: string } }>(`${ASSETS_PATH}:name`, (request, reply) => {
    const file = byName.get(request.params.name);
    if (file === undefined) throw noSuchPath();
    return sendStaticFile(request, reply, file);
  });
}

/** Whether a GET of the GraphQL endpoint comes from a person with a browser: it has no query and prefers HTML. */
export function wantsGraphiql(request: FastifyRequest): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !request.url.includes('?') &&
    prefersHtml(request.headers.accept)
  );
}

/** Sends the page, whichever path was requested. */
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
  // The same URL may return data to a program.
  return reply.headers(graphiqlPageHeaders(nonce)).header('vary', 'Accept').type(HTML_TYPE).send(html);
}

let loaded: ReadonlyMap<GraphiqlAssetName, StaticFile> | undefined;

/** Read and hashed once, on first use. */
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
