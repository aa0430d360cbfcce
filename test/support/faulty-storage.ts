/** A real store, of which single methods can be made to fail. */

import { openStorage } from '../../src/storage/open.ts';
import type { Storage } from '../../src/storage/storage.ts';

export interface FaultyStorage {
  readonly storage: Storage;
  /** From now on the method rejects with this; null lets it work again. */
  fail(method: keyof Storage, error: unknown): void;
}

export async function createFaultyStorage(): Promise<FaultyStorage> {
  const real = await openStorage('sqlite::memory:', { timeoutMs: 1_000 });
  const failures = new Map<PropertyKey, { readonly error: unknown }>();
  const storage = new Proxy(real, {
    get(target, name) {
      const failure = failures.get(name);
      if (failure === undefined) return Reflect.get(target, name, target) as unknown;
      return async () => {
        throw failure.error;
      };
    },
  });
  return {
    storage,
    fail(method, error) {
      if (error === null) failures.delete(method);
      else failures.set(method, { error });
    },
  };
}
