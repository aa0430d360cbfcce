import type { ReadLimits } from './long-reads.ts';
import { storageUnavailable } from '../../../errors.ts';

/** A longer time would be none to a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** How long a caller waits. */
export class Patience {
  readonly #limits: ReadLimits;
  readonly #giveUp: (reason: unknown) => void;
  readonly #onAbort = () => this.#giveUp(this.#limits.signal?.reason);
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param giveUp called at most once while it waits for something, and with the signal's reason at any time until the end
   * @throws the signal's reason when it is aborted already
   */
  constructor(limits: ReadLimits, giveUp: (reason: unknown) => void) {
    limits.signal?.throwIfAborted();
    this.#limits = limits;
    this.#giveUp = giveUp;
    limits.signal?.addEventListener('abort', this.#onAbort);
  }

  /** From now on the time counts. */
  wait(): void {
    const { timeoutMs } = this.#limits;
    this.#timer = setTimeout(
      () => this.#giveUp(storageUnavailable(new Error(`A reader thread took more than ${timeoutMs} ms.`))),
      Math.min(timeoutMs, LONGEST_MS),
    );
  }

  /** What was waited for has come. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.rest();
    this.#limits.signal?.removeEventListener('abort', this.#onAbort);
  }
}
