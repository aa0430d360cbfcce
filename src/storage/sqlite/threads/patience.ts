import type { ReadLimits } from './long-reads.ts';
import { storageUnavailable } from '../../../errors.ts';

/** A longer time would be none to a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** How long a caller waits. */
export class Patience {
  readonly #limits: ReadLimits;
  readonly #giveUp: (reason: unknown) => void;
  readonly #onAbort = () => this.#giveUp(this.#limits.signal?.reason);
  readonly #timer: NodeJS.Timeout;

  /**
   * @param giveUp called with the signal's reason, or when the time is over
   * @throws the signal's reason when it is aborted already
   */
  constructor(limits: ReadLimits, giveUp: (reason: unknown) => void) {
    limits.signal?.throwIfAborted();
    this.#limits = limits;
    this.#giveUp = giveUp;
    limits.signal?.addEventListener('abort', this.#onAbort);
    const { timeoutMs } = limits;
    this.#timer = setTimeout(
      () => this.#giveUp(storageUnavailable(new Error(`A reader thread took more than ${timeoutMs} ms.`))),
      Math.min(timeoutMs, LONGEST_MS),
    );
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#limits.signal?.removeEventListener('abort', this.#onAbort);
  }
}
