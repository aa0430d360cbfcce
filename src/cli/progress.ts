/** How far an import is: a bar on a terminal, a line every few seconds elsewhere. */

import type { ImportProgress } from '../services/imports/imports.ts';

const BAR_WIDTH = 24;
const TERMINAL_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 5_000;
const CLEAR_LINE = '\r\u001b[K';

export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  readonly update: (progress: ImportProgress) => void;
  /** Takes the bar away, so that what is printed next begins on an empty line. */
  readonly clear: () => void;
}

/**
 * @param totalBytes size of the input; 0 where it is not known, as for a pipe
 * @param clock milliseconds
 */
export function createProgress(
  output: ProgressOutput,
  totalBytes: number,
  clock: () => number = () => performance.now(),
): Progress {
  const isTerminal = output.isTTY === true;
  const begun = clock();
  const interval = isTerminal ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS;
  let shown = begun;
  let isBarShown = false;
  return {
    update(progress) {
      const now = clock();
      if (now - shown < interval) return;
      shown = now;
      const text = describe(progress, totalBytes, (now - begun) / 1000);
      if (isTerminal) {
        const bar = totalBytes > 0 ? `${drawBar(progress.bytes / totalBytes)} ` : '';
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

function describe({ stored, rejected, bytes }: ImportProgress, totalBytes: number, seconds: number): string {
  const share = totalBytes > 0 ? `${Math.floor(Math.min(1, bytes / totalBytes) * 100)} %, ` : '';
  return `${share}${stored} stored, ${rejected} rejected, ${rowsPerSecond(stored + rejected, seconds)} rows a second`;
}

export function rowsPerSecond(rows: number, seconds: number): number {
  return Math.round(rows / Math.max(seconds, 0.001));
}

function drawBar(share: number): string {
  const filled = Math.min(BAR_WIDTH, Math.round(share * BAR_WIDTH));
  return `[${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}]`;
}
