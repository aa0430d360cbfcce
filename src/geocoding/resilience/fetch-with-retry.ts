/** Looks up one address at a provider, with retries and backoff. */

import type { BreakerOutcome } from './breaker.ts';
import { childTraceparent } from '../../lib/trace-context.ts';
import { unavailable } from './failures.ts';
import type { HttpFailure, HttpGet } from '../providers/http.ts';
import type { Pacer } from './pacer.ts';
import type { Failed, Lookup, Provider, Reading } from '../providers/provider.ts';
import { causeOf, failed } from '../providers/responses.ts';
import type { Bounds, Time } from './time.ts';

/** In addition to the first attempt. */
const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 250;

export interface RetryOptions {
  readonly get: HttpGet;
  readonly time: Time;
  readonly userAgent: string;
  /** Delays every attempt. */
  readonly pacer?: Pacer | null;
  /** A timeout is the provider's fault only if the attempt had at least this many milliseconds. */
  readonly fairMs?: number;
  /** 0 to 1, for the jitter. */
  readonly random?: () => number;
}

/**
 * Retries timeouts, connection failures, 5xx and 429 (or the provider's equivalent), never before the provider's
 * Retry-After, and not if that is after the deadline. Each attempt gets half of the remaining time, so that a provider
 * that hangs can be retried; the last one gets all of it.
 *
 * @returns the result of the last attempt
 * @throws the signal's reason, and nothing else
 */
export async function fetchWithRetry(
  provider: Provider,
  lookup: Lookup,
  { deadline, signal }: Bounds,
  { get, time, userAgent, pacer = null, fairMs = 1000, random = Math.random }: RetryOptions,
): Promise<Reading> {
  const { url, headers } = provider.request(lookup);
  const sent: Record<string, string> = { 'user-agent': userAgent, ...headers };
  if (lookup.trace !== undefined) sent['traceparent'] = childTraceparent(lookup.trace);
  const request = { url, headers: sent };
  let outcome: BreakerOutcome = 'ignored';
  for (let attempt = 0; ; attempt += 1) {
    const pace = await pacer?.wait({ deadline, signal });
    if (pace?.isTooLate) return { ...tooBusy(provider, pace.seconds), outcome };
    const isLast = attempt === MAX_RETRIES;
    const timeoutMs = Math.ceil(isLast ? deadline.remaining() : deadline.remaining() / 2);
    if (timeoutMs <= 0) return { ...lateResponse(provider, 'no time left'), outcome };
    const response = await get(request, timeoutMs, signal);
    const reading = 'failure' in response ? readFailure(provider, response) : provider.read(response, lookup);
    if (reading.kind === 'found') return reading;
    // An attempt that had too little time neither counts as a fault nor clears earlier faults.
    const isUnfair = 'failure' in response && response.failure === 'timeout' && timeoutMs < fairMs;
    if (!isUnfair) outcome = reading.outcome;
    if (!reading.isTransient || isLast) return { ...reading, outcome };
    const pause = pauseAfter(attempt, reading.retryAfterSeconds ?? 0, random());
    if (pause >= deadline.remaining()) return { ...reading, outcome };
    await time.sleep(pause, signal);
  }
}

/** Milliseconds: 125 to 250 after the first attempt, 250 to 500 after the second; never less than Retry-After. */
export function pauseAfter(attempt: number, retryAfterSeconds: number, random: number): number {
  const jittered = FIRST_PAUSE_MS * 2 ** attempt * (0.5 + random / 2);
  // Jitter also applies to Retry-After, so that clients do not return in the same millisecond.
  return retryAfterSeconds === 0 ? jittered : retryAfterSeconds * 1000 + jittered;
}

function readFailure(provider: Provider, { failure, code }: HttpFailure): Failed {
  if (failure === 'timeout') return lateResponse(provider, code);
  return failed(unavailable(provider.title, 'the connection failed', { cause: causeOf(provider, code) }), {
    isTransient: true,
    outcome: 'fault',
  });
}

function lateResponse(provider: Provider, code: string): Failed {
  const error = unavailable(provider.title, 'it did not respond in time', { cause: causeOf(provider, code) });
  return failed(error, { isTransient: true, outcome: 'fault' });
}

function tooBusy(provider: Provider, seconds: number): Failed {
  return failed(
    unavailable(provider.title, 'its queue is longer than the time left', {
      retryAfterSeconds: seconds,
    }),
  );
}
