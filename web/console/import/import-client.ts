/** The page's side of an import: calls of the worker's methods. */

import type { RunState } from './import-job.ts';
import type { FromWorker, MethodName, ToWorker, WorkerMethods } from './worker-protocol.ts';

/** Why the worker could not do what it was asked. The message is for the reader. */
export class ImportError extends Error {
  readonly isEncoding: boolean;

  constructor(message: string, isEncoding = false) {
    super(message);
    this.isEncoding = isEncoding;
  }
}

interface Listener {
  readonly onProgress: (state: RunState) => void;
  readonly onWait: (seconds: number) => void;
}

interface Call {
  readonly done: (value: unknown) => void;
  readonly fail: (error: ImportError) => void;
}

export class ImportClient {
  readonly #worker = new Worker(new URL('./import-worker.ts', import.meta.url), {
    type: 'module',
    name: 'import',
  });
  readonly #calls = new Map<number, Call>();
  readonly #listener: Listener;
  #next = 1;

  constructor(listener: Listener) {
    this.#listener = listener;
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#hear(data));
    this.#worker.addEventListener('error', ({ message }) => this.#failAll(message));
  }

  /** @throws ImportError */
  call<Name extends MethodName>(
    method: Name,
    ...args: Parameters<WorkerMethods[Name]>
  ): Promise<ReturnType<WorkerMethods[Name]>> {
    const id = this.#next++;
    return new Promise((done, fail) => {
      this.#calls.set(id, { done: done as Call['done'], fail });
      this.#worker.postMessage({ id, method, args });
    });
  }

  /** Ends a run after the request that is under way. */
  stop(): void {
    this.#worker.postMessage({ method: 'stop' } satisfies ToWorker);
  }

  close(): void {
    this.#worker.terminate();
  }

  #hear(message: FromWorker): void {
    switch (message.kind) {
      case 'progress':
        return this.#listener.onProgress(message.state);
      case 'wait':
        return this.#listener.onWait(message.seconds);
      case 'result':
        this.#take(message.id)?.done(message.value);
        return;
      case 'error':
        this.#take(message.id)?.fail(new ImportError(message.message, message.isEncoding));
    }
  }

  #take(id: number): Call | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  #failAll(reason: string): void {
    const message = `The import failed in the browser${reason ? `: ${reason}` : '. Please load the page again.'}`;
    for (const { fail } of this.#calls.values()) fail(new ImportError(message));
    this.#calls.clear();
  }
}
