/** Probes: `GET /healthz` for liveness, `GET /readyz` for readiness. */

import { setTimeout as delay } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import { ServiceError, storageUnavailable } from '../../errors.ts';

const HEALTH_PATH = '/healthz';
const READY_PATH = '/readyz';
/** Served even when every other path is refused. */
export const PROBES: ReadonlySet<string> = new Set([HEALTH_PATH, READY_PATH]);

declare module 'fastify' {
  interface FastifyInstance {
    readonly readiness: Readiness;
  }
}

export function healthRoutes(app: FastifyInstance, readiness: Readiness): void {
  app.get(HEALTH_PATH, () => ({ status: 'ok' }));
  app.get(READY_PATH, async (_request, reply) => {
    const reason = await readiness.reason();
    if (reason === null) return { status: 'ready' };
    return reply.code(503).send({ status: 'not ready', reason });
  });
}

/** Whether a load balancer should send requests to this process. */
export class Readiness {
  readonly #ping: () => Promise<void>;
  readonly #timeoutMs: number;
  readonly #onUnexpected: (error: unknown) => void;
  #checking: Promise<string | null> | null = null;
  #isDraining = false;

  /**
   * @param ping resolves when the storage responds
   * @param timeoutMs limit for one ping
   * @param onUnexpected called with errors other than a ServiceError
   */
  constructor(ping: () => Promise<void>, timeoutMs: number, onUnexpected: (error: unknown) => void) {
    this.#ping = ping;
    this.#timeoutMs = timeoutMs;
    this.#onUnexpected = onUnexpected;
  }

  /** Reports not ready from now on: the process is about to end. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Resolves to null if ready, else to the reason. Concurrent calls share one ping. */
  async reason(): Promise<string | null> {
    const draining = this.#drainingReason();
    if (draining !== null) return draining;
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    const reason = await this.#checking;
    // Draining may have started meanwhile.
    return this.#drainingReason() ?? reason;
  }

  #drainingReason(): string | null {
    return this.#isDraining ? 'The server is stopping.' : null;
  }

  async #check(): Promise<string | null> {
    const done = new AbortController();
    const timeout = delay(this.#timeoutMs, undefined, { signal: done.signal }).then((): never => {
      throw storageUnavailable();
    });
    timeout.catch(() => {});
    try {
      // The ping of a store that is not open yet throws synchronously.
      await Promise.race([Promise.resolve().then(this.#ping), timeout]);
      return null;
    } catch (error) {
      if (error instanceof ServiceError) return error.message;
      this.#onUnexpected(error);
      return 'The database failed.';
    } finally {
      done.abort();
    }
  }
}
