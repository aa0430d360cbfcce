/** The metrics of a process, for Prometheus. Nothing is counted unless METRICS_PORT is set. */

import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { StorageCommand } from '../../storage/storage.ts';
import { VERSION } from '../../lib/version.ts';

export interface FinishedRequest {
  readonly method: string;
  /** The route's pattern. Never the path itself, since ids make too many different paths. */
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

/** All the metrics of a process, in a form that can be sent to another. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

export interface Metrics {
  observeGeocode(geocode: Geocode): void;
  observeRequest(request: FinishedRequest): void;
  observeStorageCommand(command: StorageCommand): void;
  /** @param by 1 for a subscription that begins, -1 for one that ends */
  observeSubscription(transport: Transport, by: 1 | -1): void;
  observeChangeSent(transport: Transport): void;
  observeUpstream(request: UpstreamRequest): void;
  observeWebhookAttempt(attempt: WebhookAttempt): void;
  /** How many webhooks there are, where this process delivers to them. */
  observeWebhooks(counts: Readonly<Record<'active' | 'failing' | 'disabled', number>>): void;
  /** All of them in Prometheus' text format. */
  render(): Promise<RenderedMetrics>;
  snapshot(): Promise<MetricsSnapshot>;
}

export interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** @param countWorkers null for a process that serves alone */
export function createMetrics(countWorkers: (() => number) | null = null): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'map_locations_build_info',
    help: 'Always 1; its labels say what serves.',
    labelNames: ['version', 'node_version'],
    registers: [registry],
    // Several processes are one program.
    aggregator: 'first',
  }).set({ version: VERSION, node_version: process.versions.node }, 1);
  const requests = new Histogram({
    name: 'map_locations_http_request_duration_seconds',
    help: 'From the arrival of a request to its answer, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const commands = new Histogram({
    name: 'map_locations_storage_command_duration_seconds',
    help: 'Commands sent to the database, by name.',
    labelNames: ['command'],
    buckets: SECONDS,
    registers: [registry],
  });
  const failures = new Counter({
    name: 'map_locations_storage_command_failures_total',
    help: 'Commands that the database did not carry out, by name.',
    labelNames: ['command'],
    registers: [registry],
  });
  const geocodes = new Histogram({
    name: 'map_locations_geocode_duration_seconds',
    help: 'Addresses geocoded, by provider, outcome, and whether the answer was kept from earlier.',
    labelNames: ['provider', 'outcome', 'cache'],
    buckets: SECONDS,
    registers: [registry],
  });
  const subscriptions = new Gauge({
    name: 'map_locations_subscriptions',
    help: 'Subscriptions under way, by transport.',
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
    help: 'Requests to the upstream, by verb and outcome: a status, or why there is none.',
    labelNames: ['verb', 'outcome'],
    buckets: SECONDS,
    registers: [registry],
  });
  const webhookAttempts = new Histogram({
    name: 'map_locations_webhook_attempt_duration_seconds',
    help: 'Attempts to deliver messages to webhooks, by outcome: delivered, failed, or refused, its address not being allowed.',
    labelNames: ['outcome'],
    buckets: [...SECONDS, 15],
    registers: [registry],
  });
  const webhooks = new Gauge({
    name: 'map_locations_webhooks',
    help: 'Webhooks by status, as the process that delivers to them counts them; those that are disabled once a minute.',
    labelNames: ['status'],
    registers: [registry],
  });
  if (countWorkers !== null) {
    new Gauge({
      name: 'map_locations_workers',
      help: 'Processes that serve.',
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
