/** The store as one request sees it: how long all its calls together may wait, and how old their answers may be. */

import { storageUnavailable } from '../errors.ts';
import { now } from './moment.ts';
import type { Storage } from './storage.ts';

/** Of a call that walks through the store, or opens and closes it, nobody's request waits for the end. */
const UNLIMITED = ['close', 'dump', 'listMapsWithKeys'] as const;

type Method = Exclude<keyof Storage, (typeof UNLIMITED)[number]>;

const METHODS = Object.keys({
  ping: 0,
  isEmpty: 0,
  getMeta: 0,
  setMetaIfAbsent: 0,
  setMeta: 0,
  removeMeta: 0,
  findOrCreateOwner: 0,
  findOwnerByName: 0,
  findOwner: 0,
  listOwners: 0,
  insertToken: 0,
  findTokenByHash: 0,
  listTokens: 0,
  revokeToken: 0,
  insertMap: 0,
  getMaps: 0,
  listMaps: 0,
  countMaps: 0,
  updateMap: 0,
  insertLocations: 0,
  findIdempotencyRecords: 0,
  getLocations: 0,
  listLocations: 0,
  listLocationsJson: 0,
  hasLocations: 0,
  countLocations: 0,
  deleteLocation: 0,
  getGeocode: 0,
  putGeocode: 0,
  takeQuota: 0,
  removeExpired: 0,
  load: 0,
  removeAll: 0,
} satisfies Record<Method, 0>) as Method[];

/** Reads that may be as old as the request, and where among their arguments that is said. */
const DATED: Readonly<Partial<Record<Method, number>>> = {
  findTokenByHash: 1,
  getMaps: 1,
  listLocationsJson: 3,
};

/** While less than this share of the budget is spent, the store's own limit is limit enough. */
const UNHEEDED = 0.05;

class BudgetedStorage {
  readonly storage: Storage;
  readonly begun = now();
  readonly budgetMs: number;
  leftMs: number;

  constructor(storage: Storage, budgetMs: number) {
    this.storage = storage;
    this.budgetMs = budgetMs;
    this.leftMs = budgetMs;
  }
}

// Made once: a request then costs one object, where a context that follows it through every promise costs far more.
for (const method of METHODS) {
  const dated = DATED[method];
  Object.defineProperty(BudgetedStorage.prototype, method, {
    async value(this: BudgetedStorage, ...args: unknown[]): Promise<unknown> {
      const { storage, budgetMs, leftMs } = this;
      if (dated !== undefined) args[dated] = this.begun;
      const begun = performance.now();
      try {
        // eslint-disable-next-line @typescript-eslint/unbound-method -- bound to its store here
        const result = Reflect.apply(storage[method], storage, args) as Promise<unknown>;
        return await (budgetMs - leftMs < UNHEEDED * budgetMs ? result : inTime(result, leftMs));
      } finally {
        this.leftMs -= performance.now() - begun;
      }
    },
  });
}
for (const method of UNLIMITED) {
  Object.defineProperty(BudgetedStorage.prototype, method, {
    value(this: BudgetedStorage, ...args: unknown[]): unknown {
      // eslint-disable-next-line @typescript-eslint/unbound-method -- bound to its store here
      return Reflect.apply(this.storage[method], this.storage, args);
    },
  });
}

/**
 * @param budgetMs also what the store itself allows a single call
 * @returns a store for one request; a call that goes beyond fails with STORAGE_UNAVAILABLE, and may yet be carried out
 */
export function withinBudget(storage: Storage, budgetMs: number): Storage {
  return new BudgetedStorage(storage, budgetMs) as unknown as Storage;
}

async function inTime(result: Promise<unknown>, leftMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(storageUnavailable()), Math.max(0, leftMs));
  });
  try {
    return await Promise.race([result, limit]);
  } finally {
    clearTimeout(timer);
  }
}
