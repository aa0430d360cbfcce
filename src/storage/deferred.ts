/** A store that is not there yet: a database away at the start is waited for while the server already listens. */

import { storageNotReached } from '../errors.ts';
import type { Storage } from './storage.ts';

export interface DeferredStorage {
  /** Every call fails with STORAGE_UNAVAILABLE until there is a store to pass it on to. */
  readonly storage: Storage;
  readonly attach: (storage: Storage) => void;
}

export function deferStorage(): DeferredStorage {
  let attached: Storage | null = null;
  const storage = new Proxy({} as Storage, {
    get(_target, method: keyof Storage) {
      // eslint-disable-next-line @typescript-eslint/unbound-method -- stores are plain objects; no method uses `this`
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
