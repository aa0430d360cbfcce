/**
 * Measures the event loop of a server into which `node --import` loads it. At SIGUSR2, it writes the figures since the last
 * signal to LOOP_DELAY_FILE, by two clocks:
 *
 * - the wall clock: Node's histogram of how late a timer of 1 ms is;
 * - the processor time of the event loop's thread, from the kernel: the longest turn. It excludes the time when other threads
 *   and processes had the core.
 */

import { closeSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

import { setting } from './settings.ts';

/** In milliseconds. */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  /** Processor time between two timers of 1 ms, at most. */
  readonly longestTurn: number;
  /** Total time that the thread was runnable without a core. */
  readonly waited: number;
}

const RESOLUTION_MS = 1;

if (isMainThread) watch(setting('LOOP_DELAY_FILE'));

function watch(file: string): void {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const thread = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(100);
  /** Milliseconds on a core and waiting for one. */
  const readTimes = () => {
    const length = readSync(thread, bytes, 0, bytes.length, 0);
    const [ran = 0, waited = 0] = bytes.toString('latin1', 0, length).split(' ').map(Number);
    return { ran: ran / 1e6, waited: waited / 1e6 };
  };
  let first = readTimes();
  let last = first;
  let longestTurn = 0;
  const timer = setInterval(() => {
    const now = readTimes();
    longestTurn = Math.max(longestTurn, now.ran - last.ran);
    last = now;
  }, RESOLUTION_MS);
  timer.unref();
  histogram.enable();
  process.on('exit', () => closeSync(thread));
  process.on('SIGUSR2', () => {
    // The histogram records the time between two timers, not the delay.
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    const figures: LoopDelay = {
      p50: late(histogram.percentile(50)),
      p99: late(histogram.percentile(99)),
      p999: late(histogram.percentile(99.9)),
      max: late(histogram.max),
      longestTurn,
      waited: last.waited - first.waited,
    };
    writeFileSync(`${file}.unfinished`, JSON.stringify(figures));
    renameSync(`${file}.unfinished`, file);
    histogram.reset();
    longestTurn = 0;
    first = last;
  });
}
