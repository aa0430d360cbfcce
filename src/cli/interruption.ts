/** Signals that end an import in order. */

import { say } from './output.ts';

export interface Interruption {
  readonly signal: AbortSignal;
  readonly exitCode: number | null;
  stop(): void;
}

/** The first signal ends the import after its batch; the next one ends the process, as it would without us. */
export function listenForInterruption(): Interruption {
  const controller = new AbortController();
  let exitCode: number | null = null;
  const onSignal = (name: NodeJS.Signals) => {
    stop();
    exitCode = name === 'SIGINT' ? 130 : 143;
    say('\nStopping after the batch under way; once more stops at once.');
    controller.abort();
  };
  const stop = () => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    stop,
  };
}
