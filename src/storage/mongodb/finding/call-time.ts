/** How long a call may go on, and whether anybody still waits for it. */

import { storageUnavailable } from '../../../errors.ts';

export class CallTime {
  readonly signal: AbortSignal | undefined;
  readonly #endsAt: number;

  /** @param limitMs from now on */
  constructor(limitMs: number, signal?: AbortSignal) {
    this.#endsAt = performance.now() + limitMs;
    this.signal = signal;
  }

  /** What a command may take of the server: whole milliseconds, at least one, since 0 would be no limit. */
  get maxTimeMS(): number {
    return Math.max(1, Math.ceil(this.#endsAt - performance.now()));
  }

  /** Waits for what the server is asked, until the caller has gone. @throws ServiceError STORAGE_UNAVAILABLE */
  async whileWanted<T>(asked: Promise<T>): Promise<T> {
    const { signal } = this;
    if (signal === undefined) return asked;
    let leave = () => {};
    const gone = new Promise<never>((_resolve, reject) => {
      leave = () => reject(storageUnavailable());
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([asked, gone]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE */
  assertLeft(): void {
    if (this.signal?.aborted === true || performance.now() >= this.#endsAt) throw storageUnavailable();
  }
}
