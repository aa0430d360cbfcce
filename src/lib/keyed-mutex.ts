/** Work that shares a key is done one after the other, in the order asked. Other work goes on beside it. */

export type KeyedMutex = <T>(keys: readonly string[], work: () => Promise<T>) => Promise<T>;

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();

  return async (keys, work) => {
    const before = keys.flatMap((key) => last.get(key) ?? []);
    const own = Promise.allSettled(before).then(work);
    for (const key of keys) last.set(key, own);
    try {
      return await own;
    } finally {
      for (const key of keys) if (last.get(key) === own) last.delete(key);
    }
  };
}
