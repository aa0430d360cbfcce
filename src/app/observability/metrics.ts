/** The Prometheus metrics of a process. Created only if METRICS_PORT is set. */

import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { StorageCommand } from '../../storage/storage.ts';
import { VERSION } from '../../lib/version.ts';

export interface FinishedRequest {
  readonly method: string;
  /** The pattern of the route, not the path: ids would make too many label values. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
}

export interface Geocode {
  readonly provider: string;
  readonly outcome: string;
  readonly milliseconds: number;
  readonly isCacheHit: boolean;
}

export type Transport = 'websocket' | 'sse';
export interface UpstreamRequest {
  readonly verb: string;
  readonly outcome: string;
  readonly milliseconds: number;
}

export interface WebhookAttempt {
  readonly outcome: 'delivered' | 'failed' | 'refused';
  readonly milliseconds: number;
}

/** All metrics of a process, in a form that can be sent to another process. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

export interface Metrics {
  observeGeocode(geocode: Geocode): void;
  observeRequest(request: FinishedRequest): void;
  observeStorageCommand(command: StorageCommand): void;
  /** @param by 1 when a subscription starts, -1 when it ends */
  observeSubscription(transport: Transport, by: 1 | -1): void;
  observeChangeSent(transport: Transport): void;
  observeUpstream(request: UpstreamRequest): void;
  observeWebhookAttempt(attempt: WebhookAttempt): void;
  /** Number of webhooks by status; only in the process that delivers to them. */
  observeWebhooks(counts: Readonly<Record<'active' | 'failing' | 'disabled', number>>): void;
  /** In the text format of Prometheus. */
  render(): Promise<RenderedMetrics>;
  snapshot(): Promise<MetricsSnapshot>;
}

export interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** @param countWorkers null for a single process */
export function createMetrics(countWorkers: (() => number) | null = null): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'map_locations_build_info',
    help: 'Always 1; the labels hold the versions of the program and of Node.',
    labelNames: ['version', 'node_version'],
    registers: [registry],
    // All processes run the same program.
    aggregator: 'first',
  }).set({ version: VERSION, node_version: process.versions.node }, 1);
  const requests = new Histogram({
    name: 'map_locations_http_request_duration_seconds',
    help: 'Duration of requests until the response, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const commands = new Histogram({
    name: 'map_locations_storage_command_duration_seconds',
    help: 'Duration of database commands, by name.',
    labelNames: ['command'],
    buckets: SECONDS,
    registers: [registry],
  });
  const failures = new Counter({
    name: 'map_locations_storage_command_failures_total',
    help: 'Failed database commands, by name.',
    labelNames: ['command'],
    registers: [registry],
  });
  const geocodes = new Histogram({
    name: 'map_locations_geocode_duration_seconds',
    help: 'Duration of geocoding, by provider, outcome and cache hit.',
    labelNames: ['provider', 'outcome', 'cache'],
    buckets: SECONDS,
    registers: [registry],
  });
  const subscriptions = new Gauge({
    name: 'map_locations_subscriptions',
    help: 'Active subscriptions, by transport.',
    labelNames: ['transport'],
    registers: [registry],
  });
  const changes = new Counter({
    name: 'map_locations_changes_sent_total',
    help: 'Changes sent to subscribers, by transport.',
    labelNames: ['transport'],
    registers: [registry],
  });
  const upstream = new Histogram({
    name: 'map_locations_upstream_request_duration_seconds',
    help: 'Duration of requests to the upstream, by verb and outcome: a status, or why there is none.',
    labelNames: ['verb', 'outcome'],
    buckets: SECONDS,
    registers: [registry],
  });
  const webhookAttempts = new Histogram({
    name: 'map_locations_webhook_attempt_duration_seconds',
    help: 'Duration of delivery attempts to webhooks, by outcome: delivered, failed, or refused (address not allowed).',
    labelNames: ['outcome'],
    buckets: [...SECONDS, 15],
    registers: [registry],
  });
  const webhooks = new Gauge({
    name: 'map_locations_webhooks',
    help: 'Webhooks by status. Disabled ones are counted once a minute.',
    labelNames: ['status'],
    registers: [registry],
  });
  if (countWorkers !== null) {
    new Gauge({
      name: 'map_locations_workers',
      help: 'Serving processes.',
      registers: [registry],
      collect() {
        this.set(countWorkers());
      },
    });
  }
  return {
    observeGeocode: ({ provider, outcome, milliseconds, isCacheHit }) =>
      geocodes.observe({ provider, outcome, cache: isCacheHit ? 'hit' : 'miss' }, milliseconds / 1000),
    observeRequest: ({ method, route, status, milliseconds }) =>
      requests.observe({ method, route, status }, milliseconds / 1000),
    observeStorageCommand({ command, milliseconds, isFailed }) {
      commands.observe({ command }, milliseconds / 1000);
      if (isFailed) failures.inc({ command });
    },
    observeSubscription: (transport, by) => subscriptions.inc({ transport }, by),
    observeChangeSent: (transport) => changes.inc({ transport }),
    observeUpstream: ({ verb, outcome, milliseconds }) =>
      upstream.observe({ verb, outcome }, milliseconds / 1000),
    observeWebhookAttempt: ({ outcome, milliseconds }) =>
      webhookAttempts.observe({ outcome }, milliseconds / 1000),
    observeWebhooks(counts) {
      for (const [status, count] of Object.entries(counts)) webhooks.set({ status }, count);
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    snapshot: () => registry.getMetricsAsJSON(),
  };
}
