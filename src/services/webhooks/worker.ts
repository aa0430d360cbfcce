/**
 * Delivers the changes of a map to one webhook: reads the change log after the webhook's offset, sends one message at a
 * time, and saves the offset. A failed message is retried before any other is sent. After a crash, messages since the last
 * saved offset are sent again with the same ids.
 */

import type { ChangeOffset, LoggedChange } from '../../storage/changes.ts';
import { CHANGES_READABLE_MS } from '../../storage/changes.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WebhookPatch, WebhookRecord, WebhookStorage } from '../../storage/webhooks.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { Waker } from './waker.ts';
import type { WebhookMessage } from './message.ts';
import { changeMessage, resyncMessage } from './message.ts';
import { DeliveryState, isSameOffset } from './delivery-state.ts';
import type { RetryRule } from './retry.ts';
import type { Attempt, SendMessage } from './send-message.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';

/** The part of the store that delivery needs. */
export type DeliveryStorage = WebhookStorage &
  Pick<Storage, 'getLocations' | 'readChanges' | 'lastChange' | 'watchChanges'>;

export interface DeliveryObserver {
  onAttempt(webhook: WebhookRecord, message: WebhookMessage, attempt: Attempt): void;
  /** The webhook was disabled because of its last attempt. */
  onDisabled(webhook: WebhookRecord): void;
  /** The store failed; the call is retried. */
  onFailure(error: unknown): void;
}

export interface WebhookWorkerOptions {
  readonly storage: DeliveryStorage;
  readonly send: SendMessage;
  readonly concurrency: ConcurrencyLimit;
  readonly retry: RetryRule;
  /** Milliseconds per attempt. */
  readonly timeoutMs: number;
  /** Whether this process holds the delivery lease. */
  readonly mayDeliver: () => boolean;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly observer: DeliveryObserver;
}

/** Changes per read of the log. */
const BATCH = 100;
/** The offset is saved after this many deliveries, or this many milliseconds. */
const SAVE_AFTER = 20;
const SAVE_MS = 1_000;
/** Milliseconds between retries of a failed store call. */
const STORE_RETRY_MS = 1_000;
/** Milliseconds between two polls of a deleted map, which may be restored. */
const DELETED_MAP_POLL_MS = 10_000;
/** The system clock may be adjusted, so waits for an attempt are checked at least this often. */
const LONGEST_SLEEP_MS = 3_600_000;

export function isDeliverable({ isEnabled, secret }: WebhookRecord): boolean {
  return isEnabled && secret !== null;
}

/** The worker was stopped while the store did not respond. */
class StoppedError extends Error {}

export class WebhookWorker {
  readonly #options: WebhookWorkerOptions;
  readonly #waker = new Waker();
  readonly #aborting = new AbortController();
  readonly #state: DeliveryState;
  /** A pending resync message: its retries must be identical. */
  #resync: { readonly from: ChangeOffset; readonly to: ChangeOffset; readonly at: number } | null = null;
  #mayHaveChanged = false;
  #isStopping = false;
  /** The webhook was deleted or disabled. */
  #isOver = false;

  constructor(webhook: WebhookRecord, options: WebhookWorkerOptions) {
    this.#state = new DeliveryState(webhook);
    this.#options = options;
  }

  get webhook(): WebhookRecord {
    return this.#state.webhook;
  }

  get isFailing(): boolean {
    return this.#state.isFailing;
  }

  /** Resolves when the webhook is deleted or disabled, or the worker is stopped. */
  async run(): Promise<void> {
    try {
      while (!this.#isOver && !this.#isStopping) await this.#step();
      if (this.#isDirty) await this.#save();
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error;
    }
  }

  /** The map's log may have grown. */
  wake(): void {
    this.#waker.wake();
  }

  /** The webhook may have been changed or deleted. */
  refresh(): void {
    this.#mayHaveChanged = true;
    this.#waker.wake();
  }

  /** Stops after the message that is being sent. */
  stop(): void {
    this.#isStopping = true;
    this.#waker.wake();
  }

  /** Stops, and aborts the message that is being sent. */
  abort(): void {
    this.stop();
    this.#aborting.abort();
  }

  get #isDirty(): boolean {
    return this.#state.isDirty && !this.#isOver;
  }

  /** Whether something must happen before the next message. */
  get #isInterrupted(): boolean {
    return this.#isStopping || this.#isOver || this.#mayHaveChanged;
  }

  async #step(): Promise<void> {
    if (this.#mayHaveChanged) return this.#reload();
    if (!this.#options.mayDeliver()) return this.#waker.sleep(STORE_RETRY_MS);
    if (this.#isDirty && this.#isSaveDue) return this.#save();
    const { nextAttemptAt: next, failingSince } = this.#state.delivery;
    const now = this.#options.clock();
    if (next !== null && next > now) {
      const endsAt = failingSince === null ? next : failingSince + this.#options.retry.forMs;
      // The receiver's Retry-After exceeds the retry period.
      if (endsAt <= now) return this.#disable();
      return this.#waker.sleep(Math.min(next - now, endsAt - now, LONGEST_SLEEP_MS));
    }
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
    const { storage } = this.#options;
    const { mapId } = this.webhook;
    // By the system's clock, which the times of the log are of.
    const removedUntil = Date.now() - CHANGES_READABLE_MS;
    const read = await this.#retry(() =>
      storage.readChanges(mapId, this.#state.delivery.place, BATCH, { removedUntil }),
    );
    if (read.kind === 'too-old') return this.#sendResync();
    if (read.kind !== 'changes') return this.#waitForMap();
    if (read.changes.length === 0) return this.#waitForChanges();
    for (const change of read.changes) {
      if (this.#isInterrupted || !(await this.#handle(change))) return;
    }
  }

  /** @returns whether the next change may be sent */
  async #handle(change: LoggedChange): Promise<boolean> {
    if (!this.webhook.events.includes(change.kind)) {
      this.#state.skip(change);
      return true;
    }
    return this.#deliver(change, async () => {
      const { mapId } = this.webhook;
      const ids = change.kind === 'deleted' ? [] : [change.locationId];
      const { storage } = this.#options;
      const [location = null] =
        ids.length === 0 ? [] : await this.#retry(() => storage.getLocations(mapId, ids));
      return changeMessage(this.webhook, change, location);
    });
  }

  async #sendResync(): Promise<void> {
    const { mapId } = this.webhook;
    const from = this.#state.delivery.place;
    if (this.#resync === null || !isSameOffset(this.#resync.from, from)) {
      const last = await this.#retry(() => this.#options.storage.lastChange(mapId));
      if (last.kind !== 'place') return this.#waitForMap();
      this.#resync = { from, to: last.place, at: this.#options.clock() };
    }
    const { to, at } = this.#resync;
    await this.#deliver(to, () => resyncMessage(this.webhook, from, to, at));
  }

  /**
   * @param place the webhook's offset after the delivery
   * @returns whether the message was delivered
   */
  async #deliver(
    place: ChangeOffset,
    make: () => WebhookMessage | Promise<WebhookMessage>,
  ): Promise<boolean> {
    const { concurrency, send, timeoutMs, mayDeliver, observer } = this.#options;
    const release = await concurrency.acquire(this.isFailing);
    let attempt: Attempt;
    try {
      // Acquiring may have taken long.
      if (this.#isInterrupted || !mayDeliver()) return false;
      const message = await make();
      attempt = await send(this.webhook, message, timeoutMs, this.#aborting.signal);
      observer.onAttempt(this.webhook, message, attempt);
    } catch (error) {
      if (this.#aborting.signal.aborted) return false;
      throw error;
    } finally {
      release();
    }
    if (attempt.outcome !== 'delivered') {
      const isRetried = this.#state.fail(attempt, this.#options.clock(), this.#options.retry);
      await (isRetried ? this.#save() : this.#disable());
      return false;
    }
    const isFirst = this.#state.succeed(place, attempt);
    this.#resync = null;
    // Owners see at once that a webhook works, or works again.
    if (isFirst || this.#state.unsaved >= SAVE_AFTER || this.#isSaveDue) await this.#save();
    return true;
  }

  async #disable(): Promise<void> {
    await this.#save({ isEnabled: false });
    if (this.webhook.isEnabled) return;
    this.#isOver = true;
    this.#options.observer.onDisabled(this.webhook);
  }

  async #waitForChanges(): Promise<void> {
    if (!this.#isDirty) return this.#waker.sleep();
    // Skipped changes need no immediate save: skipping them again is cheap.
    return this.#state.unsaved > 0 ? this.#save() : this.#waker.sleep(SAVE_MS - this.#state.sinceSaveMs);
  }

  async #waitForMap(): Promise<void> {
    if (this.#isDirty) await this.#save();
    await this.#waker.sleep(DELETED_MAP_POLL_MS);
  }

  get #isSaveDue(): boolean {
    return this.#state.sinceSaveMs >= SAVE_MS;
  }

  /** Saves the state, merged with concurrent edits. */
  async #save(patch: Pick<WebhookPatch, 'isEnabled'> = {}): Promise<void> {
    const { storage } = this.#options;
    for (let given = patch; !this.#isOver;) {
      const { mapId, id, version } = this.webhook;
      const changes = { ...given, delivery: this.#state.delivery };
      const outcome = await this.#retry(() => storage.updateWebhook(mapId, id, changes, version));
      if (outcome.kind === 'missing') this.#isOver = true;
      else if (outcome.kind === 'updated') {
        this.#state.saved(outcome.webhook);
        return;
      } else {
        if (this.#merge(outcome.webhook)) given = {};
        if (!this.#isDirty) return;
      }
    }
  }

  /** @returns whether earlier failures no longer count */
  #merge(found: WebhookRecord): boolean {
    if (!isDeliverable(found)) this.#mayHaveChanged = true;
    return this.#state.merge(found);
  }

  async #reload(): Promise<void> {
    this.#mayHaveChanged = false;
    const { mapId, id, version } = this.webhook;
    const all = await this.#retry(() => this.#options.storage.listWebhooks(mapId));
    const found = all.find((each) => each.id === id);
    if (found === undefined) {
      this.#isOver = true;
      return;
    }
    if (found.version !== version) this.#merge(found);
    if (isDeliverable(found)) return;
    if (this.#isDirty) await this.#save();
    this.#isOver = true;
  }

  /** Retries until the store responds. @throws StoppedError once the worker is stopped */
  async #retry<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        this.#options.observer.onFailure(error);
        if (this.#isStopping) throw new StoppedError();
        await this.#waker.sleep(STORE_RETRY_MS);
      }
    }
  }
}
