/** Runs a command over an open gateway, and turns what it throws into a message and an exit status. */

import { setFlagsFromString } from 'node:v8';

import type { Config } from '../app/config.ts';
import { OperatorError, ServiceError } from '../errors.ts';
import type { StoreApplication } from '../app/composition/store.ts';
import type { Parts } from '../app/composition/application.ts';
import { complain, say } from './output.ts';

/** Exit statuses: 1 when the work failed, 2 when the arguments were wrong and nothing was begun. */
export const FAILED = 1;
export const NOT_BEGUN = 2;

/** An expected failure of a command itself, such as a file that does not exist. */
export class CommandError extends Error {}

/** A command looked for what is stored where nothing is. */
export class NoStoreError extends CommandError {}

/**
 * Percent of the live heap that V8 lets garbage grow to before a full collection. By default it lets a heap that fills
 * quickly grow much further: an import of 1,000,000 rows took 208 MB instead of 162 MB.
 */
const HEAP_GROWTH_PERCENT = 100;

interface ApplicationUse {
  /** What the command changes of the settings. */
  readonly adapt?: (config: Config) => Config;
  /** Whether its calls of the store may take long: it works on whole maps. */
  readonly hasLongCalls?: boolean;
  /** Whether a store that is not there is made. A command in the wrong folder would else find an empty one. */
  readonly makesStore?: boolean;
}

/**
 * The gateway is loaded only when a command runs: `--help` and wrong options need none of it.
 *
 * @throws ConfigError, NoStoreError, SecretKeyError, ServiceError, and what the work throws
 */
export async function withApplication<T>(
  work: (application: StoreApplication, config: Config) => Promise<T>,
  { adapt = (config) => config, hasLongCalls = false, makesStore = false }: ApplicationUse = {},
): Promise<T> {
  if (hasLongCalls) setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const config = adapt(await readStoreConfig());
  for (const warning of config.warnings) say(warning);
  const { openStoreApplication } = await import('../app/composition/store.ts');
  const { COMMAND_FILE_CACHE_BYTES } = await import('../app/composition/whole-stores.ts');
  if (!makesStore) await assertStore(config);
  const application = await openStoreApplication(config, {
    onStorageNotice: sayNotice,
    onAuditFailure: (error) =>
      complain('COMMAND_FAILED', `A line of AUDIT_LOG was not written: ${String(error)}`),
    fileCacheBytes: COMMAND_FILE_CACHE_BYTES,
    hasLongCalls,
  });
  try {
    return await work(application, config);
  } finally {
    await application.close();
  }
}

/**
 * The settings of a server with a store.
 *
 * @throws ConfigError; NoStoreError where they are a gateway's, which has none
 */
export async function readStoreConfig(): Promise<Config> {
  const { readConfig } = await import('../app/config.ts');
  const config = readConfig();
  if (config.upstream.url === null) return config;
  throw new NoStoreError(
    'UPSTREAM_URL is set, so that there is no store: the service at that address has the maps and the tokens. Run the command there, or without UPSTREAM_URL.',
  );
}

/** @throws NoStoreError that says where was looked */
export async function assertStore({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<void> {
  const { describeStorage, isThere } = await import('../app/composition/whole-stores.ts');
  if (await isThere(databaseUrl)) return;
  const place = await describeStorage(databaseUrl);
  throw new NoStoreError(
    `There is no store: ${place}. Run the command in the server's folder, or with the server's DATABASE_URL.`,
  );
}

/** Tells what an operator should read of a store. */
export const sayNotice: NonNullable<Parts['onStorageNotice']> = ({ level, message }) =>
  level === 'error' ? complain('COMMAND_FAILED', message) : say(message);

/** A command's action: does the work, and reports what it throws. */
export async function runCommand(
  work: (application: StoreApplication, config: Config) => Promise<void>,
  use: ApplicationUse = {},
): Promise<void> {
  try {
    await withApplication(work, use);
  } catch (error) {
    reportFailure(error, FAILED);
  }
}

/** An expected failure is printed as one message. A bug is printed with its stack, so that it can be reported. */
export function reportFailure(error: unknown, exitCode: number): void {
  process.exitCode = error instanceof NoStoreError ? NOT_BEGUN : exitCode;
  if (error instanceof OperatorError) {
    // Several wrong settings are a list, a line each.
    const [message = '', ...lines] = error.message.split('\n');
    complain('CANNOT_START', message, ...lines);
  } else if (error instanceof CommandError) {
    complain(error instanceof NoStoreError ? 'CANNOT_START' : 'COMMAND_FAILED', error.message);
  } else if (error instanceof ServiceError && error.code !== 'INTERNAL_SERVER_ERROR') {
    complain(error.extensions, explained(error));
  } else {
    const fault = describeFault(error).split('\n');
    complain('INTERNAL_SERVER_ERROR', 'unexpected failure, which is a fault of the program:', ...fault);
  }
}

/** Whoever runs a command has no log that says why the store cannot be reached. */
function explained({ code, message, cause }: ServiceError): string {
  return code === 'STORAGE_UNAVAILABLE' && cause instanceof Error ? `${message} (${cause.message})` : message;
}

function describeFault(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
