/** Whether an SDK of OpenTelemetry runs in this process. It is asked without loading anything. */

/** Where every version 1 of `@opentelemetry/api` keeps what SDKs register, whichever copy of it they have loaded. */
const API = Symbol.for('opentelemetry.js.api.1');

interface Registered {
  readonly version?: string;
  readonly trace?: unknown;
}

/** Null where no SDK has registered a provider of tracers. */
export function registeredProvider(): { readonly provider: unknown; readonly apiVersion: string } | null {
  const { trace: provider, version = 'unknown' } =
    (globalThis as unknown as Record<symbol, Registered | undefined>)[API] ?? {};
  return provider === undefined ? null : { provider, apiVersion: version };
}
