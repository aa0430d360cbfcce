/** Reads request bodies: JSON in UTF-8, as JSON.parse reads it, without the integers that it would round. */

import { isUtf8 } from 'node:buffer';

import type { FastifyInstance } from 'fastify';

import { findUnsafeInteger, unsafeIntegerMessage } from '../../domain/json/json-integers.ts';
import { badUserInput, BodyInputError } from '../../errors.ts';
import { unsupportedMediaType } from '../failure.ts';

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

/** Of UTF-16, little-endian (and UTF-32, which begins with the same bytes) and big-endian, and of UTF-8. */
const BYTE_ORDER_MARKS: readonly Buffer[] = [
  [0xff, 0xfe],
  [0xfe, 0xff],
  [0xef, 0xbb, 0xbf],
].map((mark) => Buffer.from(mark));

function parseJson(body: Buffer): unknown {
  if (BYTE_ORDER_MARKS.some((mark) => body.subarray(0, mark.length).equals(mark))) {
    throw new BodyInputError('The body begins with a byte order mark; send UTF-8 without one.');
  }
  if (!isUtf8(body)) throw badUserInput('The body is not valid UTF-8.');
  const text = body.toString('utf8');
  const value = parse(text);
  assertSafeIntegers(text);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badUserInput('The body is not valid JSON.');
  }
}

/**
 * @param text JSON; nothing is said of any other
 * @param root what the path of the message begins with
 * @throws BodyInputError for an integer that JSON.parse would round
 */
export function assertSafeIntegers(text: string, root = ''): void {
  const path = findUnsafeInteger(text, root);
  if (path !== null) throw new BodyInputError(unsafeIntegerMessage(path === '' ? 'The body' : path));
}
