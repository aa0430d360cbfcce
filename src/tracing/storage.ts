/** Spans of storage calls. */

import type { Storage } from '../storage/storage.ts';
import type { NewSpan, Tracing } from './tracing.ts';

type Call = (...args: unknown[]) => unknown;

/**
 * Wraps a store. Calls outside a request, such as those of background jobs, get no span.
 *
 * @param system name of the database in the semantic conventions
 */
export function traceStorage(storage: Storage, system: string, tracing: Tracing): Storage {
  const methods = Object.entries(storage as unknown as Record<string, Call>).map(([name, method]) => {
    const span: NewSpan = {
      name,
      kind: 'client',
      attributes: { 'db.system.name': system, 'db.operation.name': name },
    };
    const call: Call = (...args) => {
      if (!tracing.isActive) return method(...args);
      return tracing.run(span, () => method(...args));
    };
    return [name, call] as const;
  });
  return Object.fromEntries(methods) as unknown as Storage;
}
