/** The log: structured lines on stderr, pretty-printed on a terminal. */

import type { Logger } from 'pino';
import { destination, pino } from 'pino';

import type { Config } from '../config.ts';
import type { Tracing } from '../../tracing/tracing.ts';

/** Paths of values that are never logged. */
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

/**
 * With several processes, each line has the pid of its process.
 *
 * @param tracing adds the ids of the current span to each line; null when nothing is traced
 */
export async function createLogger(
  { logLevel, workers }: Pick<Config, 'logLevel' | 'workers'>,
  tracing: Pick<Tracing, 'fields'> | null,
): Promise<Logger> {
  const base = workers === 1 ? null : { pid: process.pid };
  const formatters = { level: (label: string) => ({ level: label }) };
  const mixin = tracing === null ? undefined : () => tracing.fields;
  const options = { level: logLevel, redact: SECRETS, base, formatters, mixin };
  if (!process.stderr.isTTY) return pino(options, destination({ dest: 2, sync: true }));
  // Loaded only on a terminal: a deployment does not need it.
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss' }));
}
