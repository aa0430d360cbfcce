/** SIGINT and SIGTERM, for commands that end in an orderly way. */

import { FAILED } from './run.ts';

export interface Interruption {
  readonly signal: AbortSignal;
  /** The exit status that a shell expects of a process that the signal ended (130, 143); 1 when there was no signal. */
  readonly exitCode: number;
  end(): void;
}

/** The first signal is told of. The next one ends the process at once. */
export function listenForInterruption(onInterrupted: () => void = () => {}): Interruption {
  const controller = new AbortController();
  let exitCode = FAILED;
  const onSignal = (name: NodeJS.Signals) => {
    end();
    exitCode = name === 'SIGINT' ? 130 : 143;
    onInterrupted();
    controller.abort();
  };
  const end = () => {
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
    end,
  };
}
