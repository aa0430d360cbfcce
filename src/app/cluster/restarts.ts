/** When an ended worker is replaced: at once after a long life, later and later in a crash loop, and finally never. */

/** Milliseconds. A worker that served at least this long counts as healthy. */
const STEADY_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** How many starts in a row may fail. */
const MOST_FAILED_STARTS = 5;

/** Counts for one worker and those that replace it. */
export class Restarts {
  #quickEnds = 0;
  #failedStarts = 0;

  /** True when the last starts have all failed. */
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
