/** Spans of the calls of a store. */

import type { Storage } from '../storage/storage.ts';
import type { NewSpan, Tracing } from './tracing.ts';

type Call = (...args: unknown[]) => unknown;

/**
 * The same store. What nobody's request has asked for, such as the removal of what has expired, has no span.
 *
 * @param system the database's name in the semantic conventions
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
