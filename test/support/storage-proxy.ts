/** Wraps a store, so that a test can observe, reject or change each call. */

import type { Storage } from '../../src/storage/storage.ts';

export interface StorageCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface StorageHooks {
  /** Called instead of a method: may throw or return a result; undefined passes the call on. */
  readonly before?: (call: StorageCall) => unknown;
  /** Replaces the result of the store. */
  readonly after?: (call: StorageCall, response: unknown) => unknown;
}

export interface StorageProxy {
  readonly storage: Storage;
  /** Calls since the last `forget`, in order. */
  readonly calls: StorageCall[];
  forget(): void;
  /** Makes the method reject with this from now on; null restores it. */
  fail(method: keyof Storage, error: unknown): void;
}

export function proxyStorage(real: Storage, { before, after }: StorageHooks = {}): StorageProxy {
  const calls: StorageCall[] = [];
  const failures = new Map<string, { readonly error: unknown }>();
  const storage = new Proxy(real, {
    get(target, property, receiver) {
      const member: unknown = Reflect.get(target, property, receiver);
      if (typeof member !== 'function' || typeof property !== 'string') return member;
      return (...args: unknown[]): unknown => {
        const call = { method: property, args };
        calls.push(call);
        const failure = failures.get(property);
        if (failure !== undefined) return rejectWith(failure.error);
        const instead = before?.(call);
        if (instead !== undefined) return instead;
        const response: unknown = Reflect.apply(member, target, args);
        return after !== undefined && response instanceof Promise
          ? response.then((value: unknown) => after(call, value))
          : response;
      };
    },
  });
  return {
    storage,
    calls,
    forget: () => void calls.splice(0),
    fail(method, error) {
      if (error === null) failures.delete(method);
      else failures.set(method, { error });
    },
  };
}

/** Rejects with any value, even one that is not an Error. */
async function rejectWith(error: unknown): Promise<never> {
  throw error;
}
