/** The budget of one operation: rows it may read and bytes it may return, however its selections multiply. */

import type { ExecutionResult } from 'graphql';
import { GraphQLError } from 'graphql';

import { JsonMeasure, leastJsonBytes } from '../../domain/json/json-size.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import { CallerGoneError } from '../../services/scope.ts';
import { createScheduler } from '../../lib/cooperative-scheduler.ts';
import type { ResponseMemory } from './response-memory.ts';
import { responseMemoryFull } from './response-memory.ts';
import { LongJson } from './long-json.ts';

export interface BudgetLimits {
  /** Maps and locations that one operation may read. */
  readonly maxRows: number;
  /** Maximum JSON bytes of the response. Infinity for our own operations, whose result is not the response. */
  readonly maxBytes: number;
  /** Counts the bytes of all responses. */
  readonly memory: ResponseMemory;
}

/** Concurrent page reads per operation. The others wait and hold no memory yet. */
const MAX_READS = 8;
/** JSON bytes that are measured and written in one piece. */
const LONG_BYTES = 1024 * 1024;

/** A long page blocks an in-process store for about ten milliseconds, so start one per turn. */
const turnToRead = createScheduler(10);

export class OperationBudget {
  readonly limits: BudgetLimits;
  readonly #waiting: (() => void)[] = [];
  #rows: number;
  #bytes: number;
  #reads = 0;
  #longestRead = 0;
  /** Bytes held of the response memory. */
  #held = 0;
  #isReleased = false;
  #refusal: ServiceError | null = null;

  constructor(limits: BudgetLimits) {
    this.limits = limits;
    this.#rows = limits.maxRows;
    this.#bytes = limits.maxBytes;
  }

  /** Reserves rows before they are read. @throws ServiceError BAD_USER_INPUT if fewer are left */
  reserveRows(rows: number): void {
    if (rows > this.#rows) {
      throw badUserInput(
        `The operation reads more than the ${this.limits.maxRows} maps and locations allowed; request smaller pages.`,
      );
    }
    this.#rows -= rows;
  }

  /** Releases rows that a page did not have. */
  releaseRows(rows: number): void {
    this.#rows += rows;
  }

  /**
   * Reads a part of the response.
   *
   * @param sizeOf lower bound for the value's size as JSON, in bytes
   * @throws ServiceError PAYLOAD_TOO_LARGE if the response is too long already, OVERLOADED if the response memory is
   *   full
   */
  async read<T>(read: () => Promise<T>, sizeOf: (value: T) => number): Promise<T> {
    if (this.#reads < MAX_READS) this.#reads += 1;
    else await this.#waitForSlot();
    try {
      const pause = turnToRead();
      if (pause !== undefined) await pause;
      if (this.#isReleased) throw new CallerGoneError();
      // Assume that concurrent pages of one operation have similar sizes.
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
      // A waiting read takes over this one's slot.
      if (next === undefined) this.#reads -= 1;
      else next();
    }
  }

  /** Returns the result, or only an error if it exceeds the budget. A long result's data becomes JsonText. */
  limit(result: ExecutionResult): ExecutionResult | Promise<ExecutionResult> {
    const limit = Math.min(this.limits.maxBytes, LONG_BYTES);
    const bytes = this.isUsedUp ? 0 : new JsonMeasure().bytesOf(responseOf(result), limit);
    if (bytes === null) return this.#limitLong(result);
    this.#hold(bytes);
    return this.isUsedUp ? this.#refused() : result;
  }

  /** Why the whole response is rejected; null if it is not. */
  get refusal(): ServiceError | null {
    return this.#refusal;
  }

  /** Whether the whole response is rejected. */
  get isUsedUp(): boolean {
    return this.#refusal !== null;
  }

  /** Call it when the response was passed on or failed. Reads still in progress then fail. */
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

  /** Acquires response memory, or rejects the response if there is none left. */
  #hold(bytes: number): void {
    // Nothing would release them.
    if (this.#isReleased) return;
    if (this.limits.memory.acquire(bytes, this.#held)) this.#held += bytes;
    else this.#refuse(responseMemoryFull());
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

  /** Resolves when a read ends and its slot is free for the caller. */
  #waitForSlot(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #tooLarge(): ServiceError {
    return new ServiceError(
      'PAYLOAD_TOO_LARGE',
      `The response would exceed ${this.limits.maxBytes} bytes; request smaller pages or fewer fields.`,
    );
  }
}

/** Lower bound for the JSON of locations with all their fields, in bytes. */
export function sizeOfLocations(locations: readonly Pick<LocationRecord, 'properties'>[]): number {
  return locations.reduce((sum, { properties }) => sum + leastJsonBytes(properties), 0);
}

/** Lower bound for the JSON of maps with all their fields, in bytes. */
export function sizeOfMaps(maps: readonly Pick<MapRecord, 'name' | 'fields'>[]): number {
  return maps.reduce((sum, { name, fields }) => sum + leastJsonBytes(name) + leastJsonBytes(fields), 0);
}

/** As long as the longest error code. */
const CODE = 'PERSISTED_QUERY_NOT_SUPPORTED';

/** An object with the length of the written result. */
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
