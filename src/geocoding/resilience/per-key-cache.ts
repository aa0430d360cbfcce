/**
 * A bounded cache of one state per key, indexed by the key's digest. lru-cache does not fit: it would also evict a state
 * in use, and the key's next request would get a second queue.
 */

import { createHash } from 'node:crypto';

/** SHA-256 in base64url; compares secrets without keeping them. */
export function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

export class PerKeyCache<T> {
  readonly #create: () => T;
  readonly #mayEvict: (state: T) => boolean;
  readonly #limit: number;
  /** Least recently used first. */
  readonly #states = new Map<string, T>();

  /**
   * @param limit maximum number of states, exceeded only if all are in use
   * @param mayEvict true if the state is not in use
   */
  constructor(limit: number, create: () => T, mayEvict: (state: T) => boolean) {
    this.#create = create;
    this.#mayEvict = mayEvict;
    this.#limit = limit;
  }

  get size(): number {
    return this.#states.size;
  }

  get(key: string | null): T {
    const digest = key === null ? '' : digestOf(key);
    const state = this.#states.get(digest) ?? this.#create();
    this.#states.delete(digest);
    if (this.#states.size >= this.#limit) this.#evict();
    this.#states.set(digest, state);
    return state;
  }

  #evict(): void {
    for (const [digest, state] of this.#states) {
      if (this.#states.size < this.#limit) return;
      if (this.#mayEvict(state)) this.#states.delete(digest);
    }
  }
}
