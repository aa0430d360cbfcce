/** An SDK of OpenTelemetry in the test's own process, and what it was told. */

import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';

import { loadTracing } from '../../src/tracing/load.ts';
import type { Tracing } from '../../src/tracing/tracing.ts';

/** A span with its children, in the order in which they began. */
export interface SpanTree {
  readonly name: string;
  readonly children?: readonly SpanTree[];
}

export interface TestTracing {
  readonly tracing: Tracing;
  /** Those that have ended since the last `forget`, in the order in which they ended. */
  spans(): readonly ReadableSpan[];
  forget(): void;
}

/** To be called once in a file: an SDK stays for as long as its process. */
export async function startTracing(): Promise<TestTracing> {
  const exporter = new InMemorySpanExporter();
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
  const { tracing } = await loadTracing();
  if (tracing === null) throw new Error('There is an SDK, and nothing is traced.');
  return { tracing, spans: () => exporter.getFinishedSpans(), forget: () => exporter.reset() };
}

/** The trees that the spans are of, without their ids and times. */
export function treesOf(spans: readonly ReadableSpan[]): SpanTree[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const below = (parent: string | null): SpanTree[] =>
    spans
      .filter(({ parentSpanContext: of }) =>
        parent === null ? of === undefined || !ids.has(of.spanId) : of?.spanId === parent,
      )
      .map((span) => ({ span, order: spans.indexOf(span) }))
      .sort((one, other) => beginOf(one.span) - beginOf(other.span) || one.order - other.order)
      .map(({ span }) => {
        const children = below(span.spanContext().spanId);
        return { name: span.name, ...(children.length > 0 && { children }) };
      });
  return below(null);
}

function beginOf({ startTime: [seconds, nanoseconds] }: ReadableSpan): number {
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** What a span says, in words. */
export function saidOf({ name, kind, attributes, status }: ReadableSpan) {
  return {
    name,
    kind: SpanKind[kind].toLowerCase(),
    attributes,
    isError: status.code === SpanStatusCode.ERROR,
  };
}
