/** The log: structured lines on stderr, pretty on a terminal, so that stdout is left to results. */

import type { Logger } from 'pino';
import { destination, pino } from 'pino';

import type { Config } from '../config.ts';

/** Paths that never reach a line, whatever object is logged. */
const SECRETS = [
  'authorization',
  'headers.authorization',
  'req.headers.authorization',
  'token',
  'providerMapApiKey',
  'geocodingApiKey',
  'apiKey',
  '*.authorization',
  '*.token',
  '*.providerMapApiKey',
  '*.geocodingApiKey',
  '*.apiKey',
];

/** Lines of several processes say which of them wrote them. */
export async function createLogger({
  logLevel,
  workers,
}: Pick<Config, 'logLevel' | 'workers'>): Promise<Logger> {
  const base = workers === 1 ? null : { pid: process.pid };
  const options = { level: logLevel, redact: SECRETS, base };
  if (!process.stderr.isTTY) return pino(options, destination({ dest: 2, sync: true }));
  // Loaded only for a person: a deployment's log goes to a collector.
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss' }));
}
