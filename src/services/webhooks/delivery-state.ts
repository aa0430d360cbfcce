/** The state of one webhook: its stored record, and the offset and failures since the last save. */

import { isDeepStrictEqual } from 'node:util';

import type { ChangeOffset } from '../../storage/changes.ts';
import type { WebhookDelivery, WebhookRecord } from '../../storage/webhooks.ts';
import type { RetryRule } from './retry.ts';
import { nextAttemptAt } from './retry.ts';
import type { Attempt } from './send-message.ts';
import { GONE } from './send-message.ts';

const NO_FAILURES = { failures: 0, failingSince: null, nextAttemptAt: null } as const;

export class DeliveryState {
  #webhook: WebhookRecord;
  #delivery: WebhookDelivery;
  #unsaved = 0;
  #savedAt = performance.now();

  constructor(webhook: WebhookRecord) {
    this.#webhook = webhook;
    this.#delivery = webhook.delivery;
  }

  /** As last read from the store. */
  get webhook(): WebhookRecord {
    return this.#webhook;
  }

  /** Current offset and failures; may not be saved yet. */
  get delivery(): WebhookDelivery {
    return this.#delivery;
  }

  get isFailing(): boolean {
    return this.#delivery.failures > 0;
  }

  get isDirty(): boolean {
    return this.#delivery !== this.#webhook.delivery;
  }

  /** Deliveries since the last save. */
  get unsaved(): number {
    return this.#unsaved;
  }

  /** Milliseconds since the last save. */
  get sinceSaveMs(): number {
    return performance.now() - this.#savedAt;
  }

  /** Passes a change that the webhook does not want. Failures of its message, before it was deselected, do not count. */
  skip(place: ChangeOffset): void {
    this.#delivery = { ...this.#delivery, ...NO_FAILURES, place: offsetOf(place) };
  }

  /** @returns whether this is the first delivery, or the first one after failures */
  succeed(place: ChangeOffset, attempt: Attempt): boolean {
    const isFirst = this.isFailing || this.#delivery.lastAttemptAt === null;
    this.#delivery = { place: offsetOf(place), ...NO_FAILURES, ...lastOf(attempt) };
    this.#unsaved += 1;
    return isFirst;
  }

  /** @returns whether the message is to be retried */
  fail(attempt: Attempt, now: number, retry: RetryRule): boolean {
    const { status, retryAfterMs } = attempt;
    const failures = this.#delivery.failures + 1;
    const failingSince = this.#delivery.failingSince ?? now;
    const next = status === GONE ? null : nextAttemptAt({ failures, failingSince, now, retryAfterMs }, retry);
    this.#delivery = {
      ...this.#delivery,
      ...{ failures, failingSince, nextAttemptAt: next },
      ...lastOf(attempt),
    };
    return next !== null;
  }

  saved(webhook: WebhookRecord): void {
    this.#webhook = webhook;
    this.#delivery = webhook.delivery;
    this.#unsaved = 0;
    this.#savedAt = performance.now();
  }

  /** Merges a concurrent edit; its values win. @returns whether earlier failures no longer count */
  merge(found: WebhookRecord): boolean {
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
    return !isDeliveryUntouched || hasNewUrl;
  }
}

function lastOf({ at, status, error }: Attempt) {
  return { lastAttemptAt: at, lastStatus: status, lastError: error };
}

/** Drops the other members of a change. */
function offsetOf({ number, stamp }: ChangeOffset): ChangeOffset {
  return { number, stamp };
}

export function isSameOffset(one: ChangeOffset, other: ChangeOffset): boolean {
  return one.number === other.number && one.stamp === other.stamp;
}
