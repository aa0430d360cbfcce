/**
 * One webhook's way through its map's log: reads what comes after its place, sends one message after the other, and keeps
 * how far it has come. A message that has failed is sent again before any other. What was delivered since the place was
 * last kept is delivered again after a crash, with the same ids.
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

/** What delivering needs of a store. */
export type DeliveryStorage = WebhookStorage &
  Pick<Storage, 'getLocations' | 'readChanges' | 'lastChange' | 'watchChanges'>;

export interface DeliveryObserver {
  onAttempt(webhook: WebhookRecord, message: WebhookMessage, attempt: Attempt): void;
  /** It was disabled, for what its last attempt says. */
  onDisabled(webhook: WebhookRecord): void;
  /** The store has failed; it is asked again. */
  onFailure(error: unknown): void;
}

export interface WebhookWorkerOptions {
  readonly storage: DeliveryStorage;
  readonly send: SendMessage;
  readonly concurrency: ConcurrencyLimit;
  readonly retry: RetryRule;
  /** Of an attempt, milliseconds. */
  readonly timeoutMs: number;
  /** Whether this process is the one that delivers, as far as it can know. */
  readonly mayDeliver: () => boolean;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly observer: DeliveryObserver;
}

/** Changes that are read at once. */
const BATCH = 100;
/** Deliveries, and milliseconds, after which at the latest it is kept how far it has come. */
const SAVE_AFTER = 20;
const SAVE_MS = 1_000;
/** Milliseconds until a store that has failed is asked again. */
const AGAIN_MS = 1_000;
/** Milliseconds between two looks at a map that is deleted: it may be restored. */
const DELETED_MAP_MS = 10_000;
/** The longest sleep before an attempt: the machine's clock may be set. */
const LONGEST_SLEEP_MS = 3_600_000;

export function isDeliverable({ isEnabled, secret }: WebhookRecord): boolean {
  return isEnabled && secret !== null;
}

/** The store does not answer, and nobody waits for it any more. */
class StoppedError extends Error {}

export class WebhookWorker {
  readonly #options: WebhookWorkerOptions;
  readonly #waker = new Waker();
  readonly #cutting = new AbortController();
  /** As it was last seen in the store. */
  #webhook: WebhookRecord;
  /** How far it has come, which the store may not know yet. */
  #delivery: WebhookDelivery;
  /** Deliveries that the store does not know of. */
  #unsaved = 0;
  #savedAt = performance.now();
  /** Where a resync leads to that is not delivered yet: further attempts of it are to be the same. */
  #resync: { readonly from: ChangeOffset; readonly to: ChangeOffset; readonly at: number } | null = null;
  #mayHaveChanged = false;
  #isStopping = false;
  /** True where there is nothing more to do: it was deleted or disabled. */
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

  /** Ends when the webhook is deleted or disabled, or it is told to stop. */
  async run(): Promise<void> {
    try {
      while (!this.#isOver && !this.#isStopping) await this.#step();
      if (this.#isDirty) await this.#save();
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error;
    }
  }

  /** Its map's log may have grown. */
  wake(): void {
    this.#waker.wake();
  }

  /** Somebody may have changed or deleted the webhook. */
  lookAgain(): void {
    this.#mayHaveChanged = true;
    this.#waker.wake();
  }

  /** Nothing more is sent. What is under way is finished. */
  stop(): void {
    this.#isStopping = true;
    this.#waker.wake();
  }

  /** As {@link stop}, and cuts what is under way. */
  cut(): void {
    this.stop();
    this.#cutting.abort();
  }

  get #isDirty(): boolean {
    return this.#delivery !== this.#webhook.delivery && !this.#isOver;
  }

  /** Whether something else is to be done before the next message. */
  get #isInterrupted(): boolean {
    return this.#isStopping || this.#isOver || this.#mayHaveChanged;
  }

  async #step(): Promise<void> {
    if (this.#mayHaveChanged) return this.#readAnew();
    if (!this.#options.mayDeliver()) return this.#waker.sleep(AGAIN_MS);
    if (this.#isDirty && this.#untilSave() <= 0) return this.#save();
    const { nextAttemptAt: next, failingSince } = this.#delivery;
    const now = this.#options.clock();
    if (next !== null && next > now) {
      const endsAt = failingSince === null ? next : failingSince + this.#options.retry.forMs;
      // The receiver has asked for more time than there is.
      if (endsAt <= now) return this.#disable();
      return this.#waker.sleep(Math.min(next - now, endsAt - now, LONGEST_SLEEP_MS));
    }
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
    const { storage } = this.#options;
    const { mapId } = this.#webhook;
    const read = await this.#ask(() => storage.readChanges(mapId, this.#delivery.place, BATCH));
    if (read.kind === 'too-old') return this.#tellToResync();
    if (read.kind !== 'changes') return this.#waitForMap();
    if (read.changes.length === 0) return this.#waitForChanges();
    for (const change of read.changes) {
      if (this.#isInterrupted || !(await this.#tell(change))) return;
    }
  }

  /** @returns whether the next change may be told */
  async #tell(change: LoggedChange): Promise<boolean> {
    if (!this.#webhook.events.includes(change.kind)) {
      // What has failed was for the same place, and is wanted no longer.
      this.#delivery = { ...this.#delivery, ...NO_FAILURES, place: offsetOf(change) };
      return true;
    }
    return this.#deliver(change, async () => {
      const { mapId } = this.#webhook;
      const ids = change.kind === 'deleted' ? [] : [change.locationId];
      const { storage } = this.#options;
      const [location = null] =
        ids.length === 0 ? [] : await this.#ask(() => storage.getLocations(mapId, ids));
      return changeMessage(this.#webhook, change, location);
    });
  }

  async #tellToResync(): Promise<void> {
    const { mapId } = this.#webhook;
    const from = this.#delivery.place;
    if (this.#resync === null || !isSameOffset(this.#resync.from, from)) {
      const last = await this.#ask(() => this.#options.storage.lastChange(mapId));
      if (last.kind !== 'place') return this.#waitForMap();
      this.#resync = { from, to: last.place, at: this.#options.clock() };
    }
    const { to, at } = this.#resync;
    await this.#deliver(to, () => resyncMessage(this.#webhook, from, to, at));
  }

  /**
   * @param place where it stands when that is delivered
   * @returns whether it was
   */
  async #deliver(
    place: ChangeOffset,
    make: () => WebhookMessage | Promise<WebhookMessage>,
  ): Promise<boolean> {
    const { concurrency, send, timeoutMs, mayDeliver, observer } = this.#options;
    const giveBack = await concurrency.acquire(this.isFailing);
    let attempt: Attempt;
    try {
      // It may have waited for long.
      if (this.#isInterrupted || !mayDeliver()) return false;
      const message = await make();
      attempt = await send(this.#webhook, message, timeoutMs, this.#cutting.signal);
      observer.onAttempt(this.#webhook, message, attempt);
    } catch (error) {
      if (this.#cutting.signal.aborted) return false;
      throw error;
    } finally {
      giveBack();
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
    // That it works, or works again, is shown at once.
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
    // What was only passed over can be passed over again.
    return this.#unsaved > 0 ? this.#save() : this.#waker.sleep(this.#untilSave());
  }

  async #waitForMap(): Promise<void> {
    if (this.#isDirty) await this.#save();
    await this.#waker.sleep(DELETED_MAP_MS);
  }

  #untilSave(): number {
    return this.#savedAt + SAVE_MS - performance.now();
  }

  /** Keeps how far it has come. Where somebody else has changed the webhook meanwhile, both hold, and what they say wins. */
  async #save(patch: Pick<WebhookPatch, 'isEnabled'> = {}): Promise<void> {
    const { storage } = this.#options;
    for (let given = patch; !this.#isOver;) {
      const { mapId, id, version } = this.#webhook;
      const changes = { ...given, delivery: this.#delivery };
      const outcome = await this.#ask(() => storage.updateWebhook(mapId, id, changes, version));
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

  /** Takes in what somebody else has made of the webhook. @returns whether a failure of before means nothing any more */
  #adopt(found: WebhookRecord): boolean {
    const { url, delivery: before } = this.#webhook;
    const hasSaidNothing = isDeepStrictEqual(found.delivery, before);
    const hasMoved = !isSameOffset(this.#delivery.place, before.place);
    const isWhereItWas = isSameOffset(found.delivery.place, before.place);
    const isElsewhere = found.url !== url;
    let kept = hasSaidNothing || (hasMoved && isWhereItWas) ? this.#delivery : found.delivery;
    // What the former address has answered is nothing to the new one.
    if (isElsewhere) kept = { ...found.delivery, place: kept.place };
    this.#webhook = found;
    this.#delivery = isDeepStrictEqual(kept, found.delivery) ? found.delivery : kept;
    if (!isDeliverable(found)) this.#mayHaveChanged = true;
    return !hasSaidNothing || isElsewhere;
  }

  async #readAnew(): Promise<void> {
    this.#mayHaveChanged = false;
    const { mapId, id, version } = this.#webhook;
    const all = await this.#ask(() => this.#options.storage.listWebhooks(mapId));
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

  /** Until the store answers, or it is told to stop. @throws StoppedError */
  async #ask<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        this.#options.observer.onFailure(error);
        if (this.#isStopping) throw new StoppedError();
        await this.#waker.sleep(AGAIN_MS);
      }
    }
  }
}

const NO_FAILURES = { failures: 0, failingSince: null, nextAttemptAt: null } as const;

/** Without what else a change has. */
function offsetOf({ number, stamp }: ChangeOffset): ChangeOffset {
  return { number, stamp };
}

function isSameOffset(one: ChangeOffset, other: ChangeOffset): boolean {
  return one.number === other.number && one.stamp === other.stamp;
}
