/** Calls the methods of the import worker. */

import type { RunState } from './import-pass.ts';
import type { FromWorker, ImportFailure, MethodName, ToWorker, WorkerMethods } from './worker-protocol.ts';

/** An error of the worker. */
export class ImportError extends Error {
  readonly failure: ImportFailure;

  constructor(failure: ImportFailure) {
    super(failure.kind);
    this.failure = failure;
  }
}

interface Listener {
  readonly onProgress: (state: RunState) => void;
  readonly onWait: (seconds: number) => void;
}

interface Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: ImportError) => void;
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
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#onMessage(data));
    this.#worker.addEventListener('error', ({ message }) => this.#failAll(message));
  }

  /** @throws ImportError */
  call<Name extends MethodName>(
    method: Name,
    ...args: Parameters<WorkerMethods[Name]>
  ): Promise<ReturnType<WorkerMethods[Name]>> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve: resolve as Call['resolve'], reject });
      this.#worker.postMessage({ id, method, args });
    });
  }

  /** Stops the run after its current request. */
  stop(): void {
    this.#worker.postMessage({ method: 'stop' } satisfies ToWorker);
  }

  close(): void {
    this.#worker.terminate();
  }

  #onMessage(message: FromWorker): void {
    switch (message.kind) {
      case 'progress':
        return this.#listener.onProgress(message.state);
      case 'wait':
        return this.#listener.onWait(message.seconds);
      case 'result':
        this.#take(message.id)?.resolve(message.value);
        return;
      case 'error':
        this.#take(message.id)?.reject(new ImportError(message.failure));
    }
  }

  #take(id: number): Call | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  #failAll(reason: string): void {
    for (const { reject } of this.#calls.values()) reject(new ImportError({ kind: 'crashed', reason }));
    this.#calls.clear();
  }
}
