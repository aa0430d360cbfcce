import type { ReadLimits } from './long-reads.ts';
import { storageUnavailable } from '../../../errors.ts';

/** A longer time would be none to a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** How long a caller waits. */
export class QueueTimeout {
  readonly #limits: ReadLimits;
  readonly #giveUp: (reason: unknown) => void;
  readonly #onAbort = () => this.#giveUp(this.#limits.signal?.reason);
  #timer: NodeJS.Timeout | undefined;
  /** Null as long as the time does not run. */
  #begun: number | null = null;
  #hasEnded = false;

  /**
   * @param giveUp called with the signal's reason, or when the time is over
   * @throws the signal's reason when it is aborted already
   */
  constructor(limits: ReadLimits, giveUp: (reason: unknown) => void) {
    limits.signal?.throwIfAborted();
    this.#limits = limits;
    this.#giveUp = giveUp;
    limits.signal?.addEventListener('abort', this.#onAbort);
  }

  /** Lets the time run. */
  begin(): void {
    if (this.#begun !== null || this.#hasEnded) return;
    this.#begun = performance.now();
    const { timeoutMs } = this.#limits;
    this.#timer = setTimeout(
      () => this.#giveUp(storageUnavailable(new Error(`A reader thread took more than ${timeoutMs} ms.`))),
      Math.min(timeoutMs, LONGEST_MS),
    );
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    if (this.#begun !== null) this.#limits.onSpent?.(performance.now() - this.#begun);
    this.#limits.signal?.removeEventListener('abort', this.#onAbort);
  }
}
