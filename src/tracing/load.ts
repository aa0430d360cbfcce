/** Loads the tracing of a process where its operator has loaded an SDK, as with `node --import`; else nothing. */

import { registeredProvider } from './registered.ts';
import type { Tracing } from './tracing.ts';

export interface LoadedTracing {
  /** Null where nothing is traced. */
  readonly tracing: Tracing | null;
  /** Why nothing is traced though there is an SDK; null where there is no reason to tell. */
  readonly warning: string | null;
}

/** To be called once, at the start: an SDK that registers later is not noticed. */
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
