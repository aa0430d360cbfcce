/** P10: P1 over MongoDB, by the processor time of the server, without that of MongoDB. */

import { dropDatabase, urlOfDatabase, withClient } from '../../test/support/mongodb-server.ts';
import type { Bench, Workload } from '../harness/bench.ts';
import { onEnd } from '../harness/cleanup.ts';
import { assertEqual } from '../harness/equality.ts';
import type { PageStart } from '../harness/pages.ts';
import { distinctPages, v0Page } from '../harness/pages.ts';
import { FASTIFY_MONGODB, stopAfter } from '../harness/peers.ts';
import { headersOf } from '../harness/request.ts';
import type { WorkloadResult } from '../harness/result.ts';
import { formatNumber, ratioGoal, rowsOf } from '../harness/result.ts';
import { measureRounds } from '../harness/rounds.ts';
import { fillStore } from '../harness/stores.ts';
import { startOurs, startPeer } from '../harness/subject.ts';
import { startWriter } from '../harness/writer.ts';
import { changePeer, fillPeer } from './mongodb-peer.ts';
import { loadOf, sampleOf } from './page-load.ts';

const MAP_SIZE = 1_000;
const TARGET = 1.5;
const TITLE = `P1 over MongoDB, maps of ${formatNumber(MAP_SIZE)}, requests per CPU second of the server`;

export const mongodb: Workload = {
  id: 'P10',
  async run(bench) {
    const server = process.env.BENCH_MONGODB_URL ?? process.env.TEST_MONGODB_URL ?? '';
    if (server === '') {
      const why = 'no MongoDB server: set BENCH_MONGODB_URL or TEST_MONGODB_URL';
      return { id: 'P10', title: TITLE, goals: [], rows: [], notes: [why] };
    }
    const urls = [`bench-ours-${process.pid}`, `bench-peer-${process.pid}`].map((name) =>
      urlOfDatabase(server, name),
    );
    const drop = onEnd(async () => {
      for (const url of urls) await dropDatabase(url);
    });
    try {
      return await measure(bench, urls, await describeServer(server));
    } finally {
      await drop();
    }
  },
};

async function measure(
  bench: Bench,
  [url = '', peerUrl = '']: readonly string[],
  serverName: string,
): Promise<WorkloadResult> {
  const { cores, folder } = bench;
  const { maps } = bench.options.sizes;
  bench.progress(`creating ${maps} maps of ${MAP_SIZE} locations`);
  const store = await fillStore(
    url,
    folder,
    Array.from({ length: maps }, () => MAP_SIZE),
  );
  const headers = headersOf(store.readToken);
  const probe = v0Page(store.mapIds[0] ?? '', { order: '1' });
  const options = { core: cores.server, folder, probe, headers };

  const ours = await startOurs(url, options);
  return stopAfter([ours], async () => {
    await fillPeer(peerUrl, ours, store);
    const fastify = await startPeer(FASTIFY_MONGODB, 'fastify-mongodb', { DATABASE: peerUrl }, options);
    return stopAfter([fastify], async () => {
      const starts: PageStart[] = Array.from({ length: MAP_SIZE }, (_, index) => ({
        order: String(1 + index),
        after: null,
      }));
      // The maps take turns.
      const requests = distinctPages(starts, MAP_SIZE).flatMap((start) =>
        store.mapIds.map((mapId) => v0Page(mapId, start)),
      );
      await assertEqual([ours, fastify], [probe, ...sampleOf(requests)], headers, 'bytes');
      const load = loadOf(bench, 'P10', requests, store.readToken);
      const written = { ...store, size: MAP_SIZE };
      const writers = [
        await startWriter(written, { ...options, core: cores.generator }),
        await changePeer(peerUrl, written),
      ];
      return stopAfter(writers, async () => {
        const measured = await measureRounds(
          bench,
          [ours, fastify].map((subject) => ({ name: subject.name, subject, load })),
        );
        const [us, them] = measured;
        return {
          id: 'P10',
          title: TITLE,
          goals: [ratioGoal(FASTIFY_MONGODB, us, them, TARGET, 'perCpuSecond')],
          rows: rowsOf(measured),
          notes: [`the database is ${serverName}`, 'the database’s processes run on either core'],
        };
      });
    });
  });
}

/** Names the server, since the figures of one that only speaks MongoDB's protocol say nothing about mongod. */
async function describeServer(server: string): Promise<string> {
  return withClient(server, async (client) => {
    const admin = client.db('admin');
    const { version, ferretdb } = await admin.command({ buildInfo: 1 });
    if (ferretdb) return `FerretDB ${ferretdb.version}, which is not mongod`;
    const { setName, hosts = [], msg } = await admin.command({ hello: 1 });
    if (msg === 'isdbgrid') return `mongos ${version}`;
    return `mongod ${version}, ${setName ? `a replica set of ${hosts.length}` : 'standalone'}`;
  });
}
