/** Runs a command: opens the application over the store, and turns errors and signals into messages and exit statuses. */

import { setFlagsFromString } from 'node:v8';

import type { Parts } from '../app/composition/application.ts';
import type { StoreApplication } from '../app/composition/store.ts';
import type { Config } from '../app/config.ts';
import type { MapRecord } from '../domain/map.ts';
import { nearestName } from '../domain/nearest-name.ts';
import { OperatorError, ServiceError } from '../errors.ts';
import type { Caller } from '../services/caller.ts';
import { complain, say } from './output.ts';

/** Exit statuses: 1 when the work failed, 2 when it was not started, as for invalid arguments. */
export const FAILED = 1;
export const NOT_STARTED = 2;

/** An expected failure of a command itself, such as a missing file. */
export class CommandError extends Error {}

/** There is no store where the command looked. */
export class NoStoreError extends CommandError {}

/**
 * How far the heap may grow over its live part, in percent, before a full collection. With V8's default, which lets a heap that
 * fills quickly grow much further, an import of 1,000,000 rows took 208 MB instead of 162 MB.
 */
const HEAP_GROWTH_PERCENT = 100;

interface ApplicationUse {
  /** Changes settings for the command. */
  readonly adapt?: (config: Config) => Config;
  /** Whether calls of the store may take long, for commands that process whole maps. */
  readonly hasLongCalls?: boolean;
  /** Whether to create a missing store. By default a command that runs in the wrong folder fails. */
  readonly createsStore?: boolean;
}

/** For commands that an operator may run before the first start of a server. */
export const CREATES_STORE: ApplicationUse = { createsStore: true };

/**
 * Opens the application for a piece of work. The application is loaded here, because `--help` and invalid options need none.
 *
 * @throws ConfigError, NoStoreError, SecretKeyError, ServiceError, and what the work throws
 */
export async function withApplication<T>(
  work: (application: StoreApplication, config: Config) => Promise<T>,
  { adapt = (config) => config, hasLongCalls = false, createsStore = false }: ApplicationUse = {},
): Promise<T> {
  if (hasLongCalls) setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const config = adapt(await readStoreConfig());
  for (const warning of config.warnings) say(warning);
  const { openStoreApplication } = await import('../app/composition/store.ts');
  const { COMMAND_FILE_CACHE_BYTES } = await import('../app/composition/whole-stores.ts');
  if (!createsStore) await assertStore(config);
  const application = await openStoreApplication(config, {
    onStorageNotice: sayNotice,
    onAuditFailure: (error) =>
      complain('COMMAND_FAILED', `A line of AUDIT_LOG could not be written: ${String(error)}`),
    fileCacheBytes: COMMAND_FILE_CACHE_BYTES,
    hasLongCalls,
  });
  try {
    return await work(application, config);
  } finally {
    await application.close();
  }
}

/** The action of a command: does the work, and reports what it throws. */
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

/** @throws CommandError */
export function assertNotDeleted({ id, isDeleted }: Pick<MapRecord, 'id' | 'isDeleted'>): void {
  if (!isDeleted) return;
  throw new CommandError(`The map ${id} is deleted; \`map-locations map restore ${id}\` restores it.`);
}

/** The action of a command that works on a map on behalf of its owner. */
export function withMap(
  id: string,
  work: (application: StoreApplication, caller: Caller, config: Config) => Promise<void>,
): Promise<void> {
  return runCommand(async (application, config) => {
    const { findOwnedMap, operatorFor } = await import('../services/operator.ts');
    const { owner } = await findOwnedMap(application.storage, id);
    await work(application, operatorFor(owner), config);
  });
}

/** @throws ConfigError; NoStoreError for the settings of a gateway */
export async function readStoreConfig(): Promise<Config> {
  const { readConfig } = await import('../app/config.ts');
  const config = readConfig();
  if (config.upstream.url === null) return config;
  throw new NoStoreError(
    'UPSTREAM_URL is set, so there is no store: the service at that address has the maps and the tokens. Run the command there, or without UPSTREAM_URL.',
  );
}

/** @throws NoStoreError that says where the store was expected */
export async function assertStore({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<void> {
  const { describeStorage, isThere } = await import('../app/composition/whole-stores.ts');
  if (await isThere(databaseUrl)) return;
  throw new NoStoreError(
    `There is no store: ${await describeStorage(databaseUrl)}. Run the command in the server's folder, or with the server's DATABASE_URL.`,
  );
}

/** Says which store is empty: it may not be the one that was meant. */
export async function sayNone(what: string, { databaseUrl }: Config): Promise<void> {
  const { describeStorage } = await import('../app/composition/whole-stores.ts');
  say(`There are no ${what} in ${await describeStorage(databaseUrl)}.`);
}

/**
 * For commands that write to a store, which may not be the server's. Warns about an empty store: a server would have created its
 * demo there.
 */
export async function inspectStore(
  storage: StoreApplication['storage'],
  config: Config,
  ownerName: string,
): Promise<{ /** Without credentials. */ readonly name: string; sayNewOwner(): void }> {
  const { describeStorage } = await import('../app/composition/whole-stores.ts');
  const name = await describeStorage(config.databaseUrl);
  if (await storage.isEmpty()) {
    say(
      `The store was empty: ${name}. A server uses it only with the same DATABASE_URL, and a relative path only in the same folder.`,
    );
  }
  const others = (await storage.listOwners()).map((owner) => owner.name);
  return {
    name,
    sayNewOwner() {
      const near = nearestName(ownerName, others);
      say(
        `Created a new owner, ${ownerName}.${near === null ? '' : ` There is also an owner named ${near}.`}`,
      );
    },
  };
}

/** Prints what an operator should know about a store. */
export const sayNotice: NonNullable<Parts['onStorageNotice']> = ({ level, message }) =>
  level === 'error' ? complain('COMMAND_FAILED', message) : say(message);

/** Prints an expected failure as one message, and a bug with its stack, so that it can be reported. */
export function reportFailure(error: unknown, exitCode: number): void {
  process.exitCode = error instanceof NoStoreError ? NOT_STARTED : exitCode;
  if (error instanceof OperatorError) {
    // Invalid settings are a list, one per line.
    const [message = '', ...lines] = error.message.split('\n');
    complain('CANNOT_START', message, ...lines);
  } else if (error instanceof CommandError) {
    complain(error instanceof NoStoreError ? 'CANNOT_START' : 'COMMAND_FAILED', error.message);
  } else if (error instanceof ServiceError && error.code !== 'INTERNAL_SERVER_ERROR') {
    complain(error.extensions, explained(error));
  } else {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    complain(
      'INTERNAL_SERVER_ERROR',
      'unexpected error, which is a bug in the program:',
      ...stack.split('\n'),
    );
  }
}

/** Commands have no log, so the message says why the store is unavailable. */
function explained({ code, message, cause }: ServiceError): string {
  return code === 'STORAGE_UNAVAILABLE' && cause instanceof Error ? `${message} (${cause.message})` : message;
}

export interface Interruption {
  readonly signal: AbortSignal;
  /** The exit status that shells expect after the signal (130, 143); 1 when there was no signal. */
  readonly exitCode: number;
  end(): void;
}

/** For commands that stop in order at SIGINT and SIGTERM. A second signal ends the process at once. */
export function listenForInterruption(onInterrupted: () => void = () => {}): Interruption {
  const controller = new AbortController();
  let exitCode = FAILED;
  const onSignal = (name: NodeJS.Signals) => {
    end();
    exitCode = name === 'SIGINT' ? 130 : 143;
    onInterrupted();
    controller.abort();
  };
  const end = () => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    end,
  };
}
