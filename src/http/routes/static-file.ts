/** Static files. A file never changes under its URL, since its name contains a hash of its content. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { weightOf } from '../request/media-types.ts';
import { addVary, isNotModified } from '../caching.ts';

type Encoding = 'br' | 'gzip' | 'identity';

export interface StaticFile {
  /** `react.js` becomes `react.<12 hex digits>.js`. */
  readonly name: string;
  readonly type: string;
  readonly hash: string;
  /** The encoded content, compressed on first use and cached. */
  body(encoding: Encoding): Promise<Buffer>;
}

const compressors: Record<Encoding, (content: Buffer) => Promise<Buffer>> = {
  // Quality 6 of 11: 10 % larger than the best, in a twentieth of the time.
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (content) => promisify(gzip)(content),
  identity: (content) => Promise.resolve(content),
};

/** @param options.hasHash whether the name contains a hash already; else one is added */
export function createStaticFile(
  name: string,
  type: string,
  content: Buffer,
  { hasHash = false } = {},
): StaticFile {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const bodies = new Map<Encoding, Promise<Buffer>>();
  return {
    name: hasHash ? name : name.replace(/(\.\w+)$/, `.${hash}$1`),
    type,
    hash,
    body(encoding) {
      const body = bodies.get(encoding) ?? compressors[encoding](content);
      bodies.set(encoding, body);
      return body;
    },
  };
}

/** Sends a file whose URL contains its hash. @param readers whose pages may load it */
export function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  readers: 'same-origin' | 'cross-origin' = 'same-origin',
): Promise<FastifyReply> {
  reply.headers({
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': readers,
  });
  return sendFile(request, reply, file);
}

/** Sends a file with an ETag. The caller sets its cache policy. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
): Promise<FastifyReply> {
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  // Each encoding is a separate representation with its own tag.
  const etag = `"${file.hash}-${encoding}"`;
  addVary(reply, 'Accept-Encoding');
  reply.header('x-content-type-options', 'nosniff');
  if (isNotModified(request, reply, etag)) return reply.send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(file.type).send(await file.body(encoding));
}

function chooseEncoding(header: string | undefined): Encoding {
  const accepted = (['br', 'gzip'] as const).find((name) => (weightOf(header, name, '*') ?? 0) > 0);
  return accepted ?? 'identity';
}
