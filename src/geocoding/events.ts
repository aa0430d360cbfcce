/** What is reported of each call, for metrics: only names from short lists, never an address or a key. */

import { ServiceError } from '../errors.ts';

export type GeocodeOutcome =
  | 'found'
  | 'not_found'
  | 'refused'
  | 'rate_limited'
  | 'unavailable'
  | 'bad_input'
  /** Our own daily quota is used up; the provider was not asked. */
  | 'quota'
  /** All callers that waited have gone. */
  | 'aborted'
  /** An unexpected failure, e.g. a store that cannot count. */
  | 'error';

export interface GeocodeEvent {
  /** A provider's name, or `offline`. */
  readonly provider: string;
  readonly outcome: GeocodeOutcome;
  /** From the call to the answer; waiting, attempts and pauses included. */
  readonly milliseconds: number;
  /** True when the answer came from the cache, and the provider was not asked. */
  readonly isCacheHit: boolean;
  /** Of the request that asked first; undefined where none did. */
  readonly requestId?: string | undefined;
}

export type OnCall = (event: GeocodeEvent) => void;

const OUTCOMES: Readonly<Partial<Record<string, GeocodeOutcome>>> = {
  ADDRESS_NOT_FOUND: 'not_found',
  GEOCODER_REFUSED: 'refused',
  RATE_LIMITED: 'rate_limited',
  GEOCODER_UNAVAILABLE: 'unavailable',
  BAD_USER_INPUT: 'bad_input',
};

export function outcomeOf(error: unknown): GeocodeOutcome {
  return (error instanceof ServiceError ? OUTCOMES[error.code] : undefined) ?? 'error';
}
