/** How long a call may go on, and whether anybody still waits for it. */

import { storageUnavailable } from '../../../errors.ts';
import type { CallTime } from '../database.ts';

export class SearchTimeout {
  readonly signal: AbortSignal | undefined;
  readonly #time: CallTime;

  constructor(time: CallTime, signal?: AbortSignal) {
    this.#time = time;
    this.signal = signal;
  }

  /** What a command may take of the server: whole milliseconds, at least one, since 0 would be no limit. */
  get maxTimeMS(): number {
    return Math.max(1, Math.ceil(this.#time.leftMs));
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
    if (this.signal?.aborted === true || this.#time.leftMs <= 0) throw storageUnavailable();
  }
}
