/**
 * Under mixed load, the server's memory and the cost of a request are the same at the end as in the middle. `npm run
 * torture` runs it for an hour.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';

import { createFolder, killPrograms, startPlainServer } from '../../support/program.ts';
import { describeUnless } from '../../support/skip.ts';
import { isTorture } from '../../support/torture.ts';
import { prepareMap } from '../prepared-map.ts';
import {
  descriptorsOf,
  hasPrlimit,
  NEEDS_PRLIMIT,
  processorTicksOf,
  residentBytesOf,
} from '../faults/process.ts';

const REQUESTS = Number(process.env['LOAD_REQUESTS'] ?? (isTorture ? Infinity : 2_400));
const MINUTES = Number(process.env['LOAD_MINUTES'] ?? 60);
const CLIENTS = 8;
/** The first stages warm up; the others are compared. */
const STAGES = 6;
/** SQLite checkpoints the write-ahead log at 4 MiB (1,000 pages), or a little later while readers block it. */
const MOST_LOG_BYTES = 24 * 1024 * 1024;
/** Allows for uncollected garbage. */
const MOST_GROWTH_BYTES = 48 * 1024 * 1024;

afterAll(killPrograms);

interface Stage {
  readonly requests: number;
  readonly residentBytes: number;
  readonly descriptors: number;
  readonly logBytes: number;
  /** Processor ticks for a thousand requests. */
  readonly ticks: number;
}

describeUnless(!hasPrlimit && NEEDS_PRLIMIT, 'a server under mixed load', () => {
  it('grows neither in memory nor in cost from stage to stage', async () => {
    const cwd = createFolder();
    const { token, mapId } = await prepareMap(cwd);
    const server = await startPlainServer(cwd, { GEOCODER: 'offline' });
    const faults: string[] = [];
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const send = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status !== 200 || text.includes('"errors"'))
        faults.push(`${method} ${path}: ${text.slice(0, 200)}`);
      return text;
    };
    const graphql = async (query: string) => send('POST', '/graphql', { query });
    const newLocation = (count: number) => ({
      fields: { Name: `Place ${count}`, Address: 'Lisboa, Portugal' },
    });
    const list = `/v0/map/${mapId}/locations?limit=20`;

    // Each client deletes what it creates, so that the map keeps its size.
    const turn = async (count: number): Promise<number> => {
      const made = JSON.parse(await send('POST', `/v0/map/${mapId}/location`, newLocation(count))) as {
        data: { id: string };
      };
      const { id } = made.data;
      await send('GET', list);
      await graphql(
        `{ map(id: "${mapId}") { name locations(first: 20, filter: {search: "place"}) { totalCount nodes { id name properties } } } }`,
      );
      await graphql(
        `mutation { updateLocation(input: {mapId: "${mapId}", id: "${id}", fields: {n: ${count}}}) { location { version } } }`,
      );
      await graphql(
        `mutation { moveLocations(input: {mapId: "${mapId}", ids: ["${id}"], toStart: true}) { locations { order } } }`,
      );
      await graphql(
        `{ map(id: "${mapId}") { clusters(bbox: {south: -90, west: -180, north: 90, east: 180}, zoom: 3) { count } } }`,
      );
      await send('GET', `/maps/${mapId}/locations.csv`);
      await send('DELETE', `/v0/map/${mapId}/location/${id}`);
      return 8;
    };

    for (let count = 0; count < 50; count += 1)
      await send('POST', `/v0/map/${mapId}/location`, newLocation(count));
    const end = performance.now() + (Number.isFinite(REQUESTS) ? Infinity : MINUTES * 60_000);
    const begun = performance.now();
    let done = 0;
    let stage = 0;
    const isOver = () => stage >= STAGES;
    const stages: Stage[] = [];
    let last = { done: 0, ticks: processorTicksOf(server.pid) };
    const share = () =>
      Number.isFinite(REQUESTS) ? done / REQUESTS : (performance.now() - begun) / (end - begun);
    const client = async (index: number) => {
      for (let count = index; !isOver(); count += CLIENTS) {
        // Two statements: `done += await …` would read `done` before the turn.
        const sent = await turn(count);
        done += sent;
        if (share() < (stage + 1) / STAGES || isOver()) continue;
        stage += 1;
        const ticks = processorTicksOf(server.pid);
        stages.push({
          requests: done - last.done,
          residentBytes: residentBytesOf(server.pid),
          descriptors: descriptorsOf(server.pid).length,
          logBytes: statSync(join(cwd, 'store.db-wal')).size,
          ticks: ((ticks - last.ticks) / (done - last.done)) * 1_000,
        });
        last = { done, ticks };
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
    console.log(JSON.stringify(stages));

    expect(faults).toEqual([]);
    const [, , middle, ...rest] = stages;
    const final = rest.at(-1);
    if (middle === undefined || final === undefined) throw new Error('Too few stages.');
    expect(final.residentBytes - middle.residentBytes).toBeLessThan(MOST_GROWTH_BYTES);
    expect(final.descriptors).toBeLessThanOrEqual(middle.descriptors + 2);
    for (const { logBytes } of stages) expect(logBytes).toBeLessThan(MOST_LOG_BYTES);
    // A short stage on a busy machine proves little.
    if (isTorture) expect(final.ticks).toBeLessThan(middle.ticks * 1.5);
    expect(await server.stop()).toMatchObject({ code: 0, signal: null });
  });
});
