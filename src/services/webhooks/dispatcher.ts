/**
 * Delivers to all webhooks of the store, with one worker per webhook, in the one process that holds the lease. It polls
 * the webhooks every two seconds for those that other processes created or changed. Without webhooks, nothing is written.
 */

import { setTimeout as delay } from 'node:timers/promises';

import type { ChangeWatch } from '../../storage/changes.ts';
import type { WebhookRecord } from '../../storage/webhooks.ts';
import { allWebhooks } from './all-webhooks.ts';
import { Waker } from './waker.ts';
import type { WebhookWorkerOptions, DeliveryObserver } from './worker.ts';
import { WebhookWorker, isDeliverable } from './worker.ts';
import { Lease } from './lease.ts';

/** Milliseconds. */
const TIMES = {
  /** Between two polls of the webhooks. */
  poll: 2_000,
  /** Between two attempts to take the lease from another process. */
  takeover: 5_000,
  /** Until the lease expires after its holder has crashed. */
  lease: 15_000,
};
/** Rate limit of failure reports in milliseconds: an unreachable store fails for each webhook, every second. */
const FAILURE_REPORT_INTERVAL_MS = 5_000;
/** Polls of many webhooks take no more than this share of the time. */
const POLL_SHARE = 0.1;
/** Recount disabled webhooks every N polls. */
const COUNT_EVERY = 30;

export type WebhookCounts = Readonly<Record<'active' | 'failing' | 'disabled', number>>;

export interface WebhookDispatcherObserver extends DeliveryObserver {
  /** Zero in processes that do not deliver. */
  onCounts(counts: WebhookCounts): void;
}

export interface WebhookDispatcherOptions extends Omit<WebhookWorkerOptions, 'mayDeliver' | 'observer'> {
  /** Identifies this process. */
  readonly holder: string;
  readonly observer: WebhookDispatcherObserver;
  /** For tests: shorter times. */
  readonly times?: typeof TIMES;
}

interface Running {
  readonly worker: WebhookWorker;
  readonly done: Promise<void>;
}

export class WebhookDispatcher {
  readonly #options: WebhookDispatcherOptions;
  readonly #times: typeof TIMES;
  readonly #waker = new Waker();
  readonly #lease: Lease;
  readonly #running = new Map<string, Running>();
  /** The workers that read each map's log, by map id. */
  readonly #readers = new Map<string, Set<WebhookWorker>>();
  #watch: ChangeWatch | null = null;
  #loop: Promise<void> | null = null;
  #isStopping = false;
  #stopped: Promise<void> | null = null;
  /** Whether the last poll found webhooks. */
  #hasSeenAny = false;
  #polls = 0;
  /** As last counted. */
  #disabled = 0;
  #reportedFailureAt = Number.NEGATIVE_INFINITY;

  constructor(options: WebhookDispatcherOptions) {
    this.#options = options;
    this.#times = options.times ?? TIMES;
    this.#lease = new Lease({
      storage: options.storage,
      name: 'webhooks',
      holder: options.holder,
      heldMs: this.#times.lease,
      onLost: () => this.#lose(),
      onFailure: (error) => this.#reportFailure(error),
    });
  }

  /** Starts delivering whenever no other process does. */
  start(): void {
    if (!this.#isStopping) this.#loop ??= this.#work();
  }

  /** Called for webhooks that this process created, changed or deleted. */
  changed(webhook: WebhookRecord): void {
    if (this.#loop === null) return;
    const running = this.#running.get(webhook.id);
    if (running !== undefined) running.worker.refresh();
    else if (!this.#lease.isHeld) this.#waker.wake();
    else if (isDeliverable(webhook)) this.#startWorker(webhook);
  }

  /**
   * Stops sending. Resolves when the state of all webhooks is saved.
   *
   * @param timeoutMs how long messages that are being sent may take
   */
  stop(timeoutMs: number): Promise<void> {
    this.#stopped ??= this.#stop(timeoutMs);
    return this.#stopped;
  }

  async #stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true;
    this.#waker.wake();
    const all = [...this.#running.values()];
    for (const { worker } of all) worker.stop();
    const ended = Promise.all(all.map(({ done }) => done));
    const over = new AbortController();
    await Promise.race([ended, delay(timeoutMs, undefined, { signal: over.signal }).catch(() => undefined)]);
    over.abort();
    for (const { worker } of this.#running.values()) worker.abort();
    await this.#loop;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
    this.#endWatch();
    await this.#lease.drop().catch((error: unknown) => this.#reportFailure(error));
  }

  async #work(): Promise<void> {
    while (!this.#isStopping) {
      let pauseMs = this.#times.poll;
      const startedAt = performance.now();
      try {
        if (await this.#holdsLease()) {
          await this.#poll();
          pauseMs = Math.max(this.#times.poll, (performance.now() - startedAt) / POLL_SHARE);
        } else if (this.#hasSeenAny) pauseMs = this.#times.takeover;
      } catch (error) {
        this.#reportFailure(error);
      }
      await this.#waker.sleep(pauseMs);
    }
  }

  async #holdsLease(): Promise<boolean> {
    if (this.#lease.isHeld) return true;
    const { storage } = this.#options;
    const some = await storage.pageWebhooks({ limit: 1, after: null, enabledOnly: true });
    this.#hasSeenAny = some.length > 0;
    return this.#hasSeenAny && this.#lease.take();
  }

  async #poll(): Promise<void> {
    const countsAll = this.#polls % COUNT_EVERY === 0;
    this.#polls += 1;
    const seen = new Set<string>();
    let disabled = 0;
    for await (const webhook of allWebhooks(this.#options.storage, { enabledOnly: !countsAll })) {
      if (!this.#lease.isHeld || this.#isStopping) return;
      seen.add(webhook.id);
      if (!isDeliverable(webhook)) disabled += 1;
      this.#update(webhook);
    }
    if (!this.#lease.isHeld || this.#isStopping) return;
    for (const [id, { worker }] of this.#running) if (!seen.has(id)) worker.refresh();
    if (countsAll) this.#disabled = disabled;
    this.#reportCounts();
    if (this.#running.size === 0) await this.#dropLease();
  }

  #update(webhook: WebhookRecord): void {
    const running = this.#running.get(webhook.id);
    if (running === undefined) {
      if (isDeliverable(webhook)) this.#startWorker(webhook);
    } else if (running.worker.webhook.version !== webhook.version) running.worker.refresh();
  }

  #startWorker(webhook: WebhookRecord): void {
    if (this.#isStopping) return;
    const { id, mapId } = webhook;
    const worker = new WebhookWorker(webhook, {
      ...this.#options,
      mayDeliver: () => this.#lease.isHeld,
      observer: { ...this.#options.observer, onFailure: (error) => this.#reportFailure(error) },
    });
    const readers = this.#readers.get(mapId) ?? new Set();
    readers.add(worker);
    this.#readers.set(mapId, readers);
    this.#watch ??= this.#options.storage.watchChanges((changed) => {
      for (const reader of this.#readers.get(changed) ?? []) reader.wake();
    });
    if (readers.size === 1) this.#watch.add(mapId);
    const done = worker
      .run()
      // The next poll starts it again.
      .catch((error: unknown) => this.#options.observer.onFailure(error))
      .finally(() => {
        this.#running.delete(id);
        readers.delete(worker);
        if (readers.size > 0) return;
        this.#readers.delete(mapId);
        this.#watch?.remove(mapId);
      });
    this.#running.set(id, { worker, done });
  }

  /** The lease expired: another process may deliver now. */
  #lose(): void {
    for (const { worker } of this.#running.values()) worker.abort();
    this.#reportNothing();
    this.#waker.wake();
  }

  async #dropLease(): Promise<void> {
    this.#endWatch();
    this.#reportNothing();
    await this.#lease.drop();
  }

  #endWatch(): void {
    this.#watch?.close();
    this.#watch = null;
  }

  #reportFailure(error: unknown): void {
    const now = performance.now();
    if (now - this.#reportedFailureAt < FAILURE_REPORT_INTERVAL_MS) return;
    this.#reportedFailureAt = now;
    this.#options.observer.onFailure(error);
  }

  #reportCounts(): void {
    const all = [...this.#running.values()];
    const failing = all.filter(({ worker }) => worker.isFailing).length;
    const counts = { active: all.length - failing, failing, disabled: this.#disabled };
    this.#options.observer.onCounts(counts);
  }

  #reportNothing(): void {
    this.#polls = 0;
    this.#options.observer.onCounts({ active: 0, failing: 0, disabled: 0 });
  }
}
