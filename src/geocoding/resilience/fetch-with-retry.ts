/** Asks a provider for one address, with retries and pauses between them. */

import type { BreakerOutcome } from './breaker.ts';
import { childTraceparent } from '../../lib/trace-context.ts';
import { unavailable } from './failures.ts';
import type { HttpFailure, HttpGet } from '../providers/http.ts';
import type { Pacer } from './pacer.ts';
import type { Failed, Lookup, Provider, Reading } from '../providers/provider.ts';
import { causeOf, failed } from '../providers/provider.ts';
import type { Bounds, Time } from './time.ts';

/** In addition to the first attempt. */
const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 250;

export interface RetryOptions {
  readonly get: HttpGet;
  readonly time: Time;
  readonly userAgent: string;
  /** Every attempt waits for a slot of it. */
  readonly pacer?: Pacer | null;
  /** A timeout counts as the provider's fault only if the attempt had at least this many milliseconds. */
  readonly fairMs?: number;
  /** 0 to 1, for the jitter. */
  readonly random?: () => number;
}

/**
 * Retries timeouts, broken connections, 5xx and 429 (or the provider's equivalent), never before the provider's
 * Retry-After, and not when that is past the deadline. An attempt gets half of the time left, and the last one all of
 * it, so that a provider that hangs can be asked again.
 *
 * @returns the answer of the last attempt
 * @throws only the signal's reason
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
    // A caller with little time does not make it the provider's fault, and does not clear earlier faults either.
    const isUnfair = 'failure' in response && response.failure === 'timeout' && timeoutMs < fairMs;
    if (!isUnfair) outcome = reading.outcome;
    if (!reading.isTransient || isLast) return { ...reading, outcome };
    const pause = pauseAfter(attempt, reading.retryAfterSeconds ?? 0, random());
    if (pause >= deadline.remaining()) return { ...reading, outcome };
    await time.sleep(pause, signal);
  }
}

/** Milliseconds: 125 to 250 after the first attempt, 250 to 500 after the second, and never less than Retry-After. */
export function pauseAfter(attempt: number, retryAfterSeconds: number, random: number): number {
  const jittered = FIRST_PAUSE_MS * 2 ** attempt * (0.5 + random / 2);
  // Clients that were told the same second should not all come back in the same millisecond.
  return retryAfterSeconds === 0 ? jittered : retryAfterSeconds * 1000 + jittered;
}

function readFailure(provider: Provider, { failure, code }: HttpFailure): Failed {
  if (failure === 'timeout') return lateResponse(provider, code);
  const why = 'the connection to it failed';
  return failed(unavailable(provider.title, why, { cause: causeOf(provider, code) }), {
    isTransient: true,
    outcome: 'fault',
  });
}

function lateResponse(provider: Provider, code: string): Failed {
  const error = unavailable(provider.title, 'it did not answer in time', { cause: causeOf(provider, code) });
  return failed(error, { isTransient: true, outcome: 'fault' });
}

function tooBusy(provider: Provider, seconds: number): Failed {
  return failed(
    unavailable(provider.title, 'others wait for it for longer than there is time', {
      retryAfterSeconds: seconds,
    }),
  );
}
