/** The log: structured lines on stderr, pretty on a terminal. stdout is left to results. */

import type { Logger } from 'pino';
import { destination, pino } from 'pino';

import type { Config } from '../config.ts';
import type { Tracing } from '../../tracing/tracing.ts';

/** Members that are never logged, whatever object is logged. */
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
 * Levels are said by their names. With several processes, each line says which process wrote it.
 *
 * @param tracing whose span each line names that is written within one; null where nothing is traced
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
  // Loaded only on a terminal: a deployment's log goes to a collector.
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss' }));
}
