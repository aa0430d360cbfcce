/** One run of `map-locations restore`. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import type { Config } from '../app/config.ts';
import { describeStorage, isThere, openForBackup } from '../app/composition/whole-stores.ts';
import type { CheckedBackup } from '../services/backup/check.ts';
import { checkBackup } from '../services/backup/check.ts';
import { BackupFileError } from '../services/backup/format.ts';
import { LOOK_COUNTS_MS } from '../services/backup/guard.ts';
import type { RestoreResult } from '../services/backup/restore.ts';
import { OvertakenRestoreError, restoreBackup } from '../services/backup/restore.ts';
import { opened } from '../services/secrets/secret-key-marks.ts';
import { createSecrets } from '../services/secrets/secrets.ts';
import { complain, printResult, say } from './output.ts';
import { createProgress } from './progress.ts';
import { CommandError, FAILED, NOT_BEGUN, readStoreConfig, reportFailure, sayNotice } from './run.ts';

interface RestoreCommand {
  readonly path: string;
  readonly replace: boolean;
}

export async function restore({ path, replace }: RestoreCommand): Promise<void> {
  const state = { isBegun: false };
  try {
    const config = await readStoreConfig();
    for (const warning of config.warnings) say(warning);
    const backup = await check(path);
    sayWhoseKeys(backup, config);
    const { databaseUrl } = config;
    const isNew = !(await isThere(databaseUrl));
    const storage = await openForBackup(config, { onStorageNotice: sayNotice });
    const progress = createRestoreProgress(backup.counts.locations);
    try {
      const result = await restoreBackup(backup, storage, {
        replace,
        // Nobody serves a file that was not there.
        noticeMs: isNew ? 0 : LOOK_COUNTS_MS + config.databaseTimeoutMs,
        onBegun: () => (state.isBegun = true),
        onProgress: progress.update,
      });
      progress.clear();
      report(result, path, await describeStorage(databaseUrl));
    } finally {
      progress.clear();
      await storage.close();
    }
  } catch (error) {
    reportFailure(asCommandError(error, path), state.isBegun ? FAILED : NOT_BEGUN);
    if (state.isBegun) say('The store is not served until it is restored: run the command again.');
  }
}

async function check(path: string): Promise<CheckedBackup> {
  const stats = await stat(path).catch((error: Error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}`);
  });
  // It is read twice.
  if (!stats.isFile()) throw new CommandError(`${path} is no file; a backup is wanted.`);
  const progress = createProgress<{ maps: number; locations: number }>({
    shareOf: () => null,
    describe: ({ maps, locations }) => `checking: ${maps} maps, ${locations} locations`,
  });
  try {
    return await checkBackup(() => createReadStream(path), progress.update);
  } finally {
    progress.clear();
  }
}

/** A server that opens the store needs the key. */
function sayWhoseKeys({ secretKeyCheck }: CheckedBackup, { secretKey, secretKeyFallback }: Config): void {
  if (secretKeyCheck === null) return;
  if (opened(createSecrets(secretKey, secretKeyFallback), secretKeyCheck) === 'all') return;
  say(
    `The API keys of the backup are encrypted with ${secretKey === null ? 'a SECRET_KEY, and none is set' : 'another SECRET_KEY than the one that is set'}: a server needs that one, as SECRET_KEY or SECRET_KEY_FALLBACK.`,
  );
}

function createRestoreProgress(total: number) {
  return createProgress<{ maps: number; locations: number }>({
    shareOf: ({ locations }) => (total === 0 ? null : locations / total),
    describe: ({ maps, locations }) => `${maps} maps, ${locations} locations`,
  });
}

function report(result: RestoreResult, path: string, store: string): void {
  if (result.kind === 'refused') {
    complain('CONFLICT', `${result.reason} Nothing was changed.`);
    process.exitCode = NOT_BEGUN;
    return;
  }
  const { counts, withoutExternalId } = result;
  say(`Restored ${counts.maps} maps and ${counts.locations} locations of ${path} to ${store}.`);
  if (withoutExternalId > 0) {
    say(
      `${withoutExternalId} locations have lost their external id: while the backup was made, it was given to another.`,
    );
  }
  printResult({ file: path, ...counts, withoutExternalId });
}

function asCommandError(error: unknown, path: string): unknown {
  if (error instanceof BackupFileError) return new CommandError(`${path} ${error.message}`);
  if (error instanceof OvertakenRestoreError) return new CommandError(error.message);
  return error;
}
