/** Draws pictures in a worker thread, which starts with the first picture and stops when idle. */

import { Worker } from 'node:worker_threads';

import { fileOfThread, programFile } from '../../lib/package-files.ts';
import type { Frame, Mark } from './picture-svg.ts';
import type { PictureResponse, PictureRequest } from './picture-thread.ts';

/** For one picture, including the wait for those before it. */
const TIME_LIMIT_MS = 10_000;
/** Maximum pictures in the queue. */
const MAX_WAITING = 16;
const IDLE_MS = 60_000;

export class TooManyPicturesError extends Error {}

interface Waiting {
  readonly resolve: (png: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

export class PictureMaker {
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();
  readonly #timeLimitMs: number;

  /** @param timeLimitMs maximum time for a picture, including the start of the thread */
  constructor(timeLimitMs = TIME_LIMIT_MS) {
    this.#timeLimitMs = timeLimitMs;
  }

  /**
   * @param accent color of the dots; by default that of all pages
   * @returns a PNG
   * @throws TooManyPicturesError; Error if drawing fails or takes too long
   */
  draw(frame: Frame, marks: readonly Mark[], accent?: string): Promise<Uint8Array> {
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new TooManyPicturesError());
    clearTimeout(this.#idleTimer);
    const worker = (this.#worker ??= this.#start());
    const id = (this.#lastId += 1);
    const request: PictureRequest = { id, frame, marks, accent };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => void this.#end(new Error('Drawing the picture timed out.')),
        this.#timeLimitMs,
      );
      this.#waiting.set(id, { resolve, reject, timer: timer.unref() });
      worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#end(new Error('The server is shutting down.'));
  }

  #start(): Worker {
    const program = programFile('web/picture/picture-thread');
    const worker = new Worker(fileOfThread(program), {
      workerData: { program: program.href },
      name: 'pictures',
    });
    // The thread must not keep the process alive.
    worker.unref();
    worker.on('message', (response: PictureResponse) => this.#onMessage(response));
    worker.on('error', (error) => void this.#end(error));
    return worker;
  }

  #onMessage(response: PictureResponse): void {
    const waiting = this.#waiting.get(response.id);
    if (waiting === undefined) return;
    this.#waiting.delete(response.id);
    clearTimeout(waiting.timer);
    if ('png' in response) waiting.resolve(response.png);
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
