/** An OpenTelemetry SDK in the test's own process, and the spans that it received. */

import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';

import { loadTracing } from '../../src/tracing/load.ts';
import type { Tracing } from '../../src/tracing/tracing.ts';

/** A span with its children, in the order of their start. */
export interface SpanTree {
  readonly name: string;
  readonly children?: readonly SpanTree[];
}

export interface TestTracing {
  readonly tracing: Tracing;
  /** Spans ended since the last `forget`, in the order of their end. */
  spans(): readonly ReadableSpan[];
  forget(): void;
}

/** To be called once per file: an SDK lasts as long as its process. */
export async function startTracing(): Promise<TestTracing> {
  const exporter = new InMemorySpanExporter();
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
  const { tracing } = await loadTracing();
  if (tracing === null) throw new Error('An SDK is registered, but tracing is off.');
  return { tracing, spans: () => exporter.getFinishedSpans(), forget: () => exporter.reset() };
}

/** The spans as trees, without ids and times. */
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

/** A span as text. */
export function saidOf({ name, kind, attributes, status }: ReadableSpan) {
  return {
    name,
    kind: SpanKind[kind].toLowerCase(),
    attributes,
    isError: status.code === SpanStatusCode.ERROR,
  };
}
