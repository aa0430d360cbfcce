/**
 * OpenTelemetry spans, created with its API only; the SDK exports them. Loaded only if there is an SDK (load.ts). Names follow
 * the semantic conventions (https://opentelemetry.io/docs/specs/semconv/). Spans contain no error messages, and of what callers
 * send only paths and operation names.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { Attributes, Context, Span, Tracer, TracerProvider } from '@opentelemetry/api';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

import { ERRORS, ServiceError } from '../errors.ts';
import { CallerGoneError } from '../services/scope.ts';
import { VERSION } from '../lib/version.ts';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
/** Milliseconds that the shutdown waits for the SDK to send its last spans. */
const FLUSH_MS = 2_000;

export interface NewSpan {
  /** Low cardinality. */
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  readonly attributes: Attributes;
}

/** How the work of a span ended. */
export interface SpanEnd {
  readonly attributes?: Attributes;
  /** Low cardinality; undefined when nothing failed. */
  readonly errorType?: string | undefined;
  /** False when the caller caused the failure. True by default. */
  readonly isFault?: boolean;
}

/** A span whose work is more than one call. */
export interface OpenSpan {
  /** Runs the work with this span as the parent of its spans, also asynchronously. */
  run<T>(work: () => T): T;
  /** Further calls do nothing. */
  end(end: SpanEnd): void;
}

/** The members of a JSON log line that name its span, as OpenTelemetry defines them. */
export interface TraceFields {
  readonly trace_id?: string;
  readonly span_id?: string;
}

const NO_FIELDS: TraceFields = {};

/** Whether this copy of the API uses what the SDK registered with its copy, which must not be older. */
export function isHeardBy(provider: unknown): boolean {
  return trace.getTracerProvider() === provider;
}

export class Tracing {
  readonly #tracer: Tracer = trace.getTracer('map-locations', VERSION);

  /** Whether the current work belongs to a span. */
  get isActive(): boolean {
    return trace.getActiveSpan() !== undefined;
  }

  /** The ids of the current span; empty when there is none. */
  get fields(): TraceFields {
    const span = trace.getActiveSpan();
    if (span === undefined) return NO_FIELDS;
    const { traceId, spanId } = span.spanContext();
    return { trace_id: traceId, span_id: spanId };
  }

  /** Headers that propagate the trace to another service, in the format of the SDK. */
  get headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    propagation.inject(context.active(), headers);
    return headers;
  }

  /** Starts the span of an incoming request, as a child of the span in its headers. */
  begin({ name, kind, attributes }: NewSpan, headers: IncomingHttpHeaders): OpenSpan {
    // An SDK that instruments Node's HTTP server has already read the headers.
    const parent = this.isActive ? context.active() : propagation.extract(context.active(), headers);
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
    const within = trace.setSpan(parent, span);
    let isOpen = true;
    return {
      run: (work) => context.with(within, work),
      end(how) {
        if (isOpen) close(span, how);
        isOpen = false;
      },
    };
  }

  /**
   * Runs the work in a new span, which ends with the work.
   *
   * @param endOf derives the end of the span from the result
   */
  run<T>(
    { name, kind, attributes }: NewSpan,
    work: () => Promise<T> | T,
    endOf: (result: T) => SpanEnd = () => ({}),
  ): Promise<T> | T {
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes });
    const settle = (result: T): T => {
      close(span, endOf(result));
      return result;
    };
    const fail = (error: unknown): never => {
      close(span, endOfFailure(error));
      throw error;
    };
    const within: Context = trace.setSpan(context.active(), span);
    let result: Promise<T> | T;
    try {
      result = context.with(within, work);
    } catch (error) {
      return fail(error);
    }
    return result instanceof Promise ? result.then(settle, fail) : settle(result);
  }

  /** Makes the SDK send its spans. Await it before the process exits. Never rejects. */
  async flush(): Promise<void> {
    const registered = trace.getTracerProvider() as Flushable;
    const provider = registered.getDelegate?.() ?? registered;
    const over = new AbortController();
    const late = delay(FLUSH_MS, undefined, { signal: over.signal });
    await Promise.race([provider.forceFlush?.(), late]).catch(() => {});
    over.abort();
    await late.catch(() => {});
  }
}

/** Methods that SDKs have and the API does not declare. */
interface Flushable extends TracerProvider {
  getDelegate?(): Flushable;
  forceFlush?(): Promise<void>;
}

function close(span: Span, { attributes, errorType, isFault = true }: SpanEnd): void {
  if (attributes !== undefined) span.setAttributes(attributes);
  if (errorType !== undefined) {
    span.setAttribute('error.type', errorType);
    if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** The error type is the code of a ServiceError, or else the class. */
export function endOfFailure(error: unknown): SpanEnd {
  if (error instanceof ServiceError) {
    return { errorType: error.code, isFault: ERRORS[error.code].status >= 500 };
  }
  const errorType = error instanceof Error ? error.constructor.name : '_OTHER';
  return { errorType, isFault: !(error instanceof CallerGoneError) };
}
