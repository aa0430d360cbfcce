/** The workers: started, replaced when they end, and stopped together. */

import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { Logger } from 'pino';

import { OperatorError } from '../../errors.ts';
import { programFile } from '../../package-files.ts';
import { Deferred } from './deferred.ts';
import type { FailedMessage, FromWorker, ServeMessage, ToWorker } from './messages.ts';
import { Restarts } from './restarts.ts';

/** A signal that has come to a worker may have come to this process too, and be heard of a moment later. */
const SIGNAL_MS = 50;

export interface CrewOptions {
  readonly size: number;
  /** Told to each. */
  readonly serve: ServeMessage;
  /** How long one may take to end. */
  readonly stopTimeoutMs: number;
  readonly logger: Logger;
  /** What a worker says that does not concern its being there. */
  readonly onMessage: (worker: Worker, message: FromWorker) => void;
  readonly onEnd: (worker: Worker) => void;
}

interface Member {
  readonly worker: Worker;
  readonly restarts: Restarts;
  /** On the monotonic clock; null before it serves. */
  servingSince: number | null;
  /** Begun, told to serve, told to stop, and taking no more connections. */
  state: 'begun' | 'told' | 'stopping' | 'closed';
}

export class Crew {
  readonly #options: CrewOptions;
  readonly #members = new Map<number, Member>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  readonly #started = new Deferred<number>();
  readonly #lost = new Deferred<never>();
  readonly #stopped = new Deferred<void>();
  #hasStarted = false;
  /** When the last is to have ended, on the monotonic clock; null while all serve. */
  #stopBy: number | null = null;
  /** The last that takes connections while all stop. */
  #keeper: Member | null = null;

  constructor(options: CrewOptions) {
    this.#options = options;
    this.#lost.promise.catch(() => {});
  }

  /** How many serve. */
  get serving(): number {
    return [...this.#members.values()].filter(({ servingSince }) => servingSince !== null).length;
  }

  /** Those that can be talked to. */
  get workers(): readonly Worker[] {
    return [...this.#members.values()].map(({ worker }) => worker).filter((worker) => worker.isConnected());
  }

  /** Rejects when there is nobody left who serves, or in the end would. */
  get lost(): Promise<never> {
    return this.#lost.promise;
  }

  /**
   * Resolves to the port when all serve.
   *
   * @throws what the first worker fails with; OperatorError where workers end before they serve, again and again
   */
  start(): Promise<number> {
    // Connections are handed out in turn; left to the kernel, most would go to a few.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    const exec = fileURLToPath(programFile('serving/cluster/worker-main'));
    cluster.setupPrimary({ exec, args: [] });
    for (let index = 0; index < this.#options.size; index += 1) this.#fork(new Restarts());
    return Promise.race([this.#started.promise, this.lost]);
  }

  /**
   * Ends all in order, within the time that they may take. One keeps taking connections until the others take none any
   * more: what was on its way to them then comes to it, and none is lost.
   */
  async stop(): Promise<void> {
    this.#stopBy = performance.now() + this.#options.stopTimeoutMs;
    for (const pause of this.#pauses) clearTimeout(pause);
    const members = [...this.#members.values()];
    if (members.length === 0) return;
    for (const member of members.filter(({ state }) => state === 'begun')) {
      member.state = 'closed';
      member.worker.process.kill('SIGKILL');
    }
    const [keeper, ...others] = members
      .filter(({ state }) => state === 'told')
      .sort((one, other) => Number(other.servingSince !== null) - Number(one.servingSince !== null));
    this.#keeper = keeper ?? null;
    for (const member of others) this.#stopMember(member);
    this.#continueStop();
    await this.#stopped.promise;
  }

  kill(): void {
    for (const { worker } of this.#members.values()) worker.process.kill('SIGKILL');
  }

  #fork(restarts: Restarts): void {
    const worker = cluster.fork();
    const member: Member = { worker, restarts, servingSince: null, state: 'begun' };
    this.#members.set(worker.id, member);
    worker.on('listening', ({ port }) => this.#serves(member, port));
    worker.on('message', (message: FromWorker) => this.#hear(member, message));
    worker.on('exit', (code: number | null, signal: string | null) => this.#ended(member, { code, signal }));
    // A message to a worker that has just ended; its end is heard of too.
    worker.on('error', (error) => this.#options.logger.debug({ err: error }, 'A worker was not reached'));
  }

  #serves(member: Member, port: number): void {
    member.servingSince = performance.now();
    if (this.#hasStarted || this.serving < this.#options.size) return;
    this.#hasStarted = true;
    this.#started.resolve(port);
  }

  #hear(member: Member, message: FromWorker): void {
    switch (message.type) {
      case 'awake':
        member.state = 'told';
        // Sent any earlier, the message would be lost: Node does not keep messages for workers.
        sendTo(member.worker, this.#options.serve);
        break;
      case 'failed':
        if (this.#hasStarted) this.#options.logger.error({ reason: message }, 'A worker could not start');
        else this.#lost.reject(toError(message));
        break;
      case 'closed':
        member.state = 'closed';
        // One that ends by itself leaves the others to take connections.
        if (this.#stopBy === null) sendTo(member.worker, { type: 'closed' });
        else this.#continueStop();
        break;
      case 'signalled':
        setTimeout(() => {
          if (this.#stopBy === null && member.state === 'told') this.#stopMember(member);
        }, SIGNAL_MS);
        break;
      case 'turn':
        void takeConnections().then(() => sendTo(member.worker, { type: 'turned' }));
        break;
      case 'counts':
      case 'metrics':
        this.#options.onMessage(member.worker, message);
    }
  }

  #stopMember(member: Member): void {
    member.state = 'stopping';
    const { stopTimeoutMs } = this.#options;
    const timeoutMs = this.#stopBy === null ? stopTimeoutMs : Math.max(0, this.#stopBy - performance.now());
    sendTo(member.worker, { type: 'stop', timeoutMs });
  }

  #continueStop(): void {
    const members = [...this.#members.values()];
    const open = members.filter(({ state }) => state !== 'closed');
    if (members.length === 0) this.#stopped.resolve();
    else if (open.length === 0) for (const { worker } of members) sendTo(worker, { type: 'closed' });
    else if (open.length === 1 && open[0] === this.#keeper && open[0].state === 'told') {
      this.#stopMember(open[0]);
    }
  }

  #ended(member: Member, how: { readonly code: number | null; readonly signal: string | null }): void {
    const { worker, restarts, servingSince } = member;
    this.#members.delete(worker.id);
    this.#options.onEnd(worker);
    if (this.#stopBy !== null) {
      this.#continueStop();
      return;
    }
    const pause = restarts.afterEnd(servingSince === null ? null : performance.now() - servingSince);
    this.#options.logger[how.code === 0 ? 'info' : 'error'](
      { worker: worker.process.pid, ...how, restartInMs: pause },
      'A worker has ended; another one takes its place',
    );
    // As long as some serve, the others go on trying.
    if (restarts.isHopeless && (!this.#hasStarted || this.serving === 0)) {
      this.#lost.reject(new OperatorError('The workers end before they serve, again and again.'));
      return;
    }
    const timer = setTimeout(() => {
      this.#pauses.delete(timer);
      this.#fork(restarts);
    }, pause);
    this.#pauses.add(timer);
  }
}

/** Node accepts one connection a turn of the event loop, and hands it on at once where a worker is free. */
async function takeConnections(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await turn();
}

export function sendTo(worker: Worker, message: ToWorker): void {
  // It may have ended a moment ago.
  if (worker.isConnected()) worker.send(message, () => {});
}

function toError({ message, stack }: FailedMessage): Error {
  if (stack === null) return new OperatorError(message);
  return Object.assign(new Error(message), { stack });
}
