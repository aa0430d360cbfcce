/** Lanes: what shares a change, and what becomes of writes that could not be settled. */

import { MapWriteBatcher } from '../../../src/storage/mongodb/map-write-batcher.ts';

interface Request {
  readonly name: string;
  readonly reject: (error: unknown) => void;
}

interface Change {
  readonly mapId: string;
  readonly names: readonly string[];
  readonly done: readonly string[];
  /** Ends the change; with an error it fails. */
  readonly end: (error?: Error) => void;
}

/** Lanes whose changes are ended by the test, one after the other. */
function controlledLanes() {
  const changes: Change[] = [];
  let wake = () => {};
  const lanes = new MapWriteBatcher<Request>({
    change: (mapId, batch, done) =>
      new Promise((resolve, reject) => {
        const ids = [...done.writes.keys()];
        const end = (error?: Error) =>
          error === undefined ? resolve(batch.length > 0 ? [] : ids) : reject(error);
        changes.push({ mapId, names: batch.map(({ name }) => name), done: ids, end });
        wake();
      }),
    run: (work) => work(),
  });
  const next = async (): Promise<Change> => {
    for (;;) {
      const change = changes.shift();
      if (change !== undefined) return change;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const rejected: string[] = [];
  const add = (mapId: string, name: string) =>
    lanes.add(mapId, { name, reject: (error) => void rejected.push(`${name}: ${String(error)}`) });
  return { lanes, add, next, rejected, changes };
}

describe('lanes', () => {
  // What the lanes wait for does not keep the tests going.
  let alive: NodeJS.Timeout;
  beforeAll(() => {
    alive = setInterval(() => {}, 1000);
  });
  afterAll(() => clearInterval(alive));

  it('share a change among all that waits for one map, and keep maps apart', async () => {
    const { add, next } = controlledLanes();
    for (const name of ['a', 'b', 'c']) add('one', name);
    add('two', 'd');
    const [first, other] = [await next(), await next()];
    expect([first.mapId, first.names]).toEqual(['one', ['a']]);
    expect([other.mapId, other.names]).toEqual(['two', ['d']]);
    first.end();
    expect((await next()).names).toEqual(['b', 'c']);
  });

  it('reject the requests of a change that failed, and go on with the next', async () => {
    const { add, next, rejected } = controlledLanes();
    for (const name of ['a', 'b']) add('map', name);
    (await next()).end(new Error('lost'));
    expect((await next()).names).toEqual(['b']);
    expect(rejected).toEqual(['a: Error: lost']);
  });

  it('settle what is done by themselves, and try again what failed', async () => {
    const { lanes, next } = controlledLanes();
    lanes.settle('map', 'write 1', new Set());
    lanes.settle('map', 'write 2', new Set());
    const first = await next();
    expect([first.names, first.done]).toEqual([[], ['write 1', 'write 2']]);
    first.end(new Error('lost'));
    const second = await next();
    expect([second.names, second.done]).toEqual([[], ['write 1', 'write 2']]);
    second.end();
  });

  it('hand what could not be settled to the next write of the map', async () => {
    const { lanes, add, next } = controlledLanes();
    lanes.settle('map', 'write 1', new Set());
    (await next()).end(new Error('lost'));
    add('map', 'a');
    expect(await next()).toMatchObject({ names: ['a'], done: ['write 1'] });
  });

  it('keep no process alive that has something to settle', () => {
    const timeouts = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const { lanes } = controlledLanes();
    const before = timeouts();
    lanes.settle('map', 'write', new Set());
    expect(timeouts()).toBe(before);
  });

  it('when closed settle at once what is done, after what is under way, and nothing later', async () => {
    const { lanes, add, next, changes } = controlledLanes();
    add('one', 'a');
    lanes.settle('one', 'write 1', new Set());
    lanes.settle('two', 'write 2', new Set());
    const under = await next();
    const closed = lanes.close();
    const ofTwo = await next();
    expect([ofTwo.mapId, ofTwo.names, ofTwo.done]).toEqual(['two', [], ['write 2']]);
    expect(changes).toEqual([]);
    under.end();
    const ofOne = await next();
    expect([ofOne.mapId, ofOne.names, ofOne.done]).toEqual(['one', [], ['write 1']]);
    for (const { end } of [ofOne, ofTwo]) end();
    await closed;
    const timers = jest.spyOn(globalThis, 'setTimeout');
    lanes.settle('one', 'write 3', new Set());
    expect(timers).not.toHaveBeenCalled();
    timers.mockRestore();
  });
});
