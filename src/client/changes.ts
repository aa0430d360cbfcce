/** Follows the changes of a map. Reopens an interrupted stream after its last cursor. */

import type { Connection, Operation } from './connection.ts';
import { resultOf } from './connection.ts';
import type { ResponseError } from './errors.ts';
import { errorOf, MapLocationsError, noResponse } from './errors.ts';
import { readEvents } from './events.ts';
import type { ChangesSubscription } from './generated/operations.ts';
import { pause, pauseBefore } from './pause.ts';

export type LocationChange = ChangesSubscription['locationChanges'];

export interface SubscribeOptions {
  /** A cursor: also yields the changes after it. */
  readonly since?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds of silence after which the stream counts as interrupted. The server sends something every 12 seconds. */
const SILENCE_MS = 30_000;

/** Codes of failures worth a retry. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'NETWORK_ERROR',
  'RATE_LIMITED',
  'OVERLOADED',
  'STORAGE_UNAVAILABLE',
  'ISSUER_UNAVAILABLE',
  'INTERNAL_SERVER_ERROR',
]);

/** What following needs of a connection. */
export type StreamConnection = Pick<Connection, 'url' | 'signalOf' | 'post'>;

/**
 * @param operationAfter the subscription to `locationChanges` with the given `since`
 * @throws MapLocationsError for permanent failures, and NETWORK_ERROR before any stream was open
 */
export async function* followChanges<Change extends { readonly cursor: string }>(
  connection: StreamConnection,
  operationAfter: (since: string | undefined) => Operation,
  options: SubscribeOptions,
): AsyncGenerator<Change, void> {
  const signal = connection.signalOf(options);
  let { since } = options;
  let wasOpen = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      for await (const change of readChanges<Change>(connection, operationAfter(since), signal)) {
        wasOpen = true;
        if (change === null) continue;
        since = change.cursor;
        attempt = 1;
        yield change;
      }
      return;
    } catch (error) {
      if (!(error instanceof MapLocationsError) || !TRANSIENT.has(error.code)) throw error;
      // No stream was ever open, so the address may be wrong.
      if (error.code === 'NETWORK_ERROR' && !wasOpen) throw error;
      await pause(pauseBefore(attempt, error.retryAfter), signal);
    }
  }
}

/** Reads one stream: yields null once it is open, then its changes. Returns only when the server completes it. */
async function* readChanges<Change>(
  connection: StreamConnection,
  operation: Operation,
  outer: AbortSignal | undefined,
): AsyncGenerator<Change | null, void> {
  const silence = new AbortController();
  const signal = outer === undefined ? silence.signal : AbortSignal.any([outer, silence.signal]);
  const onSilence = () => silence.abort(noResponse(connection.url, 'The stream went silent.'));
  let timer = setTimeout(onSilence, SILENCE_MS);
  try {
    const response = await connection.post(operation, 'text/event-stream', signal);
    const { body, headers } = response;
    if (body === null || !(headers.get('content-type') ?? '').startsWith('text/event-stream')) {
      const [error] = (await resultOf(response, signal)).errors ?? [];
      throw error === undefined ? noResponse(response) : errorOf(error, response);
    }
    yield null;
    for await (const event of readEvents(body)) {
      clearTimeout(timer);
      timer = setTimeout(onSilence, SILENCE_MS);
      if (event?.event === 'complete') return;
      if (event?.event === 'next') yield changeOf<Change>(event.data, response);
    }
    throw noResponse(connection.url, 'The stream was interrupted.');
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof MapLocationsError ? error : noResponse(connection.url, error);
  } finally {
    clearTimeout(timer);
    // Ends the stream when the caller stops reading.
    silence.abort();
  }
}

function changeOf<Change>(text: string, response: Response): Change {
  const { data, errors = [] } = JSON.parse(text) as {
    readonly data?: { readonly locationChanges: Change } | null;
    readonly errors?: readonly ResponseError[];
  };
  const [error] = errors;
  if (error !== undefined) throw errorOf(error, response);
  if (data === undefined || data === null) throw noResponse(response);
  return data.locationChanges;
}
