/** Loads tracing if an OpenTelemetry SDK runs in the process, as with `node --import`. */

import type { Tracing } from './tracing.ts';

export interface LoadedTracing {
  /** Null when nothing is traced. */
  readonly tracing: Tracing | null;
  /** Why nothing is traced although there is an SDK; null otherwise. */
  readonly warning: string | null;
}

/** Call it once, at startup: an SDK that registers later is ignored. */
export async function loadTracing(): Promise<LoadedTracing> {
  const registered = registeredProvider();
  if (registered === null) return { tracing: null, warning: null };
  const { Tracing, isHeardBy } = await import('./tracing.ts');
  if (isHeardBy(registered.provider)) return { tracing: new Tracing(), warning: null };
  return {
    tracing: null,
    warning: `Nothing is traced: the SDK's @opentelemetry/api ${registered.apiVersion} is older than that of this program`,
  };
}

/** Where version 1 of `@opentelemetry/api` keeps what SDKs register, whichever copy of it they have loaded. */
const API = Symbol.for('opentelemetry.js.api.1');

interface Registered {
  readonly version?: string;
  readonly trace?: unknown;
}

/** Null when no SDK has registered a tracer provider. Loads nothing. */
function registeredProvider(): { readonly provider: unknown; readonly apiVersion: string } | null {
  const { trace: provider, version = 'unknown' } =
    (globalThis as unknown as Record<symbol, Registered | undefined>)[API] ?? {};
  return provider === undefined ? null : { provider, apiVersion: version };
}
