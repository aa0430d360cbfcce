/** Runs a command's work over an open gateway, and turns what it throws into a message and an exit status. */

import type { Config } from '../config.ts';
import { OperatorError, ServiceError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { complain, say } from './output.ts';

/** Exit statuses: 1 where the work failed, 2 where it was not asked for rightly and nothing was begun. */
export const FAILED = 1;
export const NOT_BEGUN = 2;

/** An expected failure of a command's own, such as a file that is not there. */
export class CommandError extends Error {}

/**
 * Everything is loaded here, when a command runs: `--help` and mistakes in the options need none of it.
 *
 * @throws ConfigError, SecretKeyError, ServiceError, and what the work throws
 */
export async function withGateway<T>(work: (gateway: Gateway, config: Config) => Promise<T>): Promise<T> {
  const { readConfig } = await import('../config.ts');
  const config = readConfig();
  const { openGateway } = await import('../gateway.ts');
  const gateway = await openGateway(config);
  try {
    return await work(gateway, config);
  } finally {
    await gateway.close();
  }
}

/** A command's action: does the work, and reports what it throws. */
export async function runCommand(work: (gateway: Gateway, config: Config) => Promise<void>): Promise<void> {
  try {
    await withGateway(work);
  } catch (error) {
    await reportFailure(error, FAILED);
  }
}

/** One line for what can be expected; a fault of ours is shown whole, for the report of it. */
export async function reportFailure(error: unknown, exitCode: number): Promise<void> {
  process.exitCode = exitCode;
  if (isExpected(error)) complain((error as Error).message);
  else say(`map-locations: unexpected failure, which is a fault of the program:\n${describeFault(error)}`);
}

function isExpected(error: unknown): boolean {
  if (error instanceof ServiceError) return error.code !== 'INTERNAL_SERVER_ERROR';
  return error instanceof CommandError || error instanceof OperatorError;
}

function describeFault(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
