/** Scripts and styles of the pages, at /assets/, and the script for pages that embed maps. */

import type { FastifyInstance } from 'fastify';

import { noSuchPath } from '../errors.ts';
import type { PageFile } from '../../web/page-assets.ts';
import { pageFiles } from '../../web/page-assets.ts';
import { EMBED_SCRIPT_PATH, readEmbedScript } from '../../web/embed-script.ts';
import type { StaticFile } from './static-file.ts';
import { createStaticFile, sendFile, sendStaticFile } from './static-file.ts';

/** From the root. */
export const ASSETS_PATH = '/assets/';

const SCRIPT_TYPE = 'text/javascript';
const EMBED_SCRIPT_CACHING = 'public, max-age=3600';
/** A worker uses its own script's policy, not its page's: it may load scripts from and connect to this server. */
const WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";

export function assetRoutes(app: FastifyInstance): void {
  let known: ReadonlyMap<string, PageFile> | undefined;
  const files = new Map<string, StaticFile>();

  /** Loaded on first use. */
  const fileOf = (name: string): StaticFile => {
    known ??= new Map(pageFiles().map((file) => [file.name, file]));
    const file = known.get(name);
    if (file === undefined) throw noSuchPath();
    const made = files.get(name) ?? createStaticFile(name, file.type, file.read(), { hasHash: true });
    files.set(name, made);
    return made;
  };

  app.get<{ Params: { name: string } }>(`${ASSETS_PATH}:name`, (request, reply) => {
    const file = fileOf(request.params.name);
    if (file.type.startsWith(SCRIPT_TYPE)) reply.header('content-security-policy', WORKER_POLICY);
    // In a sandboxed frame, the page's origin is opaque, and its own files are of another origin.
    reply.header('access-control-allow-origin', '*');
    return sendStaticFile(request, reply, file, 'cross-origin');
  });
}

export function embedScriptRoutes(app: FastifyInstance): void {
  let file: StaticFile | undefined;
  app.route({
    // Fastify's own HEAD would send a 304 with content length 0.
    method: ['GET', 'HEAD'],
    url: EMBED_SCRIPT_PATH,
    handler: (request, reply) => {
      file ??= createStaticFile('embed.js', `${SCRIPT_TYPE}; charset=utf-8`, readEmbedScript());
      reply.headers({
        'cache-control': EMBED_SCRIPT_CACHING,
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
      return sendFile(request, reply, file);
    },
  });
}
