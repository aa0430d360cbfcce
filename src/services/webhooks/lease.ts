/** A lease in the store: one process at a time holds it, and renews it before it expires. */

import type { WebhookStorage } from '../../storage/webhooks.ts';

/** Renewals per lease time. */
const RENEWALS = 3;
/** Safety margin: we stop using the lease this long before it expires, so two holders never overlap. */
const MARGIN = 1 / 15;

export interface LeaseOptions {
  readonly storage: Pick<WebhookStorage, 'holdLease' | 'dropLease'>;
  readonly name: string;
  /** Identifies this process. */
  readonly holder: string;
  /** Milliseconds until the lease expires without renewal. */
  readonly heldMs: number;
  /** The lease expired, or another process took it. */
  readonly onLost: () => void;
  /** A renewal failed; it is retried. */
  readonly onFailure: (error: unknown) => void;
}

export class Lease {
  readonly #options: LeaseOptions;
  /** On the monotonic clock; null if the lease is not held. */
  #heldUntil: number | null = null;
  #renewal: NodeJS.Timeout | null = null;
  #end: NodeJS.Timeout | null = null;
  #lastRenewal = Promise.resolve();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** Decided by the clock, so a suspended process knows when it resumes that the lease has expired. */
  get isHeld(): boolean {
    return this.#heldUntil !== null && performance.now() < this.#heldUntil;
  }

  /** @returns whether the lease is held now; if so, it is renewed until it is dropped or lost */
  async take(): Promise<boolean> {
    const startedAt = performance.now();
    const { storage, name, holder, heldMs } = this.#options;
    if (!(await storage.holdLease(name, holder, heldMs))) return false;
    this.#extend(startedAt);
    this.#renewal ??= setInterval(() => {
      this.#lastRenewal = this.#renew();
    }, heldMs / RENEWALS).unref();
    return this.isHeld;
  }

  async drop(): Promise<void> {
    if (this.#heldUntil === null) return;
    this.#forget();
    // A renewal in flight could take the lease again after it is dropped.
    await this.#lastRenewal;
    await this.#options.storage.dropLease(this.#options.name, this.#options.holder);
  }

  #extend(startedAt: number): void {
    this.#heldUntil = startedAt + this.#options.heldMs * (1 - MARGIN);
    if (this.#end !== null) clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#lose(), this.#heldUntil - performance.now()).unref();
  }

  async #renew(): Promise<void> {
    const startedAt = performance.now();
    const { storage, name, holder, heldMs, onFailure } = this.#options;
    try {
      const isRenewed = await storage.holdLease(name, holder, heldMs);
      if (this.#heldUntil === null) return;
      if (isRenewed) this.#extend(startedAt);
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
    if (this.#renewal !== null) clearInterval(this.#renewal);
    if (this.#end !== null) clearTimeout(this.#end);
    this.#renewal = null;
    this.#end = null;
  }
}
