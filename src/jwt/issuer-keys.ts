/** Caches the issuer's keys, and decides when to fetch them. */

import { ServiceError } from '../errors.ts';

/** Minimum milliseconds between two fetches for unknown keys. */
export const REFETCH_MS = 30_000;
/** Minimum milliseconds between two attempts while there are no keys. */
export const RETRY_MS = 1_000;
/** Milliseconds after which keys in use are fetched again, so that revoked ones do not stay. */
export const MAX_AGE_MS = 10 * 60_000;

export interface IssuerKeysOptions<Keys> {
  readonly fetch: () => Promise<Keys>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Called when keys could not be fetched. @param requestId the request that caused the fetch */
  readonly onFailure: (error: unknown, requestId: string | undefined) => void;
}

/** `Keys` are all keys of one fetch. Each fetch replaces them. */
export class IssuerKeys<Keys> {
  readonly #options: IssuerKeysOptions<Keys>;
  #cached: { readonly keys: Keys; readonly since: number } | null = null;
  #fetching: Promise<boolean> | null = null;
  #lastAttempt = Number.NEGATIVE_INFINITY;
  /** Excludes attempts while there were no keys. */
  #lastRefetch = Number.NEGATIVE_INFINITY;

  constructor(options: IssuerKeysOptions<Keys>) {
    this.#options = options;
  }

  /** @throws ServiceError ISSUER_UNAVAILABLE */
  async current(requestId?: string): Promise<Keys> {
    const cached = this.#cached;
    if (cached === null) return this.#first(requestId);
    const isOld = this.#options.now() - cached.since >= MAX_AGE_MS;
    // In the background: the old keys are used until there are new ones.
    if (isOld && this.#mayRefetch()) void this.#refetch(requestId);
    return cached.keys;
  }

  /**
   * Call it for a key that is not in `seen`.
   *
   * @returns newer keys; null if there are none
   */
  async after(seen: Keys, requestId?: string): Promise<Keys | null> {
    const newer = () => (this.#cached === null || this.#cached.keys === seen ? null : this.#cached.keys);
    if (newer() !== null) return newer();
    if (this.#fetching !== null) await this.#fetching;
    else if (this.#mayRefetch()) await this.#refetch(requestId);
    return newer();
  }

  async #first(requestId: string | undefined): Promise<Keys> {
    const isTooEarly = this.#options.now() - this.#lastAttempt < RETRY_MS;
    if (this.#fetching !== null || !isTooEarly) await this.#fetchOnce(requestId);
    if (this.#cached !== null) return this.#cached.keys;
    throw new ServiceError(
      'ISSUER_UNAVAILABLE',
      'The keys of the token issuer cannot be fetched at the moment.',
      {
        retryAfterSeconds: RETRY_MS / 1000,
      },
    );
  }

  #mayRefetch(): boolean {
    return this.#fetching === null && this.#options.now() - this.#lastRefetch >= REFETCH_MS;
  }

  #refetch(requestId: string | undefined): Promise<boolean> {
    this.#lastRefetch = this.#options.now();
    return this.#fetchOnce(requestId);
  }

  /** Never rejects. After a failure, the keys stay. */
  #fetchOnce(requestId: string | undefined): Promise<boolean> {
    this.#fetching ??= this.#fetch(requestId).finally(() => (this.#fetching = null));
    return this.#fetching;
  }

  async #fetch(requestId: string | undefined): Promise<boolean> {
    const { fetch, now, onFailure } = this.#options;
    this.#lastAttempt = now();
    try {
      this.#cached = { keys: await fetch(), since: now() };
      return true;
    } catch (error) {
      // Counted from the end, so that a fetch that hangs is not followed by another one at once.
      this.#lastAttempt = now();
      onFailure(error, requestId);
      return false;
    }
  }
}
