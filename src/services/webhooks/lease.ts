/** The right to do what one process of all does, for as long as the store gives it. */

import type { WebhookStorage } from '../../storage/webhooks.ts';

/** How often it is kept in the time that it holds. */
const KEPT_TIMES = 3;
/** The part of that time before its end when it counts as over here: whoever takes it is not to meet us. */
const MARGIN = 1 / 15;

export interface LeaseOptions {
  readonly storage: Pick<WebhookStorage, 'holdLease' | 'dropLease'>;
  readonly name: string;
  /** Tells the processes apart. */
  readonly holder: string;
  /** Milliseconds that it holds without being kept. */
  readonly heldMs: number;
  /** It was lost without being dropped. */
  readonly onLost: () => void;
  /** It could not be kept now; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

export class Lease {
  readonly #options: LeaseOptions;
  /** On the monotonic clock; null where it is not held. */
  #heldUntil: number | null = null;
  #keeping: NodeJS.Timeout | null = null;
  #end: NodeJS.Timeout | null = null;
  #lastKept = Promise.resolve();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** By the clock: a process that was stopped for a while has lost it, whether or not it was told. */
  get isHeld(): boolean {
    return this.#heldUntil !== null && performance.now() < this.#heldUntil;
  }

  /** @returns whether it is held now. Then it is kept, until it is dropped or lost */
  async take(): Promise<boolean> {
    const begun = performance.now();
    const { storage, name, holder, heldMs } = this.#options;
    if (!(await storage.holdLease(name, holder, heldMs))) return false;
    this.#extend(begun);
    this.#keeping ??= setInterval(() => {
      this.#lastKept = this.#keep();
    }, heldMs / KEPT_TIMES).unref();
    return this.isHeld;
  }

  async drop(): Promise<void> {
    if (this.#heldUntil === null) return;
    this.#forget();
    // Else it could be taken again after it was let go.
    await this.#lastKept;
    await this.#options.storage.dropLease(this.#options.name, this.#options.holder);
  }

  #extend(begun: number): void {
    this.#heldUntil = begun + this.#options.heldMs * (1 - MARGIN);
    if (this.#end !== null) clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#lose(), this.#heldUntil - performance.now()).unref();
  }

  async #keep(): Promise<void> {
    const begun = performance.now();
    const { storage, name, holder, heldMs, onFailure } = this.#options;
    try {
      const isKept = await storage.holdLease(name, holder, heldMs);
      if (this.#heldUntil === null) return;
      if (isKept) this.#extend(begun);
      else this.#lose();
    } catch (error) {
      onFailure(error);
    }
  }

  #lose(): void {
    this.#forget();
    this.#options.onLost();
  }

  #forget(): void {
    this.#heldUntil = null;
    if (this.#keeping !== null) clearInterval(this.#keeping);
    if (this.#end !== null) clearTimeout(this.#end);
    this.#keeping = null;
    this.#end = null;
  }
}
