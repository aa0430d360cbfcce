/** What every serving process needs: V8 flags, the address to listen on, an orderly end, and reports of a failed start. */

import { lookup } from 'node:dns/promises';
import { setFlagsFromString } from 'node:v8';

import type { Logger } from 'pino';

import { consoleLink } from '../domain/secret-links.ts';
import { OperatorError, ServiceError } from '../errors.ts';
import type { IssuedLink } from '../services/accounts/sign-in-links.ts';

/**
 * How far the heap may grow over its live part, in percent, before a full collection. With V8's default, a busy server on one
 * core collected its small heap five times a second. See docs/decisions/0026-gc-tuning.md.
 */
const GROWTH_PERCENT = 150;

/** Milliseconds after which the process exits, whatever is still open. */
const HARD_LIMIT_MS = 14_500;

export function tuneGarbageCollection(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

/** Resolves HOST. For the name "localhost" Fastify would open further servers, which do not close in order. */
export async function addressOf(host: string): Promise<string> {
  return (await lookup(host)).address;
}

/** The URL under which a client finds the server. */
export function urlOf(host: string, port: number): string {
  // A client cannot connect to an address that means every interface.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The URL of a link that sets up an account or resets a password. Browsers send the fragment to no server. */
export function linkUrlOf(baseUrl: string, { purpose, secret }: IssuedLink): string {
  return consoleLink(baseUrl, purpose, secret);
}

/** Reopens the audit log at SIGHUP, after log rotation. Without an audit log, SIGHUP ends the process as usual. */
export function reopenAuditOnSignal(reopen: (() => void) | null): void {
  if (reopen !== null) process.on('SIGHUP', reopen);
}

export interface StopOptions {
  readonly logger: Logger;
  /** Closes everything. */
  readonly stop: () => Promise<void>;
  /** Called at the hard limit, just before the process exits. */
  readonly onHardLimit?: () => void;
  /** `debug` when another process logs the end. */
  readonly level?: 'info' | 'debug';
}

/** @returns a function that ends the process: once, with exit 0 when everything closed, within the hard limit */
export function prepareStop(options: StopOptions): (reason: Readonly<Record<string, unknown>>) => void {
  const { logger, stop, onHardLimit, level = 'info' } = options;
  let stopping = false;
  return (reason) => {
    if (stopping) return;
    stopping = true;
    logger[level](reason, 'Stopping');
    setTimeout(() => {
      logger.error('The shutdown exceeded its time limit; exiting now');
      onHardLimit?.();
      process.exit(0);
    }, HARD_LIMIT_MS).unref();
    stop().then(
      () => {
        logger[level]('Stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.fatal({ err: error }, 'The shutdown failed');
        process.exit(1);
      },
    );
  };
}

/** Like {@link prepareStop}, at the first SIGTERM or SIGINT. */
export function stopOnSignal(options: StopOptions): void {
  const begin = prepareStop(options);
  const handle = (signal: NodeJS.Signals) => begin({ signal });
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}

/** One line for a failed start that an operator can fix; null for an unexpected failure. */
export function expectedFailure(error: unknown): string | null {
  if (error instanceof ServiceError && error.cause instanceof Error) {
    return `${error.message} ${error.cause.message}`;
  }
  const isExpected = error instanceof ServiceError || error instanceof OperatorError || isAddressError(error);
  return isExpected ? error.message : null;
}

/** Whether HOST or PORT cannot be used to listen. */
function isAddressError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'syscall' in error &&
    ['listen', 'bind', 'getaddrinfo'].includes(String(error.syscall))
  );
}
