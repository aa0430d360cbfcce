/** P9: start-up time, and memory when idle and after many reads. */

import { setTimeout as delay } from 'node:timers/promises';

import type { Bench, Workload } from '../harness/bench.ts';
import { residentMegabytesOf } from '../harness/cpu.ts';
import { v0Page } from '../harness/pages.ts';
import { stopAfter } from '../harness/peers.ts';
import type { Goal } from '../harness/result.ts';
import { flatMemoryGoal, formatNumber, formatSpread } from '../harness/result.ts';
import { spreadOf } from '../harness/statistics.ts';
import type { HttpRequest } from '../harness/request.ts';
import { sendRequest, graphql, headersOf } from '../harness/request.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import type { Subject } from '../harness/subject.ts';
import { startOurs } from '../harness/subject.ts';
import { generateLoad } from '../harness/wrk.ts';
import { loadOf, onServerCore } from './page-load.ts';

const START_MS = 400;
const IDLE_MB = 90;
const IDLE_MS = 2_000;
const PAGE = 10;
const PAGES = 50_000;

export const footprint: Workload = {
  id: 'P9',
  async run(bench) {
    const { largeMap, reads } = bench.options.sizes;
    const store = await bench.stores.large();
    const starts: number[] = [];
    const graphqlStarts: number[] = [];
    const settledResponses: number[] = [];
    const idle: number[] = [];
    for (let round = 1; round <= bench.options.rounds; round += 1) {
      const startedAt = performance.now();
      // The first response is a page of /v0.
      const subject = await startOurs(store.url, onServerCore(bench, store));
      starts.push(performance.now() - startedAt);
      await stopAfter([subject], async () => {
        await delay(IDLE_MS);
        idle.push(residentMegabytesOf(subject.pid));
        settledResponses.push(await firstGraphqlResponse(subject, store));
      });
      graphqlStarts.push(await startToGraphql(bench, store));
    }
    const reading = await memoryAfterReads(bench, store);
    return {
      id: 'P9',
      title: `start-up and memory, a store of ${formatNumber(largeMap)} locations`,
      goals: [startGoal(starts, graphqlStarts), idleGoal(idle), growthGoal(reading)],
      rows: [],
      notes: [
        `reads are distinct pages of ${PAGE}; memory is measured after ${IDLE_MS / 1000} s without requests`,
        `the second figure of the start is the time to the first GraphQL response, requested at once: ` +
          `${formatSpread(spreadOf(graphqlStarts))} ms; ` +
          `requested after ${IDLE_MS / 1000} s, it takes ${formatSpread(spreadOf(settledResponses))} ms`,
        ...(bench.options.quick
          ? [
              `${formatNumber(largeMap)} locations and ${formatNumber(reads)} reads in place of a million each`,
            ]
          : []),
      ],
    };
  },
};

/** @param starts milliseconds */
function startGoal(starts: readonly number[], graphqlStarts: readonly number[]): Goal {
  const start = spreadOf(starts);
  return {
    against: 'start to the first page of /v0',
    ours: `${formatSpread(start)} ms`,
    theirs: '',
    value: `${(start.median / 1000).toFixed(2)} s`,
    second: `GraphQL ${(spreadOf(graphqlStarts).median / 1000).toFixed(2)} s`,
    target: `≤ ${(START_MS / 1000).toFixed(1)} s`,
    isMet: start.median <= START_MS,
  };
}

/** @param idle MiB */
function idleGoal(idle: readonly number[]): Goal {
  const memory = spreadOf(idle);
  return {
    against: 'resident memory, idle after start',
    ours: `${formatSpread(memory)} MB`,
    theirs: '',
    value: `${formatNumber(memory.median)} MB`,
    second: '',
    target: `≤ ${IDLE_MB} MB`,
    isMet: memory.median <= IDLE_MB,
  };
}

function growthGoal({ early, late, count }: Reading): Goal {
  return flatMemoryGoal(
    `resident memory after ${formatNumber(count)} reads, against a tenth of them`,
    early,
    late,
  );
}

function firstPage(store: SqliteStore): HttpRequest {
  const query = 'query ($id: ID!) { map(id: $id) { name locations(first: 10) { nodes { name latitude } } } }';
  return graphql(query, { id: store.mapId });
}

/** Milliseconds from the start of the process. */
async function startToGraphql(bench: Bench, store: SqliteStore): Promise<number> {
  const startedAt = performance.now();
  const subject = await startOurs(store.url, { ...onServerCore(bench, store), probe: firstPage(store) });
  const took = performance.now() - startedAt;
  await subject.stop();
  return took;
}

/** @returns milliseconds @throws Error for a status other than 200 */
async function firstGraphqlResponse(subject: Subject, store: SqliteStore): Promise<number> {
  const startedAt = performance.now();
  const { status, body } = await sendRequest(subject.origin, firstPage(store), headersOf(store.readToken));
  if (status !== 200) throw new Error(`GraphQL responded with ${status}: ${body.toString().slice(0, 500)}`);
  return performance.now() - startedAt;
}

interface Reading {
  /** MiB after a tenth of the reads, and after all of them. */
  readonly early: number;
  readonly late: number;
  /** Number of reads. */
  readonly count: number;
}

async function memoryAfterReads(bench: Bench, store: SqliteStore): Promise<Reading> {
  const { sizes, seconds, connections } = bench.options;
  const step = Math.max(1, Math.floor((sizes.largeMap - PAGE) / PAGES));
  const requests = Array.from({ length: PAGES }, (_, index) =>
    v0Page(store.mapId, { order: String(1 + index * step) }, PAGE),
  );
  const load = loadOf(bench, 'P9', requests, store.readToken);
  const subject = await startOurs(store.url, onServerCore(bench, store));
  return stopAfter([subject], async () => {
    let count = 0;
    const readUntil = async (wanted: number) => {
      while (count < wanted) {
        const from = (count / PAGES) % 1;
        const sample = await generateLoad(subject, { ...load, connections, seconds, from }, bench.cores);
        count += sample.requests;
      }
      return settledMemory(subject);
    };
    const early = await readUntil(sizes.reads / 10);
    bench.progress(`${count} reads: ${Math.round(early)} MB`);
    const late = await readUntil(sizes.reads);
    bench.progress(`${count} reads: ${Math.round(late)} MB`);
    return { early, late, count };
  });
}

async function settledMemory({ pid }: Subject): Promise<number> {
  await delay(IDLE_MS);
  return residentMegabytesOf(pid);
}
