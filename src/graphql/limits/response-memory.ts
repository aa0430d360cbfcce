/** The bytes of this process's answers: of those in the making, and of those that wait for their readers. */

export class ResponseMemory {
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes of all answers together */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Sets bytes aside. A single answer always has room: its length has a limit of its own.
   *
   * @param own bytes that the answer already has
   * @returns false, with nothing done, when there is no room
   */
  acquire(bytes: number, own: number): boolean {
    const hasRoom = bytes <= 0 || this.#bytes <= own || this.#bytes + bytes <= this.#maxBytes;
    if (hasRoom) this.#bytes += bytes;
    return hasRoom;
  }

  /** Counts bytes that are there already. */
  add(bytes: number): void {
    this.#bytes += bytes;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}
