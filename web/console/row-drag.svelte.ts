/** A row that is dragged by its handle: with a mouse, a pen or a finger, and farther than the list shows. */

/** Pixels that a pointer may tremble while it presses. */
const TREMBLE = 5;
/** Pixels from the list's edges within which it scrolls, and the most that it scrolls in a frame. */
const EDGE = 48;
const MAX_SCROLL = 16;

export interface RowDragOptions {
  /** What scrolls: the head and the rows, each as high as `rowHeight`, pixels. */
  readonly box: () => HTMLElement;
  readonly rowHeight: number;
  /** How many rows there are. */
  readonly count: () => number;
  readonly ondrop: (from: number, to: number) => void;
}

export class RowDrag {
  /** The row that is dragged, and where it would stand; null while none is. */
  from = $state<number | null>(null);
  to = $state<number | null>(null);
  readonly #options: RowDragOptions;
  #pressed: {
    readonly pointer: number;
    readonly index: number;
    readonly x: number;
    readonly y: number;
  } | null = null;
  /** Of the pointer, in the window. */
  #y = 0;

  constructor(options: RowDragOptions) {
    this.#options = options;
  }

  press({ pointerId, button, clientX, clientY }: PointerEvent, index: number): void {
    if (button === 0) this.#pressed = { pointer: pointerId, index, x: clientX, y: clientY };
  }

  move({ pointerId, buttons, clientX, clientY }: PointerEvent): void {
    const pressed = this.#pressed;
    if (pressed?.pointer !== pointerId) return;
    // It was let go where nothing told of it.
    if (buttons === 0) return this.cancel();
    this.#y = clientY;
    if (this.from === null) {
      if (Math.hypot(clientX - pressed.x, clientY - pressed.y) < TREMBLE) return;
      this.from = pressed.index;
      // The row may be scrolled away, and its element with it.
      this.#options.box().setPointerCapture(pointerId);
      requestAnimationFrame(() => this.#scroll());
    }
    this.#aim();
  }

  release(): void {
    const { from, to } = this;
    this.cancel();
    if (from !== null && to !== null && from !== to) this.#options.ondrop(from, to);
  }

  cancel(): void {
    this.#pressed = null;
    this.from = null;
    this.to = null;
  }

  #aim(): void {
    const { box, rowHeight, count } = this.#options;
    const y = this.#y - box().getBoundingClientRect().top + box().scrollTop - rowHeight;
    this.to = Math.max(0, Math.min(count() - 1, Math.floor(y / rowHeight)));
  }

  #scroll(): void {
    if (this.from === null) return;
    const box = this.#options.box();
    const { top, bottom } = box.getBoundingClientRect();
    const above = top + this.#options.rowHeight + EDGE - this.#y;
    const below = this.#y - (bottom - EDGE);
    const most = (depth: number) => Math.min(MAX_SCROLL, Math.max(0, depth / 3));
    box.scrollTop += most(below) - most(above);
    this.#aim();
    requestAnimationFrame(() => this.#scroll());
  }
}
