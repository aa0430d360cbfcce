/**
 * The logger of one request, which adds the request id to each line. A child logger would cost more than a line, and
 * few requests log any.
 */

import type { FastifyBaseLogger } from 'fastify';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
type Log = (first: unknown, ...rest: readonly unknown[]) => void;

export class RequestLog {
  readonly #logger: FastifyBaseLogger;
  readonly #requestId: string;

  constructor(logger: FastifyBaseLogger, requestId: string) {
    this.#logger = logger;
    this.#requestId = requestId;
  }

  get level(): string {
    return this.#logger.level;
  }

  fatal(...args: Parameters<Log>): void {
    this.#write('fatal', args);
  }

  error(...args: Parameters<Log>): void {
    this.#write('error', args);
  }

  warn(...args: Parameters<Log>): void {
    this.#write('warn', args);
  }

  info(...args: Parameters<Log>): void {
    this.#write('info', args);
  }

  debug(...args: Parameters<Log>): void {
    this.#write('debug', args);
  }

  trace(...args: Parameters<Log>): void {
    this.#write('trace', args);
  }

  silent(): void {}

  child(bindings: Parameters<FastifyBaseLogger['child']>[0]): FastifyBaseLogger {
    return this.#logger.child({ requestId: this.#requestId, ...bindings });
  }

  #write(level: Level, [first, ...rest]: Parameters<Log>): void {
    const logger = this.#logger as unknown as Record<Level, Log>;
    const requestId = this.#requestId;
    if (first instanceof Error) logger[level]({ requestId, err: first }, ...rest);
    else if (typeof first === 'object') logger[level]({ requestId, ...first }, ...rest);
    else logger[level]({ requestId }, first, ...rest);
  }
}
