/** The rows in view. Only these and a few around them are in the DOM, so that long lists scroll smoothly. */

/** Height of a row and of the table head, pixels, as in console/styles. */
export const ROW_HEIGHT = 44;
/** Rows rendered outside the visible area. */
const OVERSCAN = 8;
/** Pixels at the bottom that notices may cover. */
const NOTICE_HEIGHT = 80;

export class RowWindow {
  /** Scroll position, pixels. */
  top = $state(0);
  /** Height of the scroll container, pixels. */
  height = $state(600);
  readonly #count: () => number;

  // The list may have become shorter than the scroll position.
  readonly #firstVisible = $derived.by(() =>
    Math.min(Math.floor(this.top / ROW_HEIGHT), Math.max(0, this.#count() - 1)),
  );
  /** Index of the first row in the DOM. */
  readonly first = $derived.by(() => Math.max(0, this.#firstVisible - OVERSCAN));
  /** Index after the last row in the DOM. */
  readonly end = $derived.by(() =>
    Math.min(this.#count(), this.#firstVisible + Math.ceil(this.height / ROW_HEIGHT) + OVERSCAN),
  );

  /** @param count number of rows */
  constructor(count: () => number) {
    this.#count = count;
  }

  /** Whether the row is about to leave the DOM. */
  isLeaving(index: number): boolean {
    const rowTop = index * ROW_HEIGHT;
    return (
      rowTop < this.top - OVERSCAN * ROW_HEIGHT ||
      rowTop > this.top + this.height + (OVERSCAN - 1) * ROW_HEIGHT
    );
  }

  /** The scroll position at which the row is visible: below the head and above notices. */
  scrollTopFor(index: number, scrollTop: number): number {
    const rowTop = index * ROW_HEIGHT;
    const lowest = this.height - 2 * ROW_HEIGHT - NOTICE_HEIGHT;
    if (rowTop < scrollTop) return rowTop;
    return rowTop > scrollTop + lowest ? rowTop - lowest : scrollTop;
  }

  /** Rows that a navigation key moves by; null for other keys. */
  stepOf(key: string): number | null {
    const page = Math.max(1, Math.floor(this.height / ROW_HEIGHT) - 2);
    const count = this.#count();
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -count,
      End: count,
    };
    return steps[key] ?? null;
  }
}
