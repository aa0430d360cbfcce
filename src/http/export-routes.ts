/** Whole maps on Fastify: streamed as fast as their reader takes them, and cut where something fails on the way. */

import { Readable } from 'node:stream';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { MapFormat } from '../domain/map-format.ts';
import { MAP_FORMATS } from '../domain/map-format.ts';
import type { ErrorCode } from '../errors.ts';
import { badUserInput, ERRORS } from '../errors.ts';
import { overloaded } from '../graphql/allowance.ts';
import type { AnswerMemory } from '../graphql/answer-memory.ts';
import { readQuery } from '../rest/query.ts';
import type { ExportRequest, ExportService } from '../services/exports/exports.ts';
import { BATCH_BYTES } from '../services/exports/walk.ts';
import { answerOptions } from './cors.ts';
import { etagOf, matchesEtag } from './etag.ts';
import { noSuchPath, sendFailure, toFailure } from './failure.ts';
import type { CountPublic } from './public-answers.ts';
import { keepForAll, keepNowhere, keepPrivate } from './public-answers.ts';
import type { Requests } from './requests.ts';

export interface ExportRoutesOptions {
  readonly exports: ExportService;
  readonly requests: Requests;
  readonly countPublic: CountPublic;
  /** Where the answers of all requests are counted. */
  readonly memory: AnswerMemory;
}

export const EXPORT_METHODS = 'GET, HEAD, OPTIONS';

const pathOf = (format: MapFormat) => `/maps/:mapId/locations.${format}`;
export const EXPORT_PATHS = MAP_FORMATS.map(pathOf);

const TYPES: Readonly<Record<MapFormat, string>> = {
  geojson: 'application/geo+json',
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
};

/** What a download holds in memory: a batch that is being sent, and the next one. */
const HELD_BYTES = 2 * BATCH_BYTES;

export function exportRoutes(
  app: FastifyInstance,
  { exports, requests, countPublic, memory }: ExportRoutesOptions,
): void {
  app.setErrorHandler(sendPublicFailure);

  for (const format of MAP_FORMATS) {
    app.route<{ Params: { mapId: string } }>({
      // Fastify's own HEAD would read the whole map.
      method: ['GET', 'HEAD'],
      url: pathOf(format),
      onRequest: async (request, reply) => {
        if (request.params.mapId === '') throw noSuchPath();
        countPublic(request);
        await requests.beginForAnybody(request, reply);
      },
      handler: async (request, reply) => {
        const exported = await exports.openExport(requests.scopeOf(request), readRequest(request, format));
        // Locations may change while they are sent, so two answers with one tag need not be equal to the byte.
        const etag = etagOf(exported.validator);
        reply.header('etag', `W/${etag}`);
        if (exported.isPublic) keepForAll(reply);
        else keepPrivate(reply);
        if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
        reply.type(TYPES[format]);
        if (request.method === 'HEAD') return reply.send(Readable.from([]));
        return reply.send(await stream(exported.read(), memory));
      },
    });
  }

  for (const path of EXPORT_PATHS) {
    app.options(path, (request, reply) => answerOptions(request, reply, EXPORT_METHODS));
  }
}

/** @throws ServiceError BAD_USER_INPUT */
function readRequest(
  request: FastifyRequest<{ Params: { mapId: string } }>,
  format: MapFormat,
): ExportRequest {
  const queryStart = request.url.indexOf('?');
  const search = queryStart === -1 ? '' : request.url.slice(queryStart + 1);
  const reader = readQuery(search, ['for']).for;
  if (format === 'csv' && reader !== undefined && reader !== 'spreadsheet') {
    throw badUserInput('for must be spreadsheet, or left out.');
  }
  return { mapId: request.params.mapId, format, isForSpreadsheet: reader === 'spreadsheet' };
}

/**
 * Reads the first piece, so that what fails at once gets an answer of its own.
 *
 * @throws ServiceError OVERLOADED, and what reading throws
 */
async function stream(pieces: AsyncGenerator<Buffer, void>, memory: AnswerMemory): Promise<Readable> {
  if (!memory.take(HELD_BYTES, 0)) throw overloaded();
  const giveBack = () => memory.giveBack(HELD_BYTES);
  try {
    const first = await pieces.next();
    const body = Readable.from(continued(first, pieces), { objectMode: false });
    return body.once('close', giveBack);
  } catch (error) {
    giveBack();
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

/** The statuses that say on any server what they say here. */
const OWN_STATUS: Partial<Record<ErrorCode, number>> = { MAP_NOT_FOUND: 404, MAP_DELETED: 410 };

/** A failure of a route for the public, as an Error body. */
export function sendPublicFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { error, isUnexpected } = toFailure(thrown);
  if (isUnexpected) request.log.error({ requestId: request.id, err: thrown }, 'A request failed');
  const { status, error: number } = ERRORS[error.code];
  // It belongs to the answer that could not be sent.
  reply.removeHeader('etag');
  keepNowhere(request, reply);
  return sendFailure(reply, OWN_STATUS[error.code] ?? status, error, {
    error: number,
    message: error.message,
  });
}
