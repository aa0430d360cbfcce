/** Counts the bytes of this process's responses: those being built, and those waiting for their readers. */

import { ServiceError } from '../../errors.ts';

export class ResponseMemory {
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes of all responses together */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Reserves bytes. A response always fits while it is the only one: its length has its own limit.
   *
   * @param own bytes that the response already holds
   * @returns false, with nothing reserved, when they do not fit
   */
  acquire(bytes: number, own: number): boolean {
    const hasRoom = bytes <= 0 || this.#bytes <= own || this.#bytes + bytes <= this.#maxBytes;
    if (hasRoom) this.#bytes += bytes;
    return hasRoom;
  }

  /** Counts bytes that exist already, whatever the limit. */
  add(bytes: number): void {
    this.#bytes += bytes;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}

export function responseMemoryFull(): ServiceError {
  return new ServiceError('OVERLOADED', 'Other responses use all the memory allowed; try again later.', {
    retryAfterSeconds: 1,
  });
}
