/**
 * For `node --import`: an SDK that writes each span as a line of JSON to the file SPANS_FILE, on flush or after a
 * minute.
 */

import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const exporter = {
    export(spans, done) {
      for (const { name, parentSpanContext, attributes, spanContext } of spans.map(withContext)) {
        const line = {
          name,
          traceId: spanContext.traceId,
          parent: parentSpanContext?.spanId ?? null,
          attributes,
        };
        appendFileSync(process.env.SPANS_FILE, `${JSON.stringify({ pid: process.pid, ...line })}\n`);
      }
      done({ code: 0 });
    },
    shutdown: () => Promise.resolve(),
  };
  const processor = new BatchSpanProcessor(exporter, { scheduledDelayMillis: 60_000 });
  new NodeTracerProvider({ spanProcessors: [processor] }).register();
}

function withContext(span) {
  const { name, parentSpanContext, attributes } = span;
  return { name, parentSpanContext, attributes, spanContext: span.spanContext() };
}
