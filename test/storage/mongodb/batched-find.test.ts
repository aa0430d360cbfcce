/** Documents that are asked for at the same moment. No server is needed. */

import { setImmediate as turn } from 'node:timers/promises';

import type { Collections, Database } from '../../../src/storage/mongodb/database.ts';
import { createBatchedFind } from '../../../src/storage/mongodb/batched-find.ts';

interface Command {
  readonly keys: readonly string[];
  response(): void;
  fail(error: Error): void;
}

/** A server that answers when it is told to, with what its documents are then. */
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
              // Backwards: the order is the server's.
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
    /** Ends the time of every call and command that has begun. */
    endTime: () => limits.splice(0).forEach((end) => end()),
    find: async (key: string) => (await find(key))?.value ?? null,
  };
}

describe('documents that are asked for at the same moment', () => {
  it('are read by one command, each key once, and each asker is given its own', async () => {
    const { commands, find } = createServer(new Map(Object.entries({ a: 1, b: 2 })));
    const found = Promise.all(['a', 'b', 'a', 'none'].map(find));
    await turn();
    expect(commands.map(({ keys }) => keys)).toEqual([['a', 'b', 'none']]);
    commands[0]!.response();
    expect(await found).toEqual([1, 2, 1, null]);
  });

  it('wait for one another while two commands are under way, and no longer', async () => {
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

  it('wait for others no longer than a call may take, and take their place when it is up', async () => {
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

  it('are as new as the call, never what a command before it found', async () => {
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

  it('fail together, and those after them do not', async () => {
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

  it('are several commands where they are very many', async () => {
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
