/** Aggregates the metrics of the primary and its workers. */

import type { Worker } from 'node:cluster';

import { AggregatorRegistry } from 'prom-client';

import type { Metrics, MetricsSnapshot, RenderedMetrics } from '../observability/metrics.ts';
import { sendTo } from './worker-pool.ts';

/** Milliseconds. A worker that is too busy to respond in time counts with its last snapshot. */
const RESPONSE_TIMEOUT_MS = 1_000;

export class MetricsPool {
  readonly #own: Metrics;
  readonly #workers: () => readonly Worker[];
  readonly #latest = new Map<number, MetricsSnapshot>();
  readonly #waiting = new Map<number, () => void>();
  /** Counters of workers that have ended. Without them the sums would fall, which looks like a restart. */
  #ended: MetricsSnapshot = [];
  #requests = 0;

  constructor(own: Metrics, workers: () => readonly Worker[]) {
    this.#own = own;
    this.#workers = workers;
  }

  async render(): Promise<RenderedMetrics> {
    await Promise.all(this.#workers().map((worker) => this.#collect(worker)));
    const registry = AggregatorRegistry.aggregate([
      [...(await this.#own.snapshot())],
      [...this.#ended],
      ...[...this.#latest.values()].map((snapshot) => [...snapshot]),
    ]);
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  received(worker: Worker, id: number, snapshot: MetricsSnapshot): void {
    this.#latest.set(worker.id, snapshot);
    this.#waiting.get(id)?.();
  }

  async ended({ id }: Worker): Promise<void> {
    const last = this.#latest.get(id) ?? [];
    this.#latest.delete(id);
    const counted = last.filter(({ type }) => COUNTING.has(String(type)));
    const sum = AggregatorRegistry.aggregate([[...this.#ended], counted]);
    this.#ended = await sum.getMetricsAsJSON();
  }

  async #collect(worker: Worker): Promise<void> {
    const id = (this.#requests += 1);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, RESPONSE_TIMEOUT_MS);
      this.#waiting.set(id, () => {
        clearTimeout(timer);
        resolve();
      });
      sendTo(worker, { type: 'collect', id });
    });
    this.#waiting.delete(id);
  }
}

/** Types of metrics that only grow. */
const COUNTING: ReadonlySet<string> = new Set(['counter', 'histogram']);
