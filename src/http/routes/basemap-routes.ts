/**
 * The operator's basemap file at /basemap.pmtiles, whose tiles the pages read by byte ranges. `send` does not fit: it
 * finds the validators before it opens the file, which may be replaced in between, and takes a weak `If-Range`.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { ServiceError } from '../../errors.ts';
import type { BasemapFile, OpenBasemap } from '../../web/basemap-file/basemap-file.ts';
import { BASEMAP_PATH } from '../../web/tiles.ts';
import type { ByteRange } from '../byte-range.ts';
import { byteRangeOf } from '../byte-range.ts';
import { isNotModified } from '../caching.ts';
import { PAGE_METHODS } from './allowed-methods.ts';

const MEDIA_TYPE = 'application/vnd.pmtiles';
/** A few tiles. */
const CHUNK_BYTES = 128 * 1024;
/** Seconds until a client should retry while the file is not usable. */
const RETRY_AFTER = 60;

/** Pages in a sandboxed frame have an opaque origin. The file is public. */
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

export function basemapRoutes(app: FastifyInstance, { basemap }: { readonly basemap: BasemapFile }): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: BASEMAP_PATH,
    handler: async (request, reply) => {
      reply.headers(ANY_ORIGIN);
      const opened = await basemap.open();
      if (opened === null)
        throw new ServiceError('STORAGE_UNAVAILABLE', 'The basemap file cannot be read at the moment.', {
          retryAfterSeconds: RETRY_AFTER,
        });
      return sendBasemap(request, reply, opened);
    },
  });
  app.options(BASEMAP_PATH, (_request, reply) =>
    reply
      .code(204)
      .headers({
        ...ANY_ORIGIN,
        allow: PAGE_METHODS,
        'access-control-allow-methods': PAGE_METHODS,
        'access-control-allow-headers': 'Range, If-Range, If-None-Match',
      })
      .send(),
  );
}

async function sendBasemap(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenBasemap,
): Promise<FastifyReply> {
  const { handle, size, etag, lastModified } = file;
  reply.headers({
    'accept-ranges': 'bytes',
    'last-modified': lastModified.toUTCString(),
    // nginx would read ahead of the client, up to a gigabyte.
    'x-accel-buffering': 'no',
    // A compressed file would have other ranges.
    'cache-control': 'public, no-cache, no-transform',
    'access-control-expose-headers': 'ETag, Accept-Ranges, Content-Range, Last-Modified, Retry-After',
    'x-content-type-options': 'nosniff',
  });
  const isUnchanged = isNotModified(request, reply, etag);
  const range = isUnchanged ? null : rangeOf(request, file);
  if (isUnchanged || range === 'unsatisfiable' || request.method === 'HEAD' || size === 0) {
    await handle.close();
    if (isUnchanged) return reply.send();
    if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
    return reply.type(MEDIA_TYPE).header('content-length', size).send();
  }
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  return stream(reply, file, range ?? { start: 0, end: size - 1 });
}

/** Only GET has ranges (RFC 9110, 14.2). A date in `If-Range` is not strong: a file may be replaced within a second. */
function rangeOf({ method, headers }: FastifyRequest, { size, etag }: OpenBasemap) {
  const ifRange = headers['if-range'];
  const isOther = ifRange !== undefined && ifRange !== etag;
  return method === 'HEAD' || isOther ? null : byteRangeOf(headers.range, size);
}

/** Fastify ends the stream, which closes the file, when the client is gone. */
function stream(reply: FastifyReply, { handle }: OpenBasemap, { start, end }: ByteRange): FastifyReply {
  const length = end - start + 1;
  const bytes = handle.createReadStream({ start, end, highWaterMark: CHUNK_BYTES });
  // A file that was cut meanwhile: the client would wait for the rest.
  bytes.once('end', () => {
    if (bytes.bytesRead < length) reply.raw.destroy();
  });
  return reply.type(MEDIA_TYPE).header('content-length', length).send(bytes);
}
