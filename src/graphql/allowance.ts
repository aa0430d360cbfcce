/** What one operation may still read and answer, whatever way its selections multiply. */

import type { ExecutionResult } from 'graphql';
import { GraphQLError } from 'graphql';

import { exceedsJsonBytes } from '../domain/json-size.ts';
import { badUserInput, ServiceError } from '../errors.ts';
import type { Breathe } from '../time-slice.ts';
import { breatheWhenLong } from '../time-slice.ts';

export interface AllowanceLimits {
  /** Maps and locations that one operation may read. */
  readonly maxRows: number;
  /** Of its answer, as JSON. */
  readonly maxBytes: number;
}

/** Pages that one operation reads at once: what waits is not in memory yet. */
const MAX_READS = 8;

export class Allowance {
  readonly limits: AllowanceLimits;
  readonly #waiting: (() => void)[] = [];
  #rows: number;
  #bytes: number;
  #reads = 0;
  #breathe: Breathe | null = null;

  constructor(limits: AllowanceLimits) {
    this.limits = limits;
    this.#rows = limits.maxRows;
    this.#bytes = limits.maxBytes;
  }

  /** Sets rows aside before they are read. @throws ServiceError BAD_USER_INPUT when there are not so many left */
  takeRows(rows: number): void {
    if (rows > this.#rows) {
      throw badUserInput(
        `The operation asks for more than the ${this.limits.maxRows} maps and locations allowed; ask for smaller pages.`,
      );
    }
    this.#rows -= rows;
  }

  /** Gives back what a page was shorter than it might have been. */
  giveBackRows(rows: number): void {
    this.#rows += rows;
  }

  /**
   * Reads what will be part of the answer.
   *
   * @param sizeOf bytes of JSON that it will take at least
   * @throws ServiceError PAYLOAD_TOO_LARGE where the answer is too long already
   */
  async read<T>(read: () => Promise<T>, sizeOf: (value: T) => number): Promise<T> {
    if (this.#reads < MAX_READS) this.#reads += 1;
    else await this.#place();
    try {
      await this.#pause();
      this.#assertBytesLeft();
      const value = await read();
      this.#bytes -= sizeOf(value);
      this.#assertBytesLeft();
      return value;
    } finally {
      const next = this.#waiting.shift();
      // Whoever waits takes the place over.
      if (next === undefined) this.#reads -= 1;
      else next();
    }
  }

  /** The result; without data, and with nothing but the reason, where its JSON would be too long. */
  limit(result: ExecutionResult): ExecutionResult {
    if (this.#bytes >= 0 && !exceedsJsonBytes(result.data, this.limits.maxBytes)) return result;
    this.#bytes = -1;
    const tooLarge = this.#tooLarge();
    return { errors: [new GraphQLError(tooLarge.message, { originalError: tooLarge })] };
  }

  /** Whether the answer would be too long. */
  get isUsedUp(): boolean {
    return this.#bytes < 0;
  }

  /** Most operations read one page, and never wait. */
  #pause(): Promise<void> | undefined {
    const pause = this.#breathe?.();
    this.#breathe ??= breatheWhenLong();
    return pause;
  }

  /** Resolves when a read has ended, whose place is then the caller's. */
  #place(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #assertBytesLeft(): void {
    if (this.isUsedUp) throw this.#tooLarge();
  }

  #tooLarge(): ServiceError {
    return new ServiceError(
      'PAYLOAD_TOO_LARGE',
      `The answer would be over ${this.limits.maxBytes} bytes; ask for smaller pages or fewer fields.`,
    );
  }
}
