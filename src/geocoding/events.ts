/** Events for metrics. They hold only values of low cardinality, never an address or a key. */

import { ServiceError } from '../errors.ts';

export type GeocodeOutcome =
  | 'found'
  | 'not_found'
  | 'refused'
  | 'rate_limited'
  | 'unavailable'
  | 'bad_input'
  /** The caller's daily quota is used up; the provider was not called. */
  | 'quota'
  /** All callers have disconnected. */
  | 'aborted'
  /** An unexpected failure, e.g. of the store that counts quotas. */
  | 'error';

export interface GeocodeEvent {
  /** A provider's name, or `offline`. */
  readonly provider: string;
  readonly outcome: GeocodeOutcome;
  /** Total duration, including queueing and retries. */
  readonly milliseconds: number;
  /** True if the provider was not called. */
  readonly isCacheHit: boolean;
  /** Of the request that started the call, if any. */
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
