/** The batcher: which requests share an update, and when done writes are closed. */

import { MapWriteBatcher } from '../../../../src/storage/mongodb/writes/batcher.ts';

interface Request {
  readonly name: string;
  readonly reject: (error: unknown) => void;
}

interface Update {
  readonly mapId: string;
  readonly names: readonly string[];
  readonly done: readonly string[];
  /** Ends the update; with an error it fails. */
  readonly end: (error?: Error) => void;
}

/** A batcher whose updates the test ends. */
function controlledBatcher() {
  const updates: Update[] = [];
  let wake = () => {};
  const batcher = new MapWriteBatcher<Request>({
    apply: (mapId, batch, done) =>
      new Promise((resolve, reject) => {
        const ids = [...done.writes.keys()];
        const end = (error?: Error) =>
          error === undefined ? resolve(batch.length > 0 ? [] : ids) : reject(error);
        updates.push({ mapId, names: batch.map(({ name }) => name), done: ids, end });
        wake();
      }),
    run: (work) => work(),
  });
  const next = async (): Promise<Update> => {
    for (;;) {
      const update = updates.shift();
      if (update !== undefined) return update;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const rejected: string[] = [];
  const add = (mapId: string, name: string) =>
    batcher.add(mapId, { name, reject: (error) => void rejected.push(`${name}: ${String(error)}`) });
  return { batcher, add, next, rejected, updates };
}

describe('the batcher of writes to maps', () => {
  // The batcher's timers do not keep the process alive.
  let alive: NodeJS.Timeout;
  beforeAll(() => {
    alive = setInterval(() => {}, 1000);
  });
  afterAll(() => clearInterval(alive));

  it('shares an update among all waiting requests of a map, and separates maps', async () => {
    const { add, next } = controlledBatcher();
    for (const name of ['a', 'b', 'c']) add('one', name);
    add('two', 'd');
    const [first, other] = [await next(), await next()];
    expect([first.mapId, first.names]).toEqual(['one', ['a']]);
    expect([other.mapId, other.names]).toEqual(['two', ['d']]);
    first.end();
    expect((await next()).names).toEqual(['b', 'c']);
  });

  it('rejects the requests of a failed update, and continues with the next', async () => {
    const { add, next, rejected } = controlledBatcher();
    for (const name of ['a', 'b']) add('map', name);
    (await next()).end(new Error('lost'));
    expect((await next()).names).toEqual(['b']);
    expect(rejected).toEqual(['a: Error: lost']);
  });

  it('closes done writes by itself, and retries after a failure', async () => {
    const { batcher, next } = controlledBatcher();
    batcher.finish('map', 'write 1', new Set());
    batcher.finish('map', 'write 2', new Set());
    const first = await next();
    expect([first.names, first.done]).toEqual([[], ['write 1', 'write 2']]);
    first.end(new Error('lost'));
    const second = await next();
    expect([second.names, second.done]).toEqual([[], ['write 1', 'write 2']]);
    second.end();
  });

  it('passes writes that it could not close to the next update of the map', async () => {
    const { batcher, add, next } = controlledBatcher();
    batcher.finish('map', 'write 1', new Set());
    (await next()).end(new Error('lost'));
    add('map', 'a');
    expect(await next()).toMatchObject({ names: ['a'], done: ['write 1'] });
  });

  it('keeps no process alive for writes to close', () => {
    const timeouts = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const { batcher } = controlledBatcher();
    const before = timeouts();
    batcher.finish('map', 'write', new Set());
    expect(timeouts()).toBe(before);
  });

  it('when closed, closes done writes at once, after the update in progress, and no later ones', async () => {
    const { batcher, add, next, updates } = controlledBatcher();
    add('one', 'a');
    batcher.finish('one', 'write 1', new Set());
    batcher.finish('two', 'write 2', new Set());
    const inProgress = await next();
    const closed = batcher.close();
    const ofTwo = await next();
    expect([ofTwo.mapId, ofTwo.names, ofTwo.done]).toEqual(['two', [], ['write 2']]);
    expect(updates).toEqual([]);
    inProgress.end();
    const ofOne = await next();
    expect([ofOne.mapId, ofOne.names, ofOne.done]).toEqual(['one', [], ['write 1']]);
    for (const { end } of [ofOne, ofTwo]) end();
    await closed;
    const timers = jest.spyOn(globalThis, 'setTimeout');
    batcher.finish('one', 'write 3', new Set());
    expect(timers).not.toHaveBeenCalled();
    timers.mockRestore();
  });
});
