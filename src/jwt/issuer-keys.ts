/** The keys of the issuer that are kept, and when they are fetched. */

import { ServiceError } from '../errors.ts';

/** Milliseconds between two fetches for keys that are not known. */
export const REFETCH_MS = 30_000;
/** Milliseconds between two attempts while nothing is kept. */
export const RETRY_MS = 1_000;
/** Milliseconds after which keys are fetched anew while they are used: one that the issuer has withdrawn must not stay. */
export const MAX_AGE_MS = 10 * 60_000;

export interface IssuerKeysOptions<Keys> {
  readonly fetch: () => Promise<Keys>;
  /** Milliseconds that only ever grow; their zero means nothing. */
  readonly now: () => number;
  /** Told why keys could not be fetched. @param requestId of the request that they were fetched for first */
  readonly onFailure: (error: unknown, requestId: string | undefined) => void;
}

/** `Keys` are all keys of one fetch; each fetch replaces them. */
export class IssuerKeys<Keys> {
  readonly #options: IssuerKeysOptions<Keys>;
  #kept: { readonly keys: Keys; readonly since: number } | null = null;
  #fetching: Promise<boolean> | null = null;
  #lastAttempt = Number.NEGATIVE_INFINITY;
  /** Not counting the attempts while nothing was kept. */
  #lastRefetch = Number.NEGATIVE_INFINITY;

  constructor(options: IssuerKeysOptions<Keys>) {
    this.#options = options;
  }

  /** @throws ServiceError ISSUER_UNAVAILABLE */
  async current(requestId?: string): Promise<Keys> {
    const kept = this.#kept;
    if (kept === null) return this.#first(requestId);
    const isOld = this.#options.now() - kept.since >= MAX_AGE_MS;
    // Nobody waits for it: the old keys hold until there are others.
    if (isOld && this.#mayRefetch()) void this.#refetch(requestId);
    return kept.keys;
  }

  /**
   * To be called for a key that is not among these.
   *
   * @returns other keys than these; null where there are none now
   */
  async after(seen: Keys, requestId?: string): Promise<Keys | null> {
    const newer = () => (this.#kept === null || this.#kept.keys === seen ? null : this.#kept.keys);
    if (newer() !== null) return newer();
    if (this.#fetching !== null) await this.#fetching;
    else if (this.#mayRefetch()) await this.#refetch(requestId);
    return newer();
  }

  async #first(requestId: string | undefined): Promise<Keys> {
    const isTooEarly = this.#options.now() - this.#lastAttempt < RETRY_MS;
    if (this.#fetching !== null || !isTooEarly) await this.#fetchOnce(requestId);
    if (this.#kept !== null) return this.#kept.keys;
    throw new ServiceError('ISSUER_UNAVAILABLE', 'The issuer of tokens cannot be asked for its keys now.', {
      retryAfterSeconds: RETRY_MS / 1000,
    });
  }

  #mayRefetch(): boolean {
    return this.#fetching === null && this.#options.now() - this.#lastRefetch >= REFETCH_MS;
  }

  #refetch(requestId: string | undefined): Promise<boolean> {
    this.#lastRefetch = this.#options.now();
    return this.#fetchOnce(requestId);
  }

  /** Never rejects. A failure leaves what is kept. */
  #fetchOnce(requestId: string | undefined): Promise<boolean> {
    this.#fetching ??= this.#fetch(requestId).finally(() => (this.#fetching = null));
    return this.#fetching;
  }

  async #fetch(requestId: string | undefined): Promise<boolean> {
    const { fetch, now, onFailure } = this.#options;
    this.#lastAttempt = now();
    try {
      this.#kept = { keys: await fetch(), since: now() };
      return true;
    } catch (error) {
      // Counted from its end: one that hangs must not be followed by the next at once.
      this.#lastAttempt = now();
      onFailure(error, requestId);
      return false;
    }
  }
}
