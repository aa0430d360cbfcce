/** Drags a row by its handle, with any pointer. Near its edges, the list scrolls. */

/** Pixels that a pointer may move before a press becomes a drag. */
const DRAG_THRESHOLD = 5;
/** Pixels from an edge within which the list scrolls, and the maximum that it scrolls per frame. */
const EDGE = 48;
const MAX_SCROLL = 16;

export interface RowDragOptions {
  /** The scroll container: the head and the rows, each `rowHeight` high. */
  readonly box: () => HTMLElement;
  /** Pixels. */
  readonly rowHeight: number;
  /** Number of rows. */
  readonly count: () => number;
  readonly ondrop: (from: number, to: number) => void;
}

export class RowDrag {
  /** Index of the dragged row and of its target; null if none is dragged. */
  from = $state<number | null>(null);
  to = $state<number | null>(null);
  readonly #options: RowDragOptions;
  #pressed: {
    readonly pointer: number;
    readonly index: number;
    readonly x: number;
    readonly y: number;
  } | null = null;
  /** Position of the pointer in the window. */
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
    // The pointer was released outside the window.
    if (buttons === 0) return this.cancel();
    this.#y = clientY;
    if (this.from === null) {
      if (Math.hypot(clientX - pressed.x, clientY - pressed.y) < DRAG_THRESHOLD) return;
      this.from = pressed.index;
      // Scrolling may remove the row's element, so the container captures the pointer.
      this.#options.box().setPointerCapture(pointerId);
      requestAnimationFrame(() => this.#scroll());
    }
    this.#updateTarget();
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

  #updateTarget(): void {
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
    const speed = (depth: number) => Math.min(MAX_SCROLL, Math.max(0, depth / 3));
    box.scrollTop += speed(below) - speed(above);
    this.#updateTarget();
    requestAnimationFrame(() => this.#scroll());
  }
}
