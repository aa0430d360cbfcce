/** Progress of a command on stderr: a bar with the remaining time on a terminal, or a line every few seconds elsewhere. */

import type { ImportProgress } from '../transfer/import/report.ts';
import { isJson } from './output.ts';

const BAR_WIDTH = 24;
const TERMINAL_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 5_000;
/** Earlier estimates of the remaining time jump. */
const FIRST_ESTIMATE_MS = 2_000;
const CLEAR_LINE = '\r\u001b[K';

export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress<T> {
  readonly update: (done: T) => void;
  /** Removes the bar, so that the next output starts on an empty line. */
  readonly clear: () => void;
}

export interface ProgressOptions<T> {
  readonly output?: ProgressOutput;
  /** The completed share, from 0 to 1; null when it is unknown. */
  readonly shareOf: (done: T) => number | null;
  readonly describe: (done: T, seconds: number) => string;
  /** Prints nothing without a terminal; by default a line every few seconds. */
  readonly isTerminalOnly?: boolean;
  /** Milliseconds. */
  readonly clock?: () => number;
}

export function createProgress<T>(options: ProgressOptions<T>): Progress<T> {
  const { output = process.stderr, shareOf, describe, isTerminalOnly = false } = options;
  const clock = options.clock ?? (() => performance.now());
  const isTerminal = output.isTTY === true && !isJson;
  const isSilent = isJson || (isTerminalOnly && !isTerminal);
  const begun = clock();
  const interval = isTerminal ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS;
  let shown = begun;
  let isBarShown = false;
  return {
    update(done) {
      const now = clock();
      if (isSilent || now - shown < interval) return;
      shown = now;
      const share = shareOf(done);
      const percent = share === null ? '' : `${Math.floor(Math.min(1, share) * 100)} %, `;
      const text = percent + describe(done, (now - begun) / 1000);
      if (isTerminal) {
        const bar = share === null ? '' : `${drawBar(share)} ${timeLeft(share, now - begun)}`;
        output.write(`${CLEAR_LINE}${(bar + text).slice(0, (output.columns ?? 80) - 1)}`);
        isBarShown = true;
      } else {
        output.write(`${text}\n`);
      }
    },
    clear() {
      if (isBarShown) output.write(CLEAR_LINE);
      isBarShown = false;
    },
  };
}

/** @param totalBytes size of the input; 0 when unknown, as for a pipe */
export function createImportProgress(
  totalBytes: number,
  options: Pick<ProgressOptions<ImportProgress>, 'output' | 'clock'> = {},
): Progress<ImportProgress> {
  return createProgress({
    ...options,
    shareOf: ({ bytes }) => (totalBytes > 0 ? bytes / totalBytes : null),
    describe: ({ stored, rejected }, seconds) =>
      `${stored} stored, ${rejected} rejected, ${rowsPerSecond(stored + rejected, seconds)} rows/s`,
  });
}

export function rowsPerSecond(rows: number, seconds: number): number {
  return Math.round(rows / Math.max(seconds, 0.001));
}

function drawBar(share: number): string {
  const filled = Math.min(BAR_WIDTH, Math.round(share * BAR_WIDTH));
  return `[${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}]`;
}

function timeLeft(share: number, elapsedMs: number): string {
  if (elapsedMs < FIRST_ESTIMATE_MS || share <= 0 || share >= 1) return '';
  const seconds = Math.ceil(((elapsedMs / share) * (1 - share)) / 1000);
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  if (hours > 0) return `${hours} h ${minutes % 60} min left, `;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s left, ` : `${seconds} s left, `;
}
