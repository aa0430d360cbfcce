/** Whole maps on Fastify: streamed as fast as their reader takes them, and cut where something fails on the way. */

import { Readable } from 'node:stream';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Delimiter } from '../../transfer/csv/delimiter.ts';
import { delimiterNamed, EXPORT_DELIMITERS } from '../../transfer/csv/delimiter.ts';
import type { MapFormat } from '../../transfer/formats.ts';
import { formatOf, MAP_FORMATS } from '../../transfer/formats.ts';
import { badUserInput } from '../../errors.ts';
import { overloaded } from '../../graphql/limits/operation-budget.ts';
import type { ResponseMemory } from '../../graphql/limits/response-memory.ts';
import { readQuery } from '../../rest/query.ts';
import type { ExportRequest, ExportService } from '../../transfer/export/exports.ts';
import { BATCH_BYTES } from '../../transfer/export/walk.ts';
import { respondToOptions } from '../cors.ts';
import { etagOf, isKnownByTag } from '../request/etag.ts';
import type { PublicRequests } from './public-responses.ts';
import { beginPublic, keepForAll, keepPrivate } from './public-responses.ts';
import { sendPublicFailure } from './public-failure.ts';
import { searchOf } from '../request/request-url.ts';

export interface ExportRoutesOptions extends PublicRequests {
  readonly exports: ExportService;
  /** Where the answers of all requests are counted. */
  readonly memory: ResponseMemory;
}

export const EXPORT_METHODS = 'GET, HEAD, OPTIONS';

const pathOf = (format: MapFormat) => `/maps/:mapId/locations.${format}`;
export const EXPORT_PATHS = MAP_FORMATS.map(pathOf);

/** What a download holds in memory: a batch that is being sent, and the next one. */
const HELD_BYTES = 2 * BATCH_BYTES;

export function exportRoutes(app: FastifyInstance, options: ExportRoutesOptions): void {
  const { exports, requests, memory } = options;
  app.setErrorHandler(sendPublicFailure);

  for (const format of MAP_FORMATS) {
    app.route<{ Params: { mapId: string } }>({
      // Fastify's own HEAD would read the whole map.
      method: ['GET', 'HEAD'],
      url: pathOf(format),
      onRequest: beginPublic(options, 'beginForAnybody'),
      handler: async (request, reply) => {
        const exported = await exports.openExport(requests.scopeOf(request), readRequest(request, format));
        if (exported.isPublic) keepForAll(reply);
        else keepPrivate(reply);
        // Weak, since locations may change while they are sent.
        if (isKnownByTag(request, reply, `W/${etagOf(exported.validator)}`)) return reply.send();
        reply.type(formatOf(format).mediaType);
        if (request.method === 'HEAD') return reply.send(Readable.from([]));
        return reply.send(await stream(exported.read(), memory));
      },
    });
  }

  for (const path of EXPORT_PATHS) {
    app.options(path, (request, reply) => respondToOptions(request, reply, EXPORT_METHODS));
  }
}

/** @throws ServiceError BAD_USER_INPUT */
function readRequest(
  request: FastifyRequest<{ Params: { mapId: string } }>,
  format: MapFormat,
): ExportRequest {
  const { mapId } = request.params;
  const { for: reader, delimiter } = readQuery(searchOf(request), ['for', 'delimiter']);
  // Elsewhere they are unknown parameters, and ignored.
  if (format !== 'csv') return { mapId, format, isForSpreadsheet: false };
  if (reader !== undefined && reader !== 'spreadsheet') {
    throw badUserInput('for must be spreadsheet, or left out.');
  }
  const isForSpreadsheet = reader === 'spreadsheet';
  return {
    mapId,
    format,
    isForSpreadsheet,
    ...(delimiter !== undefined && { delimiter: toDelimiter(delimiter) }),
  };
}

/** @throws ServiceError BAD_USER_INPUT */
function toDelimiter(name: string): Delimiter {
  const delimiter = delimiterNamed(name);
  if (delimiter !== null && EXPORT_DELIMITERS.includes(delimiter)) return delimiter;
  throw badUserInput('delimiter must be one of , ; and tab, or left out.');
}

/**
 * Reads the first piece, so that what fails at once gets an answer of its own.
 *
 * @throws ServiceError OVERLOADED, and what reading throws
 */
async function stream(pieces: AsyncGenerator<Buffer, void>, memory: ResponseMemory): Promise<Readable> {
  if (!memory.acquire(HELD_BYTES, 0)) throw overloaded();
  const release = () => memory.release(HELD_BYTES);
  try {
    const first = await pieces.next();
    const body = Readable.from(continued(first, pieces), { objectMode: false });
    return body.once('close', release);
  } catch (error) {
    release();
    throw error;
  }
}

async function* continued(
  first: IteratorResult<Buffer, void>,
  rest: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void, undefined> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
