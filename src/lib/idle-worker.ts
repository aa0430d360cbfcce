/** A worker thread that starts with the first request and stops when idle. It serves one request at a time. */

import type { TransferListItem } from 'node:worker_threads';
import { parentPort, Worker } from 'node:worker_threads';

import { fileOfThread, programFile } from './package-files.ts';

const IDLE_MS = 60_000;

export class WorkerBusyError extends Error {}

export interface IdleWorkerOptions {
  /** Path of the thread's program in src/, without extension. It calls {@link serveRequests}. */
  readonly program: string;
  readonly name: string;
  /** Maximum requests in the queue, with the one being served. */
  readonly maxWaiting: number;
  /** For one request, including the wait for those before it and the start of the thread. */
  readonly timeLimitMs: number;
}

interface ToWorker<Input> {
  readonly id: number;
  readonly input: Input;
}

type FromWorker<Output> =
  { readonly id: number; readonly output: Output } | { readonly id: number; readonly failure: string };

interface Waiting<Output> {
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

export class IdleWorker<Input, Output> {
  readonly #options: IdleWorkerOptions;
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting<Output>>();

  constructor(options: IdleWorkerOptions) {
    this.#options = options;
  }

  /**
   * @param input structured-cloneable
   * @param transfer its parts that are moved, not copied
   * @throws WorkerBusyError; Error if the request fails or takes too long
   */
  run(input: Input, transfer: readonly TransferListItem[] = []): Promise<Output> {
    const { maxWaiting, timeLimitMs, name } = this.#options;
    if (this.#waiting.size >= maxWaiting) return Promise.reject(new WorkerBusyError());
    clearTimeout(this.#idleTimer);
    const worker = (this.#worker ??= this.#start());
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => void this.#end(new Error(`The thread "${name}" timed out.`)),
        timeLimitMs,
      );
      this.#waiting.set(id, { resolve, reject, timer: timer.unref() });
      worker.postMessage({ id, input } satisfies ToWorker<Input>, transfer);
    });
  }

  async close(): Promise<void> {
    await this.#end(new Error('The server is shutting down.'));
  }

  #start(): Worker {
    const program = programFile(this.#options.program);
    const worker = new Worker(fileOfThread(program), {
      workerData: { program: program.href },
      name: this.#options.name,
    });
    // The thread must not keep the process alive.
    worker.unref();
    worker.on('message', (response: FromWorker<Output>) => this.#onMessage(response));
    worker.on('error', (error) => void this.#end(error));
    return worker;
  }

  #onMessage(response: FromWorker<Output>): void {
    const waiting = this.#waiting.get(response.id);
    if (waiting === undefined) return;
    this.#waiting.delete(response.id);
    clearTimeout(waiting.timer);
    if ('output' in response) waiting.resolve(response.output);
    else waiting.reject(new Error(response.failure));
    if (this.#waiting.size === 0) {
      this.#idleTimer = setTimeout(() => void this.#end(null), IDLE_MS).unref();
    }
  }

  /** Stops the thread and rejects all waiting requests. */
  async #end(error: unknown): Promise<void> {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    this.#worker = null;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
    await worker?.terminate();
  }
}

/** Serves requests in the thread. @param serve may return a promise */
export function serveRequests<Input, Output>(serve: (input: Input) => Output | Promise<Output>): void {
  parentPort?.on('message', ({ id, input }: ToWorker<Input>) => {
    void Promise.resolve()
      .then(async (): Promise<FromWorker<Output>> => ({ id, output: await serve(input) }))
      .catch((error: unknown): FromWorker<Output> => ({ id, failure: String(error) }))
      .then((response) => parentPort?.postMessage(response));
  });
}
