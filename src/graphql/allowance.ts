/** An allowance: what one operation may still read and answer, however its selections multiply. */

import type { ExecutionResult } from 'graphql';
import { GraphQLError } from 'graphql';

import { exceedsJsonBytes } from '../domain/json-size.ts';
import { badUserInput, ServiceError } from '../errors.ts';
import type { Breathe } from '../time-slice.ts';
import { breatheWhenLong } from '../time-slice.ts';

export interface AllowanceLimits {
  /** Maps and locations that one operation may read. */
  readonly maxRows: number;
  /** Bytes of the answer, as JSON. */
  readonly maxBytes: number;
}

/** How many pages one operation reads at once. The others wait, and take no memory yet. */
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

  /** Sets rows aside before they are read. @throws ServiceError BAD_USER_INPUT when fewer are left */
  takeRows(rows: number): void {
    if (rows > this.#rows) {
      throw badUserInput(
        `The operation asks for more than the ${this.limits.maxRows} maps and locations allowed; ask for smaller pages.`,
      );
    }
    this.#rows -= rows;
  }

  /** Gives rows back when a page was shorter than it could have been. */
  giveBackRows(rows: number): void {
    this.#rows += rows;
  }

  /**
   * Reads a part of the answer.
   *
   * @param sizeOf bytes of JSON that the value takes at least
   * @throws ServiceError PAYLOAD_TOO_LARGE when the answer is already too long
   */
  async read<T>(read: () => Promise<T>, sizeOf: (value: T) => number): Promise<T> {
    if (this.#reads < MAX_READS) this.#reads += 1;
    else await this.#waitForSlot();
    try {
      await this.#pause();
      this.#assertBytesLeft();
      const value = await read();
      this.#bytes -= sizeOf(value);
      this.#assertBytesLeft();
      return value;
    } finally {
      const next = this.#waiting.shift();
      // The next read that waits takes over this one's slot.
      if (next === undefined) this.#reads -= 1;
      else next();
    }
  }

  /** The result, or only an error when its JSON would be too long. */
  limit(result: ExecutionResult): ExecutionResult {
    if (this.#bytes >= 0 && !exceedsJsonBytes(jsonOf(result), this.limits.maxBytes)) return result;
    this.#bytes = -1;
    const tooLarge = this.#tooLarge();
    return { errors: [new GraphQLError(tooLarge.message, { originalError: tooLarge })] };
  }

  /** True when the answer would be too long. */
  get isUsedUp(): boolean {
    return this.#bytes < 0;
  }

  /** Most operations read one page, and never pause. */
  #pause(): Promise<void> | undefined {
    const pause = this.#breathe?.();
    this.#breathe ??= breatheWhenLong();
    return pause;
  }

  /** Resolves when a read has ended. The caller then has that read's slot. */
  #waitForSlot(): Promise<void> {
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

/** What is written of a result, but for what errors say beside their message. */
function jsonOf({ data, errors }: ExecutionResult): unknown {
  if (errors === undefined) return data;
  return [data, errors.map(({ message, path, locations }) => [message, path, locations])];
}
