/** When to replace a worker that ended: soon after a long life, with backoff in a crash loop, and finally never. */

/** Milliseconds. A worker that served at least this long counts as healthy. */
const STEADY_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** Consecutive starts that may fail. */
const MOST_FAILED_STARTS = 5;

/** The history of one worker and its replacements. */
export class Restarts {
  #quickEnds = 0;
  #failedStarts = 0;

  /** True when too many consecutive starts have failed. */
  get isHopeless(): boolean {
    return this.#failedStarts >= MOST_FAILED_STARTS;
  }

  /**
   * @param servedMs null for a worker that ended before it served
   * @returns milliseconds until the next start
   */
  afterEnd(servedMs: number | null): number {
    this.#failedStarts = servedMs === null ? this.#failedStarts + 1 : 0;
    this.#quickEnds = servedMs !== null && servedMs >= STEADY_MS ? 0 : this.#quickEnds + 1;
    return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, this.#quickEnds - 1));
  }
}
