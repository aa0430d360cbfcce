/** Finds the points that the address of the current row may mean. Each call counts towards the quotas. */

import { Attempt } from '../common/attempt.svelte.ts';
import type { Candidate } from '../form/location-draft.svelte.ts';

/** Milliseconds on an ambiguous row until its candidates are found, so that skipped rows cost nothing. */
const DELAY_MS = 500;

export class CandidateFinder {
  /** Null if they were not found yet. */
  found = $state.raw<readonly Candidate[] | null>(null);
  isFinding = $state(false);
  readonly attempt = new Attempt();
  readonly #find: (signal: AbortSignal) => Promise<readonly Candidate[]>;
  #request = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param find finds the candidates of the current row */
  constructor(find: (signal: AbortSignal) => Promise<readonly Candidate[]>) {
    this.#find = find;
  }

  /** Forgets what was found for another row, and what is still being found. */
  reset(): void {
    this.cancel();
    this.found = null;
    this.isFinding = false;
    this.attempt.problem = '';
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
  }

  /** @param find is called unless the user goes on before */
  schedule(find: () => Promise<void>): void {
    this.#timer = setTimeout(() => void find(), DELAY_MS);
  }

  /** Never rejects. */
  async find(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.isFinding || this.found !== null) return;
    this.#request = new AbortController();
    const { signal } = this.#request;
    this.isFinding = true;
    await this.attempt.run(async () => {
      try {
        const found = await this.#find(signal);
        if (!signal.aborted) this.found = found;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
    if (!signal.aborted) this.isFinding = false;
  }
}
