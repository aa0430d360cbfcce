/** A worker thread that serves one request at a time. */

import { mock } from 'node:test';

import { IdleWorker, WorkerBusyError } from '../../src/lib/idle-worker.ts';
import type { EncodedTile, TileContent } from '../../src/services/tiles/encode-tile.ts';

const LIMIT_MS = 1_000;

/** A tile without features. */
const CONTENT: TileContent = {
  tile: { zoom: 0, x: 0, y: 0 },
  columns: new TextEncoder().encode(
    JSON.stringify({ ids: [], names: [], latitudes: [], longitudes: [], fields: [] }),
  ),
  ...{ keys: [], clusters: [{ latitude: 1, longitude: 2, count: 3 }], maxBytes: 1_000, canBeNameless: true },
};

describe('a worker thread', () => {
  const worker = new IdleWorker<TileContent, EncodedTile | null>({
    ...{ program: 'services/tiles/tile-thread', name: 'tiles' },
    ...{ maxWaiting: 3, timeLimitMs: LIMIT_MS },
  });
  afterEach(() => mock.timers.reset());
  afterAll(() => worker.close());

  it('refuses requests that wait too long, and serves the others after one that takes too long', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const [first, second, third] = [worker.run(CONTENT), worker.run(CONTENT), worker.run(CONTENT)];
    const results = Promise.allSettled([first, second, third]);
    await expect(worker.run(CONTENT)).rejects.toBeInstanceOf(WorkerBusyError);
    mock.timers.tick(LIMIT_MS);
    expect(await results).toMatchObject([
      { status: 'rejected', reason: { message: 'The thread "tiles" timed out.' } },
      { status: 'fulfilled', value: { leftOut: [] } },
      { status: 'rejected', reason: expect.any(WorkerBusyError) },
    ]);
    expect(await worker.run(CONTENT)).toMatchObject({ leftOut: [] });
  });
});
