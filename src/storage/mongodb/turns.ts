/** Work that shares a key is done one after the other, in the order asked; other work goes on beside it. */

export type Turns = <T>(keys: readonly string[], work: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();

  return async (keys, work) => {
    const before = keys.flatMap((key) => last.get(key) ?? []);
    const turn = Promise.allSettled(before).then(work);
    for (const key of keys) last.set(key, turn);
    try {
      return await turn;
    } finally {
      for (const key of keys) if (last.get(key) === turn) last.delete(key);
    }
  };
}
