/** Reads request bodies: JSON in UTF-8, exactly as JSON.parse reads it. */

import { isUtf8 } from 'node:buffer';

import type { FastifyInstance } from 'fastify';

import { badUserInput } from '../errors.ts';
import { unsupportedMediaType } from './failure.ts';

/** True for `application/json` with any parameters. */
export function isJsonType(contentType: string | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

/**
 * Replaces Fastify's parsers, which refuse `__proto__` keys (here any key is data), accept invalid UTF-8, and know more
 * types than the contract allows. A body of another type is UNSUPPORTED_MEDIA_TYPE.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser('*', (_request, _payload, done) => {
    done(unsupportedMediaType());
  });
}

function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw badUserInput('The body is not valid UTF-8.');
  try {
    // A byte order mark is not JSON; JSON.parse refuses it.
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw badUserInput('The body is not valid JSON.');
  }
}
