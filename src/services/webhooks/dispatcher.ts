/**
 * Delivers to all webhooks of the store, in one process of all. That one looks through the webhooks every two seconds for
 * what other processes have made or changed, and runs the deliveries of each beside the others. While there is no webhook,
 * nothing is written.
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
  /** Between two looks for webhooks. */
  look: 2_000,
  /** Until a process looks again that has found another one delivering. */
  others: 5_000,
  /** For which the right to deliver holds when the process that has it ends without a word. */
  lease: 15_000,
};
/** A store that is away fails for each webhook, once a second: it is told once in so many milliseconds. */
const REPORT_FAILURES_MS = 5_000;
/** A look through very many webhooks takes no more than this share of the time. */
const SHARE = 0.1;
/** Each so many looks those that are disabled are counted too. */
const COUNT_EVERY = 30;

export type WebhookCounts = Readonly<Record<'active' | 'failing' | 'disabled', number>>;

export interface WebhookDispatcherObserver extends DeliveryObserver {
  /** How many there are, as far as this process delivers: the others know of none. */
  onCounts(counts: WebhookCounts): void;
}

export interface WebhookDispatcherOptions extends Omit<WebhookWorkerOptions, 'mayDeliver' | 'observer'> {
  /** Tells the processes apart. */
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
  /** By map, those whose log they read. */
  readonly #readers = new Map<string, Set<WebhookWorker>>();
  #watch: ChangeWatch | null = null;
  #working: Promise<void> | null = null;
  #isStopping = false;
  #stopped: Promise<void> | null = null;
  /** Whether there were webhooks when it was last looked for some. */
  #hasSeenAny = false;
  #looks = 0;
  /** As they were counted last. */
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

  /** From now on it delivers whenever no other process does. */
  start(): void {
    if (!this.#isStopping) this.#working ??= this.#work();
  }

  /** A webhook was made or changed in this process, or deleted: then it is as it was. */
  changed(webhook: WebhookRecord): void {
    if (this.#working === null) return;
    const running = this.#running.get(webhook.id);
    if (running !== undefined) running.worker.lookAgain();
    else if (!this.#lease.isHeld) this.#waker.wake();
    else if (isDeliverable(webhook)) this.#begin(webhook);
  }

  /**
   * Nothing more is sent. Resolves when everything is kept that was delivered.
   *
   * @param timeoutMs how long what is under way may take
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
    for (const { worker } of this.#running.values()) worker.cut();
    await this.#working;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
    this.#endWatch();
    await this.#lease.drop().catch((error: unknown) => this.#reportFailure(error));
  }

  async #work(): Promise<void> {
    while (!this.#isStopping) {
      let pauseMs = this.#times.look;
      const begun = performance.now();
      try {
        if (await this.#isTheOne()) {
          await this.#lookThrough();
          pauseMs = Math.max(this.#times.look, (performance.now() - begun) / SHARE);
        } else if (this.#hasSeenAny) pauseMs = this.#times.others;
      } catch (error) {
        this.#reportFailure(error);
      }
      await this.#waker.sleep(pauseMs);
    }
  }

  async #isTheOne(): Promise<boolean> {
    if (this.#lease.isHeld) return true;
    const { storage } = this.#options;
    const some = await storage.pageWebhooks({ limit: 1, after: null, enabledOnly: true });
    this.#hasSeenAny = some.length > 0;
    return this.#hasSeenAny && this.#lease.take();
  }

  async #lookThrough(): Promise<void> {
    const countsAll = this.#looks % COUNT_EVERY === 0;
    this.#looks += 1;
    const seen = new Set<string>();
    let disabled = 0;
    for await (const webhook of allWebhooks(this.#options.storage, { enabledOnly: !countsAll })) {
      if (!this.#lease.isHeld || this.#isStopping) return;
      seen.add(webhook.id);
      if (!isDeliverable(webhook)) disabled += 1;
      this.#see(webhook);
    }
    if (!this.#lease.isHeld || this.#isStopping) return;
    for (const [id, { worker }] of this.#running) if (!seen.has(id)) worker.lookAgain();
    if (countsAll) this.#disabled = disabled;
    this.#reportCounts();
    if (this.#running.size === 0) await this.#letGo();
  }

  #see(webhook: WebhookRecord): void {
    const running = this.#running.get(webhook.id);
    if (running === undefined) {
      if (isDeliverable(webhook)) this.#begin(webhook);
    } else if (running.worker.webhook.version !== webhook.version) running.worker.lookAgain();
  }

  #begin(webhook: WebhookRecord): void {
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
      // It is begun anew with the next look.
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

  /** Another process may deliver from now on. */
  #lose(): void {
    for (const { worker } of this.#running.values()) worker.cut();
    this.#reportNothing();
    this.#waker.wake();
  }

  async #letGo(): Promise<void> {
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
    if (now - this.#reportedFailureAt < REPORT_FAILURES_MS) return;
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
    this.#looks = 0;
    this.#options.observer.onCounts({ active: 0, failing: 0, disabled: 0 });
  }
}
