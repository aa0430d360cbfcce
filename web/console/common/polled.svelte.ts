/** A value of the server, polled while the page is visible. */

import { messageOf } from './messages.ts';

/** Milliseconds from a response to the next request. */
export const POLL_INTERVAL_MS = 5_000;

/** Adds an item that a mutation returned, or replaces the one with its id: a list read meanwhile may have it already. */
export function put<Item extends { readonly id: string }>(items: readonly Item[], item: Item): Item[] {
  const isKnown = items.some(({ id }) => id === item.id);
  return isKnown ? items.map((one) => (one.id === item.id ? item : one)) : [...items, item];
}

export class Polled<Value> {
  /** Null until loaded. */
  current = $state.raw<Value | null>(null);
  /** Why the last request failed; empty if it did not. */
  problem = $state('');
  readonly #read: (signal: AbortSignal) => Promise<Value>;
  #isWatching = false;
  #request = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(read: (signal: AbortSignal) => Promise<Value>) {
    this.#read = read;
  }

  /**
   * Loads the value now and every five seconds while the page is visible.
   *
   * @param options.isLoaded whether the value is known already, so that the first request can wait
   * @returns a function that stops it
   */
  watch({ isLoaded = false } = {}): () => void {
    const load = () => void this.load();
    this.#isWatching = true;
    document.addEventListener('visibilitychange', load);
    if (isLoaded) this.#schedule();
    else load();
    return () => {
      this.#isWatching = false;
      document.removeEventListener('visibilitychange', load);
      this.#stop();
    };
  }

  /** Replaces the value after a mutation. The current request may be older and is dropped. */
  set(value: Value): void {
    this.#stop();
    this.current = value;
    this.#schedule();
  }

  /** Never rejects. */
  async load(): Promise<void> {
    this.#stop();
    // Loads when the page becomes visible again.
    if (document.visibilityState === 'hidden') return;
    const { signal } = (this.#request = new AbortController());
    try {
      const value = await this.#read(signal);
      if (signal.aborted) return;
      this.current = value;
      this.problem = '';
    } catch (error) {
      if (signal.aborted) return;
      this.problem = messageOf(error);
    }
    this.#schedule();
  }

  #stop(): void {
    this.#request.abort();
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#isWatching) this.#timer = setTimeout(() => void this.load(), POLL_INTERVAL_MS);
  }
}
