/** P15: the clusters of a screen, how soon they come, and that they are right after each write. */

import type { Bench, Workload } from '../harness/bench.ts';
import type { Box, Point } from '../harness/hundred.ts';
import { pointsOf } from '../harness/hundred.ts';
import { stopAfter } from '../harness/peers.ts';
import type { HttpRequest } from '../harness/request.ts';
import { ask, headersOf } from '../harness/request.ts';
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
const MOST_MS = 20;
const WORLD: Box = { south: -85, west: -180, north: 85, east: 180 };
const WRITES = 20;

export const clusters: Workload = {
  id: 'P15',
  async run(bench) {
    const { largeMap } = bench.options.sizes;
    const large = await bench.stores.large();
    const store = copyStore(large, bench.folder, 'clusters');
    const options = onServerCore(bench, store);
    bench.progress('supercluster is building its index');
    const env = { DATABASE: large.path, MAP: large.mapId };
    const probe = clustersOfPeer(WORLD, 0);
    const supercluster = await startPeer(SUPERCLUSTER, 'supercluster', env, { ...options, probe });
    return stopAfter([supercluster], async () => {
      const ours = await startOurs(store.url, options);
      return stopAfter([ours], async () => {
        await assertWhole(ours, supercluster, store, largeMap);
        const points = pointsOf(large, distinctOf(bench));
        const measured = await measureRounds(bench, contendersOf(bench, store, ours, supercluster, points));
        bench.progress('clusters are compared after writes');
        const places = points.slice(0, bench.options.quick ? WRITES / 5 : WRITES);
        const { responses, right } = await checkWrites(ours, store, places, ZOOMS);
        return {
          id: 'P15',
          title: `clusters of 1,024 × 512 pixels, one client, a map of ${formatNumber(largeMap)}`,
          goals: [
            ...ZOOMS.map((zoom, index) => medianGoal(zoom, measured[2 * index]!, measured[2 * index + 1]!)),
            {
              against: 'counts right after each create, change of point and delete',
              ours: formatNumber(right),
              theirs: '',
              value: `${right} of ${responses}`,
              second: '',
              reach: 'all',
              isReached: right === responses,
            },
          ],
          rows: rowsOf(measured),
          notes: [
            'supercluster reads no store and takes no write: its index is built once, before it is measured',
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
    reach: `≤ ${MOST_MS} ms`,
    isReached: median <= MOST_MS,
  };
}

/** @throws Error where either leaves out locations */
async function assertWhole(
  ours: Subject,
  supercluster: Subject,
  store: SqliteStore,
  size: number,
): Promise<void> {
  const response = await ask(supercluster.origin, clustersOfPeer(WORLD, 2), headersOf(store.readToken));
  const features = JSON.parse(response.body.toString()) as { properties: { point_count?: number } }[];
  const theirs = features.reduce((sum, { properties }) => sum + (properties.point_count ?? 1), 0);
  const counted = await countIn(ours, store, WORLD, 2);
  if (counted !== size || theirs !== size)
    throw new Error(`Of ${size} locations ${OURS} clusters ${counted}, ${SUPERCLUSTER} ${theirs}.`);
}
