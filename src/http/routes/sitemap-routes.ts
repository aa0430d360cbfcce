/** /sitemap.xml lists the pages of published maps for search engines, and /robots.txt names it. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { isMapId } from '../../domain/ids.ts';
import { badUserInput } from '../../errors.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import { readQuery } from '../../rest/query.ts';
import type { PublicMapService } from '../../services/maps/public-maps.ts';
import type { Scope } from '../../services/scope.ts';
import type { SitemapEntry, SitemapPart } from '../../web/sitemap.ts';
import {
  MOST_URLS,
  renderRobots,
  renderSitemap,
  renderSitemapIndex,
  ROBOTS_PATH,
  SITEMAP_PATH,
} from '../../web/sitemap.ts';
import { allowSharedCaching, etagOf, isNotModified } from '../caching.ts';
import { sendPublicError } from '../errors.ts';
import { baseUrlOf, searchOf } from '../request/request-url.ts';
import type { PublicRequests } from './public-requests.ts';
import { admitPublicRequest } from './public-requests.ts';

export interface SitemapOptions extends PublicRequests {
  readonly publicMaps: Pick<PublicMapService, 'listPublished'>;
  readonly publicUrl: string | null;
  /** For tests. */
  readonly mostUrls?: number;
}

/** Maps per read of the store. */
const PAGE = 1_000;
const XML_TYPE = 'application/xml; charset=utf-8';

export function sitemapRoutes(app: FastifyInstance, options: SitemapOptions): void {
  const { publicUrl, requests } = options;
  const reader = new SitemapReader(options.publicMaps, options.mostUrls ?? MOST_URLS);
  app.setErrorHandler(sendPublicError);
  const route = { method: ['GET', 'HEAD'], onRequest: admitPublicRequest(options, 'beginAnonymous') };

  app.route({
    ...route,
    url: SITEMAP_PATH,
    handler: async (request, reply) => {
      const { after } = readQuery(searchOf(request), ['after']);
      if (after !== undefined && after !== '' && !isMapId(after))
        throw badUserInput('after must be the id of a map.');
      const scope = requests.scopeOf(request);
      const baseUrl = baseUrlOf(request, publicUrl);
      const parts = after === undefined ? await reader.parts(scope) : [];
      const text =
        parts.length > 1
          ? renderSitemapIndex(parts, baseUrl)
          : renderSitemap(await reader.part(scope, after ?? ''), baseUrl);
      return send(request, reply, text, XML_TYPE);
    },
  });
  app.route({
    ...route,
    url: ROBOTS_PATH,
    handler: (request, reply) =>
      send(request, reply, renderRobots(baseUrlOf(request, publicUrl)), 'text/plain; charset=utf-8'),
  });
}

function send(request: FastifyRequest, reply: FastifyReply, text: string, type: string): FastifyReply {
  allowSharedCaching(reply);
  if (isNotModified(request, reply, etagOf(text))) return reply.send();
  return reply.type(type).send(text);
}

/** Reads the published maps, one reader at a time, since there may be a million of them. */
class SitemapReader {
  readonly #maps: SitemapOptions['publicMaps'];
  readonly #mostUrls: number;
  readonly #oneAtATime = createKeyedMutex();

  constructor(maps: SitemapOptions['publicMaps'], mostUrls: number) {
    this.#maps = maps;
    this.#mostUrls = mostUrls;
  }

  /** The maps of a file: those whose ids follow `after`. */
  part(scope: Scope, after: string): Promise<readonly SitemapEntry[]> {
    return this.#oneAtATime(['maps'], async () => {
      const found: SitemapEntry[] = [];
      for await (const page of this.#pages(scope, after)) {
        found.push(...page);
        if (found.length >= this.#mostUrls) break;
      }
      return found.slice(0, this.#mostUrls);
    });
  }

  /** Where the files begin. */
  parts(scope: Scope): Promise<readonly SitemapPart[]> {
    return this.#oneAtATime(['maps'], async () => {
      const parts: SitemapPart[] = [];
      let count = 0;
      let last = '';
      for await (const page of this.#pages(scope, '')) {
        for (const { id, changedAt } of page) {
          const before = count % this.#mostUrls === 0 ? undefined : parts.pop();
          parts.push({
            after: before?.after ?? last,
            changedAt: Math.max(changedAt, before?.changedAt ?? 0),
          });
          count += 1;
          last = id;
        }
      }
      return parts;
    });
  }

  async *#pages(scope: Scope, after: string): AsyncGenerator<readonly SitemapEntry[]> {
    for (let last = after; ;) {
      const page = await this.#maps.listPublished(scope, { after: last, limit: PAGE });
      yield page;
      const end = page.at(-1);
      if (end === undefined || page.length < PAGE) return;
      last = end.id;
    }
  }
}
