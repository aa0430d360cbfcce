/** Arguments and results that several tools have. */

import * as z from 'zod';

import { MAX_PAGE_SIZE } from '../domain/paging/paging.ts';

const DEFAULT_ROWS = 20;

const MAX_ID_LENGTH = 100;
const MAX_SEARCH_LENGTH = 256;
const MAX_CURSOR_LENGTH = 10_000;

export const mapIdArgument = z.string().max(MAX_ID_LENGTH).describe('The id of a map, from list_maps.');

export const locationIdArgument = z
  .string()
  .max(MAX_ID_LENGTH)
  .describe('The id of a location, from find_locations.');

export const searchArgument = (what: string) =>
  z
    .string()
    .max(MAX_SEARCH_LENGTH)
    .optional()
    .describe(`Words of ${what}, or their beginnings; all must match. Ignores case and accents.`);

export const limitArgument = z
  .int()
  .min(1)
  .max(MAX_PAGE_SIZE)
  .default(DEFAULT_ROWS)
  .describe('How many to return. The result may hold fewer where they are long.');

export const cursorArgument = z
  .string()
  .max(MAX_CURSOR_LENGTH)
  .optional()
  .describe('The nextCursor of the previous result, with the other arguments unchanged.');

export const nextCursorSchema = z
  .string()
  .nullable()
  .describe('Pass it as cursor to get the rest; null if there is no more.');

export const positionArgument = z
  .strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
  .optional()
  .describe('The point in degrees, if it is known.');

export const idempotencyKeyArgument = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, { error: 'must be 1 to 255 printable ASCII characters' })
  .optional()
  .describe(
    'A new text for each call. Repeat a call that may have failed with the same one: it writes once.',
  );
