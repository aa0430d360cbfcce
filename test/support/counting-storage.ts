/** A storage that does what another does, and remembers what it was asked. */

import type { Storage } from '../../src/storage/storage.ts';

export interface StorageCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface CountingStorage {
  readonly storage: Storage;
  /** Calls since the last `forget`, in order. */
  readonly calls: StorageCall[];
  forget(): void;
}

/**
 * @param interfere may throw in the place of a call, or answer it; undefined lets it through
 */
export function countCalls(
  storage: Storage,
  interfere: (call: StorageCall) => unknown = () => undefined,
): CountingStorage {
  const calls: StorageCall[] = [];
  const proxy = new Proxy(storage, {
    get(target, property, receiver) {
      const member: unknown = Reflect.get(target, property, receiver);
      if (typeof member !== 'function' || typeof property !== 'string') return member;
      return (...args: unknown[]): unknown => {
        const call = { method: property, args };
        calls.push(call);
        const instead = interfere(call);
        return instead === undefined ? (Reflect.apply(member, target, args) as unknown) : instead;
      };
    },
  });
  return { storage: proxy, calls, forget: () => void calls.splice(0) };
}
