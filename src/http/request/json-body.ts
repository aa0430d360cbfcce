/** Parses request bodies: JSON in UTF-8, without integers that JSON.parse would round. */

import { isUtf8 } from 'node:buffer';

import type { FastifyInstance } from 'fastify';

import { isDeeperThan } from '../../domain/json/json.ts';
import { findUnsafeInteger, unsafeIntegerMessage } from '../../domain/json/json-integers.ts';
import { badUserInput, BodyInputError } from '../../errors.ts';
import { unsupportedMediaType } from '../errors.ts';

/**
 * Replaces Fastify's parsers, which reject `__proto__` keys (any key is valid here), accept invalid UTF-8, and know
 * more types than the contract allows. Other types get UNSUPPORTED_MEDIA_TYPE.
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

/** UTF-16 little-endian (a prefix of UTF-32's) and big-endian, and UTF-8. */
const BYTE_ORDER_MARKS: readonly Buffer[] = [
  [0xff, 0xfe],
  [0xfe, 0xff],
  [0xef, 0xbb, 0xbf],
].map((mark) => Buffer.from(mark));

/** Where every byte order mark begins, and no JSON text does. */
const FIRST_OF_MARKS = 0xef;

function parseJson(body: Buffer): unknown {
  const first = body[0] ?? 0;
  if (
    first >= FIRST_OF_MARKS &&
    BYTE_ORDER_MARKS.some((mark) => body.subarray(0, mark.length).equals(mark))
  ) {
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
 * @param text valid JSON; anything else passes
 * @param root start of the path in the message
 * @throws BodyInputError for an integer that JSON.parse would round
 */
export function assertSafeIntegers(text: string, root = ''): void {
  const path = findUnsafeInteger(text, root);
  if (path !== null) throw new BodyInputError(unsafeIntegerMessage(path === '' ? 'The body' : path));
}

/** Levels of nesting in a request's JSON. The deepest valid input stays far below. */
const MAX_DEPTH = 100;

/** @throws ServiceError BAD_USER_INPUT */
export function assertDepth(body: unknown): void {
  if (isDeeperThan(body, MAX_DEPTH)) throw badUserInput(`The body nests deeper than ${MAX_DEPTH} levels.`);
}
