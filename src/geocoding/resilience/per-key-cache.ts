/**
 * A state for each key, found by the key's digest, with a bound on their number. lru-cache does not fit: it would also
 * forget a state in use, and the key's next request would get a second queue beside the first.
 */

import { createHash } from 'node:crypto';

/** SHA-256, base64url. It stands for a secret where secrets only need to be told apart. */
export function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

export class PerKeyCache<T> {
  readonly #create: () => T;
  readonly #mayEvict: (state: T) => boolean;
  readonly #limit: number;
  /** The least recently used comes first. */
  readonly #states = new Map<string, T>();

  /**
   * @param limit states kept; more are kept only while all of them are in use
   * @param mayEvict true when the state is not in use
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
    if (this.#states.size >= this.#limit) this.#forgetSome();
    this.#states.set(digest, state);
    return state;
  }

  #forgetSome(): void {
    for (const [digest, state] of this.#states) {
      if (this.#states.size < this.#limit) return;
      if (this.#mayEvict(state)) this.#states.delete(digest);
    }
  }
}
