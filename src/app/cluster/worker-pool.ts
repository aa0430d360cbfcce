/** The worker processes: starts them, replaces those that end, and stops all together. */

import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { Logger } from 'pino';

import { OperatorError } from '../../errors.ts';
import { programFile } from '../../lib/package-files.ts';
import { Deferred } from '../../lib/deferred.ts';
import { reassignOrphanedConnections } from './orphaned-connections.ts';
import type { FailedMessage, FromWorker, ServeMessage, ToWorker } from './messages.ts';
import { Restarts } from './restarts.ts';

/** Milliseconds to wait for a signal to a worker to reach this process too, if it was sent to both. */
const SIGNAL_MS = 50;

export interface WorkerPoolOptions {
  readonly size: number;
  /** The first message to each worker. */
  readonly serve: ServeMessage;
  /** Milliseconds that a worker may take to stop. */
  readonly stopTimeoutMs: number;
  readonly logger: Logger;
  /** Called for messages that are not about a worker's life cycle. */
  readonly onMessage: (worker: Worker, message: FromWorker) => void;
  readonly onEnd: (worker: Worker) => void;
}

interface WorkerHandle {
  readonly worker: Worker;
  readonly restarts: Restarts;
  /** On the monotonic clock; null before it serves. */
  servingSince: number | null;
  /** In this order. `starting` lasts while the worker serves; `closed` means closed to new connections. */
  state: 'forked' | 'starting' | 'stopping' | 'closed';
}

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #handles = new Map<number, WorkerHandle>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  readonly #started = new Deferred<number>();
  readonly #lost = new Deferred<never>();
  readonly #stopped = new Deferred<void>();
  #hasStarted = false;
  /** When the last worker must have ended, on the monotonic clock; null while they serve. */
  #stopBy: number | null = null;
  /** During shutdown, the last worker that accepts connections. */
  #lastAcceptingWorker: WorkerHandle | null = null;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#lost.promise.catch(() => {});
  }

  /** Number of workers that serve. */
  get serving(): number {
    return [...this.#handles.values()].filter(({ servingSince }) => servingSince !== null).length;
  }

  /** Workers that can receive messages. */
  get workers(): readonly Worker[] {
    return [...this.#handles.values()].map(({ worker }) => worker).filter((worker) => worker.isConnected());
  }

  /** Rejects when no worker serves and none can be expected to start. */
  get lost(): Promise<never> {
    return this.#lost.promise;
  }

  /**
   * Resolves to the port when all workers serve.
   *
   * @throws the failure of the first worker to fail; OperatorError when workers keep ending before they serve
   */
  start(): Promise<number> {
    // Round robin: the kernel would give most connections to a few workers.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    const exec = fileURLToPath(programFile('app/cluster/worker'));
    cluster.setupPrimary({ exec, args: [] });
    for (let index = 0; index < this.#options.size; index += 1) this.#fork(new Restarts());
    return Promise.race([this.#started.promise, this.lost]);
  }

  /**
   * Stops all workers in order, within the time limit. One worker accepts connections until the others have stopped, so
   * connections on their way to them are not lost.
   */
  async stop(): Promise<void> {
    this.#stopBy = performance.now() + this.#options.stopTimeoutMs;
    for (const pause of this.#pauses) clearTimeout(pause);
    const handles = [...this.#handles.values()];
    if (handles.length === 0) return;
    for (const { worker } of handles) sendTo(worker, { type: 'drain' });
    for (const handle of handles.filter(({ state }) => state === 'forked')) {
      handle.state = 'closed';
      handle.worker.process.kill('SIGKILL');
    }
    const [lastAcceptingWorker, ...others] = handles
      .filter(({ state }) => state === 'starting')
      .sort((one, other) => Number(other.servingSince !== null) - Number(one.servingSince !== null));
    this.#lastAcceptingWorker = lastAcceptingWorker ?? null;
    for (const handle of others) this.#stopWorker(handle);
    this.#continueStop();
    await this.#stopped.promise;
  }

  kill(): void {
    for (const { worker } of this.#handles.values()) worker.process.kill('SIGKILL');
  }

  #fork(restarts: Restarts): void {
    const worker = cluster.fork();
    const handle: WorkerHandle = { worker, restarts, servingSince: null, state: 'forked' };
    this.#handles.set(worker.id, handle);
    reassignOrphanedConnections(worker, () =>
      [...this.#handles.values()].some(
        (other) => other !== handle && other.servingSince !== null && other.worker.isConnected(),
      ),
    );
    worker.on('listening', ({ port }) => this.#serves(handle, port));
    worker.on('message', (message: FromWorker) => this.#handle(handle, message));
    worker.on('exit', (code: number | null, signal: string | null) => this.#ended(handle, { code, signal }));
    // A message was sent to a worker that has just ended. The exit event reports the end.
    worker.on('error', (error) =>
      this.#options.logger.debug({ err: error }, 'A message did not reach a worker'),
    );
  }

  #serves(handle: WorkerHandle, port: number): void {
    handle.servingSince = performance.now();
    if (this.#hasStarted || this.serving < this.#options.size) return;
    this.#hasStarted = true;
    this.#started.resolve(port);
  }

  #handle(handle: WorkerHandle, message: FromWorker): void {
    switch (message.type) {
      case 'online':
        handle.state = 'starting';
        // Not earlier: Node keeps no messages for a worker that does not listen for them.
        sendTo(handle.worker, this.#options.serve);
        break;
      case 'failed':
        if (this.#hasStarted) this.#options.logger.error({ reason: message }, 'A worker could not start');
        else this.#lost.reject(toError(message));
        break;
      case 'closed':
        handle.state = 'closed';
        // When only this worker stops, the others accept connections, so it need not wait.
        if (this.#stopBy === null) sendTo(handle.worker, { type: 'closed' });
        else this.#continueStop();
        break;
      case 'signalled':
        setTimeout(() => {
          if (this.#stopBy === null && handle.state === 'starting') this.#stopWorker(handle);
        }, SIGNAL_MS);
        break;
      case 'handOver':
        void takeConnections().then(() => sendTo(handle.worker, { type: 'handedOver' }));
        break;
      case 'counts':
      case 'pages':
      case 'metrics':
        this.#options.onMessage(handle.worker, message);
    }
  }

  #stopWorker(handle: WorkerHandle): void {
    handle.state = 'stopping';
    const { stopTimeoutMs } = this.#options;
    const timeoutMs = this.#stopBy === null ? stopTimeoutMs : Math.max(0, this.#stopBy - performance.now());
    sendTo(handle.worker, { type: 'stop', timeoutMs });
  }

  #continueStop(): void {
    const handles = [...this.#handles.values()];
    const open = handles.filter(({ state }) => state !== 'closed');
    if (handles.length === 0) this.#stopped.resolve();
    else if (open.length === 0) for (const { worker } of handles) sendTo(worker, { type: 'closed' });
    else if (open.length === 1 && open[0] === this.#lastAcceptingWorker && open[0].state === 'starting') {
      this.#stopWorker(open[0]);
    }
  }

  #ended(handle: WorkerHandle, how: { readonly code: number | null; readonly signal: string | null }): void {
    const { worker, restarts, servingSince } = handle;
    this.#handles.delete(worker.id);
    this.#options.onEnd(worker);
    if (this.#stopBy !== null) {
      this.#continueStop();
      return;
    }
    const pause = restarts.afterEnd(servingSince === null ? null : performance.now() - servingSince);
    this.#options.logger[how.code === 0 ? 'info' : 'error'](
      { worker: worker.process.pid, ...how, restartInMs: pause },
      'A worker ended and will be replaced',
    );
    // While some workers serve, the others are restarted without end.
    if (restarts.isHopeless && (!this.#hasStarted || this.serving === 0)) {
      this.#lost.reject(new OperatorError('The workers keep ending before they serve.'));
      return;
    }
    const timer = setTimeout(() => {
      this.#pauses.delete(timer);
      this.#fork(restarts);
    }, pause);
    this.#pauses.add(timer);
  }
}

/** Node accepts one connection per event-loop turn and hands it to a free worker at once. */
async function takeConnections(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await nextTurn();
}

export function sendTo(worker: Worker, message: ToWorker): void {
  // The worker may have just ended.
  if (worker.isConnected()) worker.send(message, () => {});
}

function toError({ message, stack }: FailedMessage): Error {
  if (stack === null) return new OperatorError(message);
  return Object.assign(new Error(message), { stack });
}
