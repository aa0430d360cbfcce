/** An allowance: what one operation may still read and answer, however its selections multiply. */

import type { ExecutionResult } from 'graphql';
import { GraphQLError } from 'graphql';

import { JsonMeasure } from '../../domain/json/json-size.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import { CallerGoneError } from '../../services/scope.ts';
import { createScheduler } from '../../lib/cooperative-scheduler.ts';
import type { ResponseMemory } from './response-memory.ts';
import { LongJson } from './long-json.ts';

export interface BudgetLimits {
  /** Maps and locations that one operation may read. */
  readonly maxRows: number;
  /** Bytes of the answer, as JSON. Infinity for an operation of our own, whose result is not the answer. */
  readonly maxBytes: number;
  /** Where the answers of all operations are counted. */
  readonly memory: ResponseMemory;
}

/** How many pages one operation reads at once. The others wait, and take no memory yet. */
const MAX_READS = 8;
/** Bytes of JSON that are measured and written in one go. */
const LONG_BYTES = 1024 * 1024;

/** A long page takes a store in this process some ten milliseconds, which cannot be divided: each turn has one of them. */
const turnToRead = createScheduler(10);

export class OperationBudget {
  readonly limits: BudgetLimits;
  readonly #waiting: (() => void)[] = [];
  #rows: number;
  #bytes: number;
  #reads = 0;
  #longestRead = 0;
  /** Bytes taken of the memory of all answers. */
  #held = 0;
  #isReleased = false;
  #refusal: ServiceError | null = null;

  constructor(limits: BudgetLimits) {
    this.limits = limits;
    this.#rows = limits.maxRows;
    this.#bytes = limits.maxBytes;
  }

  /** Sets rows aside before they are read. @throws ServiceError BAD_USER_INPUT when fewer are left */
  reserveRows(rows: number): void {
    if (rows > this.#rows) {
      throw badUserInput(
        `The operation asks for more than the ${this.limits.maxRows} maps and locations allowed; ask for smaller pages.`,
      );
    }
    this.#rows -= rows;
  }

  /** Gives rows back when a page was shorter than it could have been. */
  releaseRows(rows: number): void {
    this.#rows += rows;
  }

  /**
   * Reads a part of the answer.
   *
   * @param sizeOf bytes of JSON that the value takes at least
   * @throws ServiceError PAYLOAD_TOO_LARGE when the answer is already too long, OVERLOADED when all answers together are
   */
  async read<T>(read: () => Promise<T>, sizeOf: (value: T) => number): Promise<T> {
    if (this.#reads < MAX_READS) this.#reads += 1;
    else await this.#waitForSlot();
    try {
      const pause = turnToRead();
      if (pause !== undefined) await pause;
      if (this.#isReleased) throw new CallerGoneError();
      // Several are read at once, and the pages of one operation are mostly alike.
      const expected = this.#longestRead;
      this.#hold(expected);
      this.#assertNotRefused();
      const value = await read();
      const bytes = sizeOf(value);
      this.#longestRead = Math.max(expected, bytes);
      this.#hold(bytes - expected);
      this.#bytes -= bytes;
      if (this.#bytes < 0) this.#refuse(this.#tooLarge());
      this.#assertNotRefused();
      return value;
    } finally {
      const next = this.#waiting.shift();
      // The next read that waits takes over this one's slot.
      if (next === undefined) this.#reads -= 1;
      else next();
    }
  }

  /** The result, or only an error when it is refused as a whole. The data of a long one is given as JsonText. */
  limit(result: ExecutionResult): ExecutionResult | Promise<ExecutionResult> {
    const limit = Math.min(this.limits.maxBytes, LONG_BYTES);
    const bytes = this.isUsedUp ? 0 : new JsonMeasure().bytesOf(responseOf(result), limit);
    if (bytes === null) return this.#limitLong(result);
    this.#hold(bytes);
    return this.isUsedUp ? this.#refused() : result;
  }

  /** Why the answer is refused as a whole; null when it is not. */
  get refusal(): ServiceError | null {
    return this.#refusal;
  }

  /** True when the answer is refused as a whole. */
  get isUsedUp(): boolean {
    return this.#refusal !== null;
  }

  /** To be called when the answer was passed on, or failed. Whatever still runs for it reads nothing any more. */
  release(): void {
    this.#isReleased = true;
    this.limits.memory.release(this.#held);
    this.#held = 0;
  }

  async #limitLong(result: ExecutionResult): Promise<ExecutionResult> {
    const { maxBytes } = this.limits;
    const around = new JsonMeasure().bytesOf(responseOf({ ...result, data: {} }), maxBytes);
    const json = around === null ? null : await LongJson.measure(result.data, maxBytes - around);
    if (around === null || json === null) this.#refuse(this.#tooLarge());
    else this.#hold(around + json.bytes);
    if (json === null || this.isUsedUp) return this.#refused();
    if (json.unwritten <= LONG_BYTES || maxBytes === Number.POSITIVE_INFINITY) return result;
    return { ...result, data: (await json.write()) as unknown as ExecutionResult['data'] };
  }

  /** Takes bytes of the memory of all answers. Where there is no room, the answer is refused. */
  #hold(bytes: number): void {
    // Nobody would give them back.
    if (this.#isReleased) return;
    if (this.limits.memory.acquire(bytes, this.#held)) this.#held += bytes;
    else this.#refuse(overloaded());
  }

  #refuse(error: ServiceError): void {
    this.#refusal ??= error;
  }

  #assertNotRefused(): void {
    if (this.#refusal !== null) throw this.#refusal;
  }

  #refused(): ExecutionResult {
    const { refusal } = this;
    return { errors: [new GraphQLError(refusal?.message ?? '', { originalError: refusal })] };
  }

  /** Resolves when a read has ended. The caller then has that read's slot. */
  #waitForSlot(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #tooLarge(): ServiceError {
    return new ServiceError(
      'PAYLOAD_TOO_LARGE',
      `The answer would be over ${this.limits.maxBytes} bytes; ask for smaller pages or fewer fields.`,
    );
  }
}

export function overloaded(): ServiceError {
  return new ServiceError('OVERLOADED', 'Other answers take all the room there is; try again later.', {
    retryAfterSeconds: 1,
  });
}

/** As long as the code of any error. */
const CODE = 'PERSISTED_QUERY_NOT_SUPPORTED';

/** As long as what is written of a result. */
function responseOf({ data, errors }: ExecutionResult): unknown {
  if (errors === undefined) return { data };
  const written = errors.map(({ message, path, locations }) => ({
    message,
    locations,
    path,
    extensions: { code: CODE },
  }));
  return { errors: written, data };
}
