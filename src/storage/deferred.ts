/** A placeholder for a store that is not open yet, so that a server can listen while it waits for its database. */

import { storageNotReached } from '../errors.ts';
import type { Storage } from './storage.ts';

export interface DeferredStorage {
  /** Forwards to the attached store. Until one is attached, every call fails with STORAGE_UNAVAILABLE. */
  readonly storage: Storage;
  readonly attach: (storage: Storage) => void;
}

export function deferStorage(): DeferredStorage {
  let attached: Storage | null = null;
  const storage = new Proxy({} as Storage, {
    get(_target, method: keyof Storage) {
      if (attached !== null) return attached[method];
      if (method === 'close') return () => Promise.resolve();
      return () => {
        throw storageNotReached();
      };
    },
  });
  return {
    storage,
    attach(real) {
      attached = real;
    },
  };
}
