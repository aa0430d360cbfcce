/**
 * Delivers the changes of a map to one webhook: reads the change log after the webhook's offset, sends one message at a
 * time, and saves the offset. A failed message is retried before any other is sent. After a crash, messages since the last
 * saved offset are sent again with the same ids.
 */

import { isDeepStrictEqual } from 'node:util';

import type { ChangeOffset, LoggedChange } from '../../storage/changes.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WebhookDelivery, WebhookPatch, WebhookRecord, WebhookStorage } from '../../storage/webhooks.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { Waker } from './waker.ts';
import type { WebhookMessage } from './message.ts';
import { changeMessage, resyncMessage } from './message.ts';
import type { RetryRule } from './retry.ts';
import { nextAttemptAt } from './retry.ts';
import type { Attempt, SendMessage } from './send-message.ts';
import { GONE } from './send-message.ts';
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
  /** As last read from the store. */
  #webhook: WebhookRecord;
  /** Current offset and failures; may not be saved yet. */
  #delivery: WebhookDelivery;
  /** Deliveries since the last save. */
  #unsaved = 0;
  #savedAt = performance.now();
  /** A pending resync message: its retries must be identical. */
  #resync: { readonly from: ChangeOffset; readonly to: ChangeOffset; readonly at: number } | null = null;
  #mayHaveChanged = false;
  #isStopping = false;
  /** The webhook was deleted or disabled. */
  #isOver = false;

  constructor(webhook: WebhookRecord, options: WebhookWorkerOptions) {
    this.#webhook = webhook;
    this.#delivery = webhook.delivery;
    this.#options = options;
  }

  get webhook(): WebhookRecord {
    return this.#webhook;
  }

  get isFailing(): boolean {
    return this.#delivery.failures > 0;
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
    return this.#delivery !== this.#webhook.delivery && !this.#isOver;
  }

  /** Whether something must happen before the next message. */
  get #isInterrupted(): boolean {
    return this.#isStopping || this.#isOver || this.#mayHaveChanged;
  }

  async #step(): Promise<void> {
    if (this.#mayHaveChanged) return this.#reload();
    if (!this.#options.mayDeliver()) return this.#waker.sleep(STORE_RETRY_MS);
    if (this.#isDirty && this.#untilSave() <= 0) return this.#save();
    const { nextAttemptAt: next, failingSince } = this.#delivery;
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
    const { mapId } = this.#webhook;
    const read = await this.#retry(() => storage.readChanges(mapId, this.#delivery.place, BATCH));
    if (read.kind === 'too-old') return this.#sendResync();
    if (read.kind !== 'changes') return this.#waitForMap();
    if (read.changes.length === 0) return this.#waitForChanges();
    for (const change of read.changes) {
      if (this.#isInterrupted || !(await this.#handle(change))) return;
    }
  }

  /** @returns whether the next change may be sent */
  async #handle(change: LoggedChange): Promise<boolean> {
    if (!this.#webhook.events.includes(change.kind)) {
      // The event was deselected while its message was being retried: forget the failures.
      this.#delivery = { ...this.#delivery, ...NO_FAILURES, place: offsetOf(change) };
      return true;
    }
    return this.#deliver(change, async () => {
      const { mapId } = this.#webhook;
      const ids = change.kind === 'deleted' ? [] : [change.locationId];
      const { storage } = this.#options;
      const [location = null] =
        ids.length === 0 ? [] : await this.#retry(() => storage.getLocations(mapId, ids));
      return changeMessage(this.#webhook, change, location);
    });
  }

  async #sendResync(): Promise<void> {
    const { mapId } = this.#webhook;
    const from = this.#delivery.place;
    if (this.#resync === null || !isSameOffset(this.#resync.from, from)) {
      const last = await this.#retry(() => this.#options.storage.lastChange(mapId));
      if (last.kind !== 'place') return this.#waitForMap();
      this.#resync = { from, to: last.place, at: this.#options.clock() };
    }
    const { to, at } = this.#resync;
    await this.#deliver(to, () => resyncMessage(this.#webhook, from, to, at));
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
      attempt = await send(this.#webhook, message, timeoutMs, this.#aborting.signal);
      observer.onAttempt(this.#webhook, message, attempt);
    } catch (error) {
      if (this.#aborting.signal.aborted) return false;
      throw error;
    } finally {
      release();
    }
    const last = { lastAttemptAt: attempt.at, lastStatus: attempt.status, lastError: attempt.error };
    if (attempt.outcome !== 'delivered') {
      await this.#fail(attempt, last);
      return false;
    }
    const isFirst = this.isFailing || this.#delivery.lastAttemptAt === null;
    this.#delivery = { place: offsetOf(place), ...NO_FAILURES, ...last };
    this.#unsaved += 1;
    this.#resync = null;
    // Owners see at once that a webhook works, or works again.
    if (isFirst || this.#unsaved >= SAVE_AFTER || this.#untilSave() <= 0) await this.#save();
    return true;
  }

  async #fail(
    { status, retryAfterMs }: Attempt,
    last: Pick<WebhookDelivery, 'lastAttemptAt' | 'lastStatus' | 'lastError'>,
  ): Promise<void> {
    const now = this.#options.clock();
    const failures = this.#delivery.failures + 1;
    const failingSince = this.#delivery.failingSince ?? now;
    const next =
      status === GONE
        ? null
        : nextAttemptAt({ failures, failingSince, now, retryAfterMs }, this.#options.retry);
    this.#delivery = { ...this.#delivery, failures, failingSince, nextAttemptAt: next, ...last };
    if (next === null) await this.#disable();
    else await this.#save();
  }

  async #disable(): Promise<void> {
    await this.#save({ isEnabled: false });
    if (this.#webhook.isEnabled) return;
    this.#isOver = true;
    this.#options.observer.onDisabled(this.#webhook);
  }

  async #waitForChanges(): Promise<void> {
    if (!this.#isDirty) return this.#waker.sleep();
    // Skipped changes need no immediate save: skipping them again is cheap.
    return this.#unsaved > 0 ? this.#save() : this.#waker.sleep(this.#untilSave());
  }

  async #waitForMap(): Promise<void> {
    if (this.#isDirty) await this.#save();
    await this.#waker.sleep(DELETED_MAP_POLL_MS);
  }

  #untilSave(): number {
    return this.#savedAt + SAVE_MS - performance.now();
  }

  /** On a concurrent edit, merges; the other writer's values win. */
  async #save(patch: Pick<WebhookPatch, 'isEnabled'> = {}): Promise<void> {
    const { storage } = this.#options;
    for (let given = patch; !this.#isOver;) {
      const { mapId, id, version } = this.#webhook;
      const changes = { ...given, delivery: this.#delivery };
      const outcome = await this.#retry(() => storage.updateWebhook(mapId, id, changes, version));
      if (outcome.kind === 'missing') this.#isOver = true;
      else if (outcome.kind === 'updated') {
        this.#webhook = outcome.webhook;
        this.#delivery = outcome.webhook.delivery;
        this.#unsaved = 0;
        this.#savedAt = performance.now();
        return;
      } else {
        if (this.#adopt(outcome.webhook)) given = {};
        if (!this.#isDirty) return;
      }
    }
  }

  /** Merges a concurrent edit. @returns whether earlier failures no longer count */
  #adopt(found: WebhookRecord): boolean {
    const { url, delivery: before } = this.#webhook;
    const isDeliveryUntouched = isDeepStrictEqual(found.delivery, before);
    const hasMoved = !isSameOffset(this.#delivery.place, before.place);
    const isOffsetUntouched = isSameOffset(found.delivery.place, before.place);
    const hasNewUrl = found.url !== url;
    let kept = isDeliveryUntouched || (hasMoved && isOffsetUntouched) ? this.#delivery : found.delivery;
    // Failures of the former URL do not count for the new one.
    if (hasNewUrl) kept = { ...found.delivery, place: kept.place };
    this.#webhook = found;
    this.#delivery = isDeepStrictEqual(kept, found.delivery) ? found.delivery : kept;
    if (!isDeliverable(found)) this.#mayHaveChanged = true;
    return !isDeliveryUntouched || hasNewUrl;
  }

  async #reload(): Promise<void> {
    this.#mayHaveChanged = false;
    const { mapId, id, version } = this.#webhook;
    const all = await this.#retry(() => this.#options.storage.listWebhooks(mapId));
    const found = all.find((each) => each.id === id);
    if (found === undefined) {
      this.#isOver = true;
      return;
    }
    if (found.version !== version) this.#adopt(found);
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

const NO_FAILURES = { failures: 0, failingSince: null, nextAttemptAt: null } as const;

/** Drops the other members of a change. */
function offsetOf({ number, stamp }: ChangeOffset): ChangeOffset {
  return { number, stamp };
}

function isSameOffset(one: ChangeOffset, other: ChangeOffset): boolean {
  return one.number === other.number && one.stamp === other.stamp;
}
