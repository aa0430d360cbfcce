/** P15: the clusters of a viewport: response time, and correct counts after each write. */

import type { Bench, Workload } from '../harness/bench.ts';
import type { Box, Point } from '../harness/search-areas.ts';
import { pointsOf } from '../harness/search-areas.ts';
import { stopAfter } from '../harness/peers.ts';
import type { HttpRequest } from '../harness/request.ts';
import { sendRequest, headersOf } from '../harness/request.ts';
import type { Goal } from '../harness/result.ts';
import { formatNumber, rowsOf } from '../harness/result.ts';
import type { Contender } from '../harness/rounds.ts';
import type { Measured } from '../harness/wrk.ts';
import { measureRounds } from '../harness/rounds.ts';
import { spreadOf } from '../harness/statistics.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import { copyStore } from '../harness/stores.ts';
import type { Subject } from '../harness/subject.ts';
import { OURS, startOurs, startPeer } from '../harness/subject.ts';
import { checkWrites, countIn } from './cluster-writes.ts';
import { clustersIn } from './graphql-operations.ts';
import { distinctOf, loadOf, onServerCore, sizeNotes } from './page-load.ts';
import { viewportAt } from './viewport.ts';

const SUPERCLUSTER = 'supercluster behind Fastify';
const ZOOMS = [2, 6, 10, 14] as const;
const MAX_MS = 20;
const WORLD: Box = { south: -85, west: -180, north: 85, east: 180 };
const WRITES = 20;

export const clusters: Workload = {
  id: 'P15',
  async run(bench) {
    const { largeMap } = bench.options.sizes;
    const large = await bench.stores.large();
    const store = copyStore(large, bench.folder, 'clusters');
    const options = onServerCore(bench, store);
    bench.progress('starting supercluster, which builds its index');
    const env = { DATABASE: large.path, MAP: large.mapId };
    const probe = clustersOfPeer(WORLD, 0);
    const supercluster = await startPeer(SUPERCLUSTER, 'supercluster', env, { ...options, probe });
    return stopAfter([supercluster], async () => {
      const ours = await startOurs(store.url, options);
      return stopAfter([ours], async () => {
        await assertAllCounted(ours, supercluster, store, largeMap);
        const points = pointsOf(large, distinctOf(bench));
        const measured = await measureRounds(bench, contendersOf(bench, store, ours, supercluster, points));
        bench.progress('checking clusters after writes');
        const written = points.slice(0, bench.options.quick ? WRITES / 5 : WRITES);
        const { responses, correct } = await checkWrites(ours, store, written, ZOOMS);
        return {
          id: 'P15',
          title: `clusters of 1,024 × 512 pixels, one client, a map of ${formatNumber(largeMap)}`,
          goals: [
            ...ZOOMS.map((zoom, index) => medianGoal(zoom, measured[2 * index]!, measured[2 * index + 1]!)),
            {
              against: 'correct counts after each create, move and delete',
              ours: formatNumber(correct),
              theirs: '',
              value: `${correct} of ${responses}`,
              second: '',
              target: 'all',
              isMet: correct === responses,
            },
          ],
          rows: rowsOf(measured),
          notes: [
            'supercluster builds its index in memory before the measurement, and does not support writes',
            ...sizeNotes(bench),
          ],
        };
      });
    });
  },
};

function contendersOf(
  bench: Bench,
  store: SqliteStore,
  ours: Subject,
  supercluster: Subject,
  points: readonly Point[],
): Contender[] {
  return ZOOMS.flatMap((zoom) => {
    const boxes = points.map((point) => viewportAt(point, zoom));
    const contender = (subject: Subject, name: string, requests: readonly HttpRequest[]): Contender => ({
      name: `${name}, zoom ${zoom}`,
      subject,
      load: loadOf(bench, `P15-${name}-${zoom}`, requests, store.readToken),
      connections: 1,
    });
    return [
      contender(
        ours,
        OURS,
        boxes.map((box) => clustersIn(store.mapId, box, zoom)),
      ),
      contender(
        supercluster,
        SUPERCLUSTER,
        boxes.map((box) => clustersOfPeer(box, zoom)),
      ),
    ];
  });
}

function clustersOfPeer({ south, west, north, east }: Box, zoom: number): HttpRequest {
  return { path: `/clusters?west=${west}&south=${south}&east=${east}&north=${north}&zoom=${zoom}` };
}

function medianGoal(zoom: number, ours: Measured, theirs: Measured): Goal {
  const milliseconds = ({ samples }: Measured) => spreadOf(samples.map(({ p50 }) => p50));
  const { median, min, max } = milliseconds(ours);
  return {
    against: `${SUPERCLUSTER}, zoom ${zoom}: median`,
    ours: `${median.toFixed(2)} ms`,
    theirs: `${milliseconds(theirs).median.toFixed(2)} ms`,
    value: `${median.toFixed(1)} (${min.toFixed(1)}–${max.toFixed(1)}) ms`,
    second: '',
    target: `≤ ${MAX_MS} ms`,
    isMet: median <= MAX_MS,
  };
}

/** @throws Error when either omits locations */
async function assertAllCounted(
  ours: Subject,
  supercluster: Subject,
  store: SqliteStore,
  size: number,
): Promise<void> {
  const response = await sendRequest(
    supercluster.origin,
    clustersOfPeer(WORLD, 2),
    headersOf(store.readToken),
  );
  const features = JSON.parse(response.body.toString()) as { properties: { point_count?: number } }[];
  const theirs = features.reduce((sum, { properties }) => sum + (properties.point_count ?? 1), 0);
  const counted = await countIn(ours, store, WORLD, 2);
  if (counted !== size || theirs !== size)
    throw new Error(`Of ${size} locations, ${OURS} counts ${counted} and ${SUPERCLUSTER} ${theirs}.`);
}
