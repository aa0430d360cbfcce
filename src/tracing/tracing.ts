/**
 * Spans of OpenTelemetry, over its API alone: what becomes of them is the SDK's work. Loaded only where there is an SDK
 * (load.ts). Names are those of the semantic conventions (https://opentelemetry.io/docs/specs/semconv/). No span has
 * the message of an error or anything that a caller sent, but paths and the names of operations.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { Attributes, Context, Span, Tracer, TracerProvider } from '@opentelemetry/api';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

import { ERRORS, ServiceError } from '../errors.ts';
import { CallerGoneError } from '../services/scope.ts';
import { VERSION } from '../lib/version.ts';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
/** Milliseconds that the end of the process waits for the SDK to send its last spans. */
const FLUSH_MS = 2_000;

export interface NewSpan {
  /** From a short list. */
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  readonly attributes: Attributes;
}

/** How the work of a span has ended. */
export interface SpanEnd {
  readonly attributes?: Attributes;
  /** A word from a short list; undefined where nothing failed. */
  readonly errorType?: string | undefined;
  /** False where the caller is to blame, which is no failure of this program. True by default. */
  readonly isFault?: boolean;
}

/** A span whose work is not one call. */
export interface OpenSpan {
  /** Runs the work so that spans which are made in it, and in what it leads to, are children of this one. */
  run<T>(work: () => T): T;
  /** Further calls do nothing. */
  end(end: SpanEnd): void;
}

/** Names the span of a line of the log, as OpenTelemetry wants it in JSON. */
export interface TraceFields {
  readonly trace_id?: string;
  readonly span_id?: string;
}

const NO_FIELDS: TraceFields = {};

/** Whether this copy of the API uses what an SDK has registered with its own: that one must not be older. */
export function isHeardBy(provider: unknown): boolean {
  return trace.getTracerProvider() === provider;
}

export class Tracing {
  readonly #tracer: Tracer = trace.getTracer('map-locations', VERSION);

  /** Whether what is done now belongs to a span. */
  get isActive(): boolean {
    return trace.getActiveSpan() !== undefined;
  }

  /** The ids of the span that what is done now belongs to; empty where there is none. */
  get fields(): TraceFields {
    const span = trace.getActiveSpan();
    if (span === undefined) return NO_FIELDS;
    const { traceId, spanId } = span.spanContext();
    return { trace_id: traceId, span_id: spanId };
  }

  /** Headers by which another service continues the trace, as the SDK's propagator writes them. */
  get headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    propagation.inject(context.active(), headers);
    return headers;
  }

  /** Begins the span of a request that has come in. Its parent is the span that the headers name. */
  begin({ name, kind, attributes }: NewSpan, headers: IncomingHttpHeaders): OpenSpan {
    // Where the SDK makes spans of Node's own requests, it has read the headers already.
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
   * Runs the work within a span of its own, which ends when the work has.
   *
   * @param endOf what a result that was not thrown means
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

  /** Has the SDK send what it holds. To be waited for before the process ends. Never rejects. */
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

/** What the API does not say of a provider, and SDKs have. */
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

/** What something thrown means: its code, or else its class. */
export function endOfFailure(error: unknown): SpanEnd {
  if (error instanceof ServiceError) {
    return { errorType: error.code, isFault: ERRORS[error.code].status >= 500 };
  }
  const errorType = error instanceof Error ? error.constructor.name : '_OTHER';
  return { errorType, isFault: !(error instanceof CallerGoneError) };
}
