/** DELAY: how long the event loop is blocked while ten clients send the most expensive requests and one reads pages. */

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Workload } from '../harness/bench.ts';
import { drain } from '../harness/download.ts';
import { distinctPages, startsOfImported } from '../harness/pages.ts';
import { subjectFile } from '../harness/paths.ts';
import { stopAfter } from '../harness/peers.ts';
import type { Headers, HttpRequest } from '../harness/request.ts';
import { sendRequest, headersOf } from '../harness/request.ts';
import type { Row } from '../harness/result.ts';
import { formatNumber } from '../harness/result.ts';
import { medianOf } from '../harness/statistics.ts';
import type { Subject } from '../harness/subject.ts';
import { OUR_PROGRAM, startOurs } from '../harness/subject.ts';
import type { Sample } from '../harness/wrk.ts';
import { generateLoad } from '../harness/wrk.ts';
import type { LoopDelay } from '../subjects/loop-delay.ts';
import { listedPage } from './graphql-operations.ts';
import { DISTINCT_PAGES, loadOf, optionsOf, sizeNotes } from './page-load.ts';
import { expensiveRequests } from './expensive-requests.ts';

/** Processor time of one turn. */
const MAX_TURN_MS = 25;
const POLL_MS = 20;
/** Long enough for the most expensive requests to complete: by default, a store call times out after two seconds. */
const LONG_TIMEOUTS = { DATABASE_TIMEOUT_MS: '60000', SEARCH_TIMEOUT_MS: '60000' };

export const loopDelay: Workload = {
  id: 'DELAY',
  async run(bench) {
    const { largeMap, expensiveSeconds } = bench.options.sizes;
    const store = await bench.stores.large();
    const headers = headersOf(store.readToken);
    const file = join(bench.folder, 'loop-delay.json');
    // On both cores: on one, the event loop would wait for its own threads.
    const subject = await startOurs(
      store.url,
      optionsOf(bench, store, 'any'),
      { LOOP_DELAY_FILE: file, ...LONG_TIMEOUTS },
      { ...OUR_PROGRAM, nodeOptions: ['--import', subjectFile('loop-delay')] },
    );
    return stopAfter([subject], async () => {
      const starts = distinctPages(startsOfImported(store.mapId, largeMap), DISTINCT_PAGES);
      const pages = starts.map((start) => listedPage(store.mapId, start));
      const load = { ...loadOf(bench, 'DELAY', pages, store.readToken), connections: 1 };
      const read = async (seconds: number, from: number) => {
        await readLoopDelay(subject, file);
        const sample = await generateLoad(subject, { ...load, seconds, from }, bench.cores);
        return { sample, late: await readLoopDelay(subject, file) };
      };
      await read(bench.options.warmUpSeconds, 0);
      const alone = await read(bench.options.seconds, 0.25);
      const clients = Object.entries(expensiveRequests(store.mapId, largeMap)).map(([name, request]) =>
        startClient(subject, name, request, headers),
      );
      bench.progress(`${clients.length} clients send expensive requests for ${expensiveSeconds} s`);
      const loaded = await read(expensiveSeconds, 0.5);
      for (const client of clients) client.stop();
      return {
        id: 'DELAY',
        title: `event loop delay, ten clients with expensive requests, a map of ${formatNumber(largeMap)}`,
        goals: [
          {
            against: 'longest turn of the event loop, processor time',
            ours: `${loaded.late.longestTurn.toFixed(1)} ms`,
            theirs: `alone ${alone.late.longestTurn.toFixed(1)} ms`,
            value: `${loaded.late.longestTurn.toFixed(1)} ms`,
            second: `wall clock: longest ${loaded.late.max.toFixed(1)} ms, p99 ${loaded.late.p99.toFixed(1)} ms`,
            target: `≤ ${MAX_TURN_MS} ms`,
            isMet: loaded.late.longestTurn <= MAX_TURN_MS,
          },
        ],
        rows: [
          readerRow('one client reads pages, alone', alone.sample),
          readerRow('one client reads pages, during the ten', loaded.sample),
          ...clients.map(({ row }) => row()),
        ],
        notes: [
          describe('alone', alone.late, alone.sample),
          describe('during the ten', loaded.late, loaded.sample),
          'the server has both cores, and DATABASE_TIMEOUT_MS and SEARCH_TIMEOUT_MS are 60000; the clients have one core',
          ...sizeNotes(bench),
        ],
      };
    });
  },
};

/** Reads what the preloaded module measured since the last call. */
async function readLoopDelay({ pid }: Subject, file: string): Promise<LoopDelay> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file)) await delay(POLL_MS);
  return JSON.parse(readFileSync(file, 'utf8')) as LoopDelay;
}

/** Repeats a request. */
function startClient(subject: Subject, name: string, request: HttpRequest, headers: Headers) {
  const clientStartedAt = performance.now();
  const seconds: number[] = [];
  const refusals = new Map<string, number>();
  const stopped = new AbortController();
  const run = async () => {
    while (!stopped.signal.aborted) {
      const startedAt = performance.now();
      const refusal = await refusalOf(subject, request, headers);
      // Stopping the server aborts the last request.
      stopped.signal.throwIfAborted();
      if (refusal === null) seconds.push((performance.now() - startedAt) / 1000);
      else {
        refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
        await delay(POLL_MS);
      }
    }
  };
  // It ends only when it is stopped.
  run().catch(() => undefined);
  return {
    stop: () => stopped.abort(),
    row: (): Row => {
      const refused = [...refusals].map(([why, times]) => `, ${why} ${times} times`).join('');
      const took = seconds.length === 0 ? 'none completed' : `${medianOf(seconds).toFixed(2)} s each`;
      const rate = (1000 * seconds.length) / (performance.now() - clientStartedAt);
      return { name, cells: [formatNumber(rate), '', `${took}${refused}`, ''] };
    },
  };
}

/** @returns an error code or status; null for a success */
async function refusalOf(subject: Subject, request: HttpRequest, headers: Headers): Promise<string | null> {
  try {
    if (request.body === undefined) {
      // A whole map is too long to buffer.
      await drain(subject, request.path, headers);
      return null;
    }
    const { status, body } = await sendRequest(subject.origin, request, headers);
    const text = body.toString();
    const code = /"code":"([A-Z_]+)"/.exec(text)?.[1];
    if (status !== 200) return code ?? String(status);
    return text.startsWith('{"errors"') ? (code ?? 'errors') : null;
  } catch {
    return 'aborted';
  }
}

function readerRow(name: string, { perSecond, p50, p99 }: Sample): Row {
  return { name, cells: [formatNumber(perSecond), '', `${p50.toFixed(1)} / ${p99.toFixed(1)}`, ''] };
}

function describe(when: string, late: LoopDelay, { p50, p99, max }: Sample): string {
  const fixed = (milliseconds: number) => milliseconds.toFixed(1);
  return (
    `${when}: event loop delay ${fixed(late.p50)} ms (p50), ${fixed(late.p99)} (p99), ${fixed(late.p999)} (p99.9), ` +
    `${fixed(late.max)} (max); longest turn ${fixed(late.longestTurn)} ms of processor time; waited ` +
    `${fixed(late.waited)} ms in all for a core; a page takes ${fixed(p50)} ms (p50), ${fixed(p99)} (p99), ${fixed(max)} (max)`
  );
}
