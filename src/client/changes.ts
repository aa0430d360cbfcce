/** The changes of a map, for as long as the caller wants: a stream that is cut is opened again after its last cursor. */

import type { Connection } from './connection.ts';
import { resultOf } from './connection.ts';
import { CHANGES } from './documents.ts';
import type { ResponseError } from './errors.ts';
import { errorOf, MapLocationsError, noResponse } from './errors.ts';
import { readEvents } from './events.ts';
import type { ChangesSubscription } from './generated/operations.ts';
import { pause, pauseBefore } from './pause.ts';

export type LocationChange = ChangesSubscription['locationChanges'];

export interface SubscribeOptions {
  /** A cursor: what came after it is told, too. */
  readonly since?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds of silence after which the stream counts as cut. The service says something every 12 seconds. */
const SILENCE_MS = 30_000;

/** Failures that another attempt may not meet. */
const PASSING: ReadonlySet<string> = new Set([
  'NETWORK_ERROR',
  'RATE_LIMITED',
  'OVERLOADED',
  'STORAGE_UNAVAILABLE',
  'ISSUER_UNAVAILABLE',
  'INTERNAL_SERVER_ERROR',
]);

/** @throws MapLocationsError for what another attempt would meet again; NETWORK_ERROR at the first attempt alone */
export async function* followChanges(
  connection: Connection,
  mapId: string,
  options: SubscribeOptions,
): AsyncGenerator<LocationChange, void> {
  const signal = connection.signalOf(options);
  let { since } = options;
  let wasThere = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      for await (const change of readChanges(connection, mapId, since, signal)) {
        wasThere = true;
        if (change === null) continue;
        since = change.cursor;
        attempt = 1;
        yield change;
      }
      return;
    } catch (error) {
      if (!(error instanceof MapLocationsError) || !PASSING.has(error.code)) throw error;
      // Nobody was ever there: the address may be wrong.
      if (error.code === 'NETWORK_ERROR' && !wasThere) throw error;
      await pause(pauseBefore(attempt, error.retryAfter), signal);
    }
  }
}

/** One stream: null as soon as it is open, and then its changes. Ends only where the service says that it is complete. */
async function* readChanges(
  connection: Connection,
  mapId: string,
  since: string | undefined,
  outer: AbortSignal | undefined,
): AsyncGenerator<LocationChange | null, void> {
  const silence = new AbortController();
  const signal = outer === undefined ? silence.signal : AbortSignal.any([outer, silence.signal]);
  const hush = () => silence.abort(noResponse(connection.url, 'The stream is silent.'));
  let timer = setTimeout(hush, SILENCE_MS);
  try {
    const asked = { query: CHANGES, variables: { mapId, since } };
    const response = await connection.post(asked, 'text/event-stream', signal);
    const { body, headers } = response;
    if (body === null || !(headers.get('content-type') ?? '').startsWith('text/event-stream')) {
      const [error] = (await resultOf(response, signal)).errors ?? [];
      throw error === undefined ? noResponse(response) : errorOf(error, response);
    }
    yield null;
    for await (const event of readEvents(body)) {
      clearTimeout(timer);
      timer = setTimeout(hush, SILENCE_MS);
      if (event?.event === 'complete') return;
      if (event?.event === 'next') yield changeOf(event.data, response);
    }
    throw noResponse(connection.url, 'The stream was cut.');
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof MapLocationsError ? error : noResponse(connection.url, error);
  } finally {
    clearTimeout(timer);
    // Where the caller leaves, the stream ends.
    silence.abort();
  }
}

function changeOf(text: string, response: Response): LocationChange {
  const { data, errors = [] } = JSON.parse(text) as {
    readonly data?: ChangesSubscription | null;
    readonly errors?: readonly ResponseError[];
  };
  const [error] = errors;
  if (error !== undefined) throw errorOf(error, response);
  if (data === undefined || data === null) throw noResponse(response);
  return data.locationChanges;
}
