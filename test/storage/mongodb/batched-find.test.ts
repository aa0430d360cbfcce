/** Concurrent lookups. They need no server. */

import { setImmediate as turn } from 'node:timers/promises';

import { createBatchedFind } from '../../../src/storage/mongodb/batched-find.ts';
import type { Database } from '../../../src/storage/mongodb/database.ts';
import type { Collections } from '../../../src/storage/mongodb/schema.ts';

interface Command {
  readonly keys: readonly string[];
  response(): void;
  fail(error: Error): void;
}

/** A server that responds on the test's command, with its documents at that time. */
function createServer(documents: Map<string, number>) {
  const commands: Command[] = [];
  const limits: (() => void)[] = [];
  const database = {
    run: <T>(work: (collections: Collections) => Promise<T>) => {
      const limit = new Promise<never>((_, reject) => {
        limits.push(() => reject(new Error('too late')));
      });
      return Promise.race([work({} as Collections), limit]);
    },
  } as Database;
  const find = createBatchedFind(
    database,
    (_collections, keys) =>
      new Promise<{ key: string; value: number }[]>((resolve, reject) => {
        commands.push({
          keys,
          response: () =>
            resolve(
              // Backwards: the server decides the order.
              [...keys].reverse().flatMap((key) => {
                const value = documents.get(key);
                return value === undefined ? [] : [{ key, value }];
              }),
            ),
          fail: reject,
        });
      }),
    ({ key }) => key,
  );
  return {
    commands,
    /** Ends the time limit of every call and command in progress. */
    endTime: () => limits.splice(0).forEach((end) => end()),
    find: async (key: string) => (await find(key))?.value ?? null,
  };
}

describe('concurrent lookups', () => {
  it('share one command, with each key once, and each gets its own document', async () => {
    const { commands, find } = createServer(new Map(Object.entries({ a: 1, b: 2 })));
    const found = Promise.all(['a', 'b', 'a', 'none'].map(find));
    await turn();
    expect(commands.map(({ keys }) => keys)).toEqual([['a', 'b', 'none']]);
    commands[0]!.response();
    expect(await found).toEqual([1, 2, 1, null]);
  });

  it('wait while two commands are in progress, and no longer', async () => {
    const { commands, find } = createServer(new Map(Object.entries({ a: 1, b: 2, c: 3, d: 4, e: 5 })));
    const found: Promise<number | null>[] = [];
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      found.push(find(key));
      await turn();
    }
    expect(commands.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
    commands[1]!.response();
    await turn();
    expect(commands.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['c', 'd', 'e']]);
    for (const command of commands) command.response();
    expect(await Promise.all(found)).toEqual([1, 2, 3, 4, 5]);
  });

  it('wait no longer than the time limit of a call, and are sent when it ends the commands before', async () => {
    const { commands, endTime, find } = createServer(new Map([['a', 1]]));
    const hanging = [];
    for (let count = 0; count < 2; count += 1) {
      hanging.push(find('a'));
      await turn();
    }
    const settled = Promise.allSettled([...hanging, find('a')]);
    endTime();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const found = find('a');
    await turn();
    commands.at(-1)!.response();
    expect(await found).toBe(1);
  });

  it('are as new as the call, never from an earlier command', async () => {
    const documents = new Map([['a', 1]]);
    const { commands, find } = createServer(documents);
    const [first, second] = [find('a'), find('a')];
    await turn();
    commands[0]!.response();
    expect(await Promise.all([first, second])).toEqual([1, 1]);
    documents.set('a', 2);
    const later = find('a');
    await turn();
    commands[1]!.response();
    expect(await later).toBe(2);
  });

  it('fail together; later ones do not', async () => {
    const { commands, find } = createServer(new Map([['a', 1]]));
    for (let round = 0; round < 5; round += 1) {
      const failing = Promise.allSettled([find('a'), find('b')]);
      await turn();
      commands.at(-1)!.fail(new Error('away'));
      expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    }
    const found = find('a');
    await turn();
    commands.at(-1)!.response();
    expect(await found).toBe(1);
  });

  it('are split into several commands if there are very many', async () => {
    const { commands, find } = createServer(new Map());
    const found = Promise.all(Array.from({ length: 500 }, (_, index) => find(String(index))));
    while (commands.reduce((sum, { keys }) => sum + keys.length, 0) < 500) {
      for (const command of commands) command.response();
      await turn();
    }
    for (const command of commands) command.response();
    expect((await found).every((value) => value === null)).toBe(true);
    expect(commands.map(({ keys }) => keys.length)).toEqual([200, 200, 100]);
  });
});
