/** P19: vector tiles: tiles per processor second, response time, and the first byte after a write. */

import type { Bench, Workload } from '../harness/bench.ts';
import { cpuSecondsOf } from '../harness/cpu.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import { fieldsOf } from '../harness/locations.ts';
import { stopAfter } from '../harness/peers.ts';
import type { HttpRequest } from '../harness/request.ts';
import { headersOf, queryGraphql, sendRequest } from '../harness/request.ts';
import type { Goal } from '../harness/result.ts';
import { formatNumber, ratioGoal, rowsOf } from '../harness/result.ts';
import type { Contender } from '../harness/rounds.ts';
import { measureRounds } from '../harness/rounds.ts';
import type { Point } from '../harness/search-areas.ts';
import { pointsOf } from '../harness/search-areas.ts';
import { spreadOf } from '../harness/statistics.ts';
import { copyStore } from '../harness/stores.ts';
import type { Subject } from '../harness/subject.ts';
import { startOurs, startPeer } from '../harness/subject.ts';
import type { Measured } from '../harness/wrk.ts';
import { distinctOf, loadOf, onServerCore, sizeNotes } from './page-load.ts';
import { tileAt } from './viewport.ts';

const GEOJSON_VT = 'geojson-vt behind Fastify';
/** The peer's tile of this zoom has every location of a continent, so it is timed once. */
const WORLD_ZOOM = 2;
const ZOOMS = [WORLD_ZOOM, 6, 10, 14] as const;
const TARGET = 0.3;
const MAX_MS = 20;
const WRITES = 20;

const CREATE =
  'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }';

export const tiles: Workload = {
  id: 'P19',
  async run(bench) {
    const { largeMap } = bench.options.sizes;
    const large = await bench.stores.large();
    const store = copyStore(large, bench.folder, 'tiles');
    const options = onServerCore(bench, store);
    const points = pointsOf(large, distinctOf(bench));
    bench.progress('starting geojson-vt, which builds its index');
    const env = { DATABASE: large.path, MAP: large.mapId, NODE_OPTIONS: '--max-old-space-size=8192' };
    const probe = tileOf(store, points[0]!, 14);
    const peer = await startPeer(GEOJSON_VT, 'geojson-vt', env, { ...options, probe });
    return stopAfter([peer], async () => {
      // Every tile is made anew, as the peer makes it.
      const ours = await startOurs(store.url, options, { TILE_CACHE_BYTES: '0' });
      return stopAfter([ours], async () => {
        const measured = await measureRounds(bench, contendersOf(bench, store, ours, peer, points));
        const measuredAt = (subject: Subject, zoom: number) =>
          measured.find(({ name }) => name === nameOf(subject, zoom))!;
        const once = await measureOnce(peer, tileOf(store, points[0]!, WORLD_ZOOM), store.readToken);
        bench.progress('reading tiles after writes');
        const written = points.slice(0, bench.options.quick ? WRITES / 5 : WRITES);
        return {
          id: 'P19',
          title: `vector tiles, one client, a map of ${formatNumber(largeMap)}`,
          goals: [
            ...goalsAtWorldZoom(measuredAt(ours, WORLD_ZOOM), once),
            ...ZOOMS.filter((zoom) => zoom !== WORLD_ZOOM).flatMap((zoom) =>
              goalsOf(zoom, measuredAt(ours, zoom), measuredAt(peer, zoom)),
            ),
            ...(await goalsAfterWrites(ours, store, written)),
          ],
          rows: rowsOf(measured),
          notes: [
            'geojson-vt builds its index in memory before the measurement, does not cluster, and does not support writes',
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
  peer: Subject,
  points: readonly Point[],
): Contender[] {
  return ZOOMS.flatMap((zoom) => {
    const requests = points.map((point) => tileOf(store, point, zoom));
    return (zoom === WORLD_ZOOM ? [ours] : [ours, peer]).map((subject) => ({
      name: nameOf(subject, zoom),
      subject,
      load: loadOf(bench, `P19-${subject.name}-${zoom}`, requests, store.readToken),
      connections: 1,
    }));
  });
}

function tileOf({ mapId }: Pick<SqliteStore, 'mapId'>, point: Point, zoom: number): HttpRequest {
  const { x, y } = tileAt(point, zoom);
  return { path: `/maps/${mapId}/tiles/${zoom}/${x}/${y}.mvt` };
}

function nameOf({ name }: Pick<Subject, 'name'>, zoom: number): string {
  return `${name}, zoom ${zoom}`;
}

interface Once {
  readonly cpuSeconds: number;
  readonly milliseconds: number;
}

async function measureOnce({ origin, pid }: Subject, request: HttpRequest, token: string): Promise<Once> {
  const cpuBefore = cpuSecondsOf(pid);
  const startedAt = performance.now();
  await sendRequest(origin, request, headersOf(token));
  return { milliseconds: performance.now() - startedAt, cpuSeconds: cpuSecondsOf(pid) - cpuBefore };
}

function goalsAtWorldZoom(ours: Measured, once: Once): readonly Goal[] {
  const { median } = spreadOf(ours.samples.map(({ perCpuSecond }) => perCpuSecond));
  const ratio = median * once.cpuSeconds;
  return [
    {
      against: `${GEOJSON_VT}, zoom ${WORLD_ZOOM}: per CPU s, theirs once`,
      ours: formatNumber(median),
      theirs: formatNumber(1 / once.cpuSeconds),
      value: formatNumber(ratio),
      second: '',
      target: String(TARGET),
      isMet: ratio >= TARGET,
    },
    medianGoal(WORLD_ZOOM, ours, once.milliseconds),
  ];
}

function goalsOf(zoom: number, ours: Measured, theirs: Measured): readonly Goal[] {
  const { median } = spreadOf(theirs.samples.map(({ p50 }) => p50));
  return [
    ratioGoal(`${GEOJSON_VT}, zoom ${zoom}: per CPU s`, ours, theirs, TARGET, 'perCpuSecond'),
    medianGoal(zoom, ours, median),
  ];
}

function medianGoal(zoom: number, ours: Measured, theirs: number): Goal {
  const { median, min, max } = spreadOf(ours.samples.map(({ p50 }) => p50));
  return {
    against: `${GEOJSON_VT}, zoom ${zoom}: median`,
    ours: `${median.toFixed(2)} ms`,
    theirs: `${theirs.toFixed(2)} ms`,
    value: `${median.toFixed(1)} (${min.toFixed(1)}–${max.toFixed(1)}) ms`,
    second: '',
    target: `≤ ${MAX_MS} ms`,
    isMet: median <= MAX_MS,
  };
}

/** Creates a location at each point. Its tiles must change at once. */
async function goalsAfterWrites(
  { origin }: Subject,
  store: SqliteStore,
  points: readonly Point[],
): Promise<readonly Goal[]> {
  const headers = headersOf(store.readToken);
  const times = new Map<number, number[]>(ZOOMS.map((zoom) => [zoom, []]));
  let changed = 0;
  for (const position of points) {
    const read = (zoom: number) => sendRequest(origin, tileOf(store, position, zoom), headers);
    const before = await Promise.all(ZOOMS.map(read));
    const input = { mapId: store.mapId, fields: fieldsOf(1), position };
    await queryGraphql(origin, store.writeToken, CREATE, { input });
    for (const [index, zoom] of ZOOMS.entries()) {
      const startedAt = performance.now();
      const { body } = await read(zoom);
      times.get(zoom)?.push(performance.now() - startedAt);
      if (!body.equals(before[index]!.body)) changed += 1;
    }
  }
  const reads = points.length * ZOOMS.length;
  return [
    ...ZOOMS.map((zoom): Goal => {
      const { median, max } = spreadOf(times.get(zoom) ?? []);
      return {
        against: `the first tile after a write, zoom ${zoom}: median, longest`,
        ours: `${median.toFixed(1)} / ${max.toFixed(1)} ms`,
        theirs: '',
        value: `${median.toFixed(1)} ms`,
        second: '',
        target: `≤ ${MAX_MS} ms`,
        isMet: median <= MAX_MS,
      };
    }),
    {
      against: 'tiles that show a write at once',
      ours: formatNumber(changed),
      theirs: '',
      value: `${changed} of ${reads}`,
      second: '',
      target: 'all',
      isMet: changed === reads,
    },
  ];
}
