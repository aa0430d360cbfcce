/** The pages' scripts and styles, at /assets/. */

import type { FastifyInstance } from 'fastify';

import { ServiceError } from '../../errors.ts';
import type { PageFile } from '../../web/page-assets.ts';
import { pageFiles } from '../../web/page-assets.ts';
import type { StaticFile } from './static-file.ts';
import { createStaticFile, sendStaticFile } from './static-file.ts';

/** From the root. */
export const ASSETS_PATH = '/assets/';

const SCRIPT_TYPE = 'text/javascript';
/** A worker has the policy of its own script, not of its page: it may load and ask what is of this server. */
const WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";

export function assetRoutes(app: FastifyInstance): void {
  let known: ReadonlyMap<string, PageFile> | undefined;
  const files = new Map<string, StaticFile>();

  /** Read at its first use. */
  const fileOf = (name: string): StaticFile => {
    known ??= new Map(pageFiles().map((file) => [file.name, file]));
    const file = known.get(name);
    if (file === undefined) throw new ServiceError('NOT_FOUND', 'There is no such path.');
    const made = files.get(name) ?? createStaticFile(name, file.type, file.read(), { hasHash: true });
    files.set(name, made);
    return made;
  };

  app.get<{ Params: { name: string } }>(`${ASSETS_PATH}:name`, (request, reply) => {
    const file = fileOf(request.params.name);
    if (file.type.startsWith(SCRIPT_TYPE)) reply.header('content-security-policy', WORKER_POLICY);
    return sendStaticFile(request, reply, file);
  });
}
