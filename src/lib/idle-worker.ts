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
  /** For the wait of a request for those before it, and for its own work with the start of the thread. */
  readonly timeLimitMs: number;
}

interface ToWorker<Input> {
  readonly id: number;
  readonly input: Input;
}

type FromWorker<Output> =
  { readonly id: number; readonly output: Output } | { readonly id: number; readonly failure: string };

interface Job<Input, Output> {
  readonly id: number;
  readonly input: Input;
  readonly transfer: readonly TransferListItem[];
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
  timer: NodeJS.Timeout;
}

export class IdleWorker<Input, Output> {
  readonly #options: IdleWorkerOptions;
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  /** Null if the thread is idle. */
  #current: Job<Input, Output> | null = null;
  readonly #waiting = new Set<Job<Input, Output>>();

  constructor(options: IdleWorkerOptions) {
    this.#options = options;
  }

  /**
   * @param input structured-cloneable
   * @param transfer its parts that are moved, not copied
   * @throws WorkerBusyError if too many requests wait, or this one waits too long; Error if it fails or takes too long
   */
  run(input: Input, transfer: readonly TransferListItem[] = []): Promise<Output> {
    const { maxWaiting } = this.#options;
    const count = this.#waiting.size + (this.#current === null ? 0 : 1);
    if (count >= maxWaiting) return Promise.reject(new WorkerBusyError());
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      const job: Job<Input, Output> = {
        ...{ id, input, transfer, resolve, reject },
        timer: this.#limit(() => {
          this.#waiting.delete(job);
          reject(new WorkerBusyError());
        }),
      };
      this.#waiting.add(job);
      this.#next();
    });
  }

  async close(): Promise<void> {
    const error = new Error('The server is shutting down.');
    for (const { reject, timer } of this.#waiting) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
    await this.#end(error);
  }

  #limit(onEnd: () => void): NodeJS.Timeout {
    return setTimeout(onEnd, this.#options.timeLimitMs).unref();
  }

  /** Sends the next request to the thread, if it serves none. */
  #next(): void {
    clearTimeout(this.#idleTimer);
    if (this.#current !== null) return;
    const [job] = this.#waiting;
    if (job === undefined) {
      this.#idleTimer = setTimeout(() => void this.#end(null), IDLE_MS).unref();
      return;
    }
    this.#waiting.delete(job);
    clearTimeout(job.timer);
    job.timer = this.#limit(() => this.#fail(new Error(`The thread "${this.#options.name}" timed out.`)));
    this.#current = job;
    this.#worker ??= this.#start();
    const { id, input, transfer } = job;
    this.#worker.postMessage({ id, input } satisfies ToWorker<Input>, transfer);
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
    worker.on('error', (error) => {
      if (worker === this.#worker) this.#fail(error);
    });
    return worker;
  }

  #onMessage(response: FromWorker<Output>): void {
    const job = this.#current;
    if (job?.id !== response.id) return;
    this.#current = null;
    clearTimeout(job.timer);
    if ('output' in response) job.resolve(response.output);
    else job.reject(new Error(response.failure));
    this.#next();
  }

  /** Stops the thread and rejects its request. Another thread serves those that wait. */
  #fail(error: unknown): void {
    void this.#end(error);
    this.#next();
  }

  async #end(error: unknown): Promise<void> {
    clearTimeout(this.#idleTimer);
    const [worker, job] = [this.#worker, this.#current];
    this.#worker = null;
    this.#current = null;
    if (job !== null) {
      clearTimeout(job.timer);
      job.reject(error);
    }
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
