/** Exports of whole maps: streamed at the reader's pace, and cut when an error occurs midway. */

import { Readable } from 'node:stream';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Delimiter } from '../../transfer/csv/delimiter.ts';
import { delimiterNamed, EXPORT_DELIMITERS } from '../../transfer/csv/delimiter.ts';
import type { MapFormat } from '../../transfer/formats.ts';
import { formatOf, MAP_FORMATS } from '../../transfer/formats.ts';
import { badUserInput } from '../../errors.ts';
import { responseMemoryFull } from '../../graphql/limits/response-memory.ts';
import type { ResponseMemory } from '../../graphql/limits/response-memory.ts';
import { readQuery } from '../../rest/query.ts';
import type { ExportRequest, ExportService } from '../../transfer/export/exports.ts';
import { BATCH_BYTES } from '../../transfer/export/batches.ts';
import { allowAnyOrigin, respondToOptions } from '../cors.ts';
import { etagOf, isNotModified, allowSharedCaching, allowPrivateCaching } from '../caching.ts';
import { EXPORT_METHODS } from './allowed-methods.ts';
import type { PublicRequests } from './public-requests.ts';
import { admitPublicRequest } from './public-requests.ts';
import { sendPublicError } from '../errors.ts';
import { searchOf } from '../request/request-url.ts';

export interface ExportRoutesOptions extends PublicRequests {
  readonly exports: ExportService;
  /** Counts the bytes of all responses. */
  readonly memory: ResponseMemory;
}

const pathOf = (format: MapFormat) => `/maps/:mapId/locations.${format}`;
export const EXPORT_PATHS = MAP_FORMATS.map(pathOf);

/** Memory of a download: the batch being sent, and the next one. */
const HELD_BYTES = 2 * BATCH_BYTES;

export function exportRoutes(app: FastifyInstance, options: ExportRoutesOptions): void {
  const { exports, requests, memory } = options;
  app.setErrorHandler(sendPublicError);

  for (const format of MAP_FORMATS) {
    app.route<{ Params: { mapId: string } }>({
      // Fastify's own HEAD would read the whole map.
      method: ['GET', 'HEAD'],
      url: pathOf(format),
      config: { acceptsSessions: true },
      onRequest: admitPublicRequest(options, 'beginPublic', { isForAnySite: true }),
      handler: async (request, reply) => {
        const exported = await exports.openExport(requests.scopeOf(request), readRequest(request, format));
        if (exported.isPublic) {
          allowSharedCaching(reply);
          allowAnyOrigin(reply);
        } else allowPrivateCaching(reply);
        // Weak: locations may change while they are sent.
        if (isNotModified(request, reply, `W/${etagOf(exported.validator)}`)) return reply.send();
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
  // Other formats ignore them like any unknown parameter.
  if (format !== 'csv') return { mapId, format, isForSpreadsheet: false };
  if (reader !== undefined && reader !== 'spreadsheet') {
    throw badUserInput('for must be spreadsheet or omitted.');
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
  throw badUserInput('delimiter must be one of , ; and tab, or omitted.');
}

/**
 * Reads the first piece before responding, so that an immediate error gets its own response.
 *
 * @throws ServiceError OVERLOADED, and what reading throws
 */
async function stream(pieces: AsyncGenerator<Buffer, void>, memory: ResponseMemory): Promise<Readable> {
  if (!memory.acquire(HELD_BYTES, 0)) throw responseMemoryFull();
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
