/** Whether requests should be sent to this process: `GET /readyz`. */

import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError, storageUnavailable } from '../../errors.ts';

export class Readiness {
  readonly #ping: () => Promise<void>;
  readonly #timeoutMs: number;
  readonly #onUnexpected: (error: unknown) => void;
  #looking: Promise<string | null> | null = null;
  #isDraining = false;

  /**
   * @param ping resolves when the storage answers
   * @param timeoutMs how long one look may take
   * @param onUnexpected told of what is no expected failure of the storage
   */
  constructor(ping: () => Promise<void>, timeoutMs: number, onUnexpected: (error: unknown) => void) {
    this.#ping = ping;
    this.#timeoutMs = timeoutMs;
    this.#onUnexpected = onUnexpected;
  }

  /** From now on it is not ready: the process is about to end. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Resolves to null when it is ready, else to the reason why not. Those who ask at the same time share one look. */
  async reason(): Promise<string | null> {
    const stopping = this.#stopping();
    if (stopping !== null) return stopping;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    const reason = await this.#looking;
    // It may have begun meanwhile.
    return this.#stopping() ?? reason;
  }

  #stopping(): string | null {
    return this.#isDraining ? 'The server is stopping.' : null;
  }

  async #look(): Promise<string | null> {
    const over = new AbortController();
    const late = delay(this.#timeoutMs, undefined, { signal: over.signal }).then((): never => {
      throw storageUnavailable();
    });
    late.catch(() => {});
    try {
      // The ping of a store that is not open yet throws before it returns a promise.
      await Promise.race([Promise.resolve().then(this.#ping), late]);
      return null;
    } catch (error) {
      if (error instanceof ServiceError) return error.message;
      this.#onUnexpected(error);
      return 'The database failed.';
    } finally {
      over.abort();
    }
  }
}
