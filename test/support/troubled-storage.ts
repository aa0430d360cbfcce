/** A real store that can be made to fail, or to tell what no store should; it counts what it is asked. */

import type { Storage } from '../../src/storage/storage.ts';

export interface Trouble {
  readonly method: keyof Storage;
  /** Rejected with, where it is given. */
  readonly error?: unknown;
  /** Otherwise what every record has in the place of this member. */
  readonly member?: string;
  readonly value?: unknown;
}

export interface TroubledStorage {
  readonly storage: Storage;
  /** Methods called since, in order. */
  calls: string[];
  trouble: Trouble | null;
}

export function createTroubledStorage(real: Storage): TroubledStorage {
  const troubled: TroubledStorage = {
    calls: [],
    trouble: null,
    storage: new Proxy(real, {
      get(target, property) {
        const member: unknown = Reflect.get(target, property, target);
        if (typeof member !== 'function' || typeof property !== 'string') return member;
        return (...args: unknown[]): unknown => {
          troubled.calls.push(nameOf(property));
          const { trouble } = troubled;
          if (trouble?.method !== nameOf(property)) return Reflect.apply(member, target, args) as unknown;
          if ('error' in trouble) return failWith(trouble.error);
          return (Reflect.apply(member, target, args) as Promise<unknown>).then((result) =>
            distort(result, trouble),
          );
        };
      },
    }),
  };
  return troubled;
}

/** A page is a page, however it is written. */
function nameOf(method: string): string {
  return method === 'listLocationsJson' ? 'listLocations' : method;
}

function distort(result: unknown, trouble: Trouble): unknown {
  if (Array.isArray(result)) return result.map((item) => distort(item, trouble));
  const { member = '', value } = trouble;
  if (typeof result !== 'object' || result === null || !(member in result)) return result;
  return { ...result, [member]: value };
}

async function failWith(error: unknown): Promise<never> {
  throw error;
}
