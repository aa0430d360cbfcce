/** `map-locations restore` */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import type { Command } from 'commander';

import type { Config } from '../app/config.ts';
import type { CheckedBackup } from '../services/backup/check.ts';
import type { RestoreResult } from '../services/backup/restore.ts';
import { complain, countOf, printResult, say } from './output.ts';
import { createProgress } from './progress.ts';
import { CommandError, FAILED, NOT_STARTED, readStoreConfig, reportFailure, sayNotice } from './run.ts';

export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('Fill the store from a backup.')
    .argument('<file>', 'a file that `map-locations backup` wrote')
    .option('--replace', 'first remove everything in the store')
    .addHelpText(
      'after',
      `
The whole file is checked before anything changes. Then the store is marked, and all servers on it respond with 503 until the
restore is complete. The tokens of the backup are restored; tokens that were revoked in the store stay revoked. After an
interruption no server serves the store: run the command again, which starts over.

Exit status:
  0  the store is restored
  1  the restore failed; the store is not served until a restore succeeds
  2  not started: the file is damaged, of a newer release or not a backup, or the store holds data`,
    )
    .action((path: string, { replace = false }: { replace?: boolean }) => restore(path, replace));
}

async function restore(path: string, replace: boolean): Promise<void> {
  const state = { isStarted: false };
  try {
    const config = await readStoreConfig();
    for (const warning of config.warnings) say(warning);
    const backup = await check(path);
    await warnOfOtherKey(backup, config);
    await restoreTo(config, backup, path, replace, () => (state.isStarted = true));
  } catch (error) {
    reportFailure(await asCommandError(error, path), state.isStarted ? FAILED : NOT_STARTED);
    if (state.isStarted) say('The store is not served until it is restored: run the command again.');
  }
}

async function restoreTo(
  config: Config,
  backup: CheckedBackup,
  path: string,
  replace: boolean,
  onStart: () => void,
): Promise<void> {
  const { describeStorage, isThere, openForBackup } = await import('../app/composition/whole-stores.ts');
  const { CHECK_VALID_MS } = await import('../services/backup/guard.ts');
  const { restoreBackup } = await import('../services/backup/restore.ts');
  const isNew = !(await isThere(config.databaseUrl));
  const storage = await openForBackup(config, { onStorageNotice: sayNotice });
  const total = backup.counts.locations;
  const progress = createProgress<{ maps: number; locations: number }>({
    shareOf: ({ locations }) => (total === 0 ? null : locations / total),
    describe: ({ maps, locations }) => `${countOf(maps, 'map')}, ${countOf(locations, 'location')}`,
  });
  try {
    const result = await restoreBackup(backup, storage, {
      replace,
      // No server can be using a new store.
      noticeMs: isNew ? 0 : CHECK_VALID_MS + config.databaseTimeoutMs,
      onBegun: onStart,
      onProgress: progress.update,
    });
    progress.clear();
    report(result, path, await describeStorage(config.databaseUrl));
  } finally {
    progress.clear();
    await storage.close();
  }
}

async function check(path: string): Promise<CheckedBackup> {
  const { checkBackup } = await import('../services/backup/check.ts');
  const stats = await stat(path).catch((error: Error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}`);
  });
  // The file is read twice, which a pipe does not allow.
  if (!stats.isFile()) throw new CommandError(`${path} is not a regular file; give the file of a backup.`);
  const progress = createProgress<{ maps: number; locations: number }>({
    shareOf: () => null,
    describe: ({ maps, locations }) => `checking: ${countOf(maps, 'map')}, ${countOf(locations, 'location')}`,
  });
  try {
    return await checkBackup(() => createReadStream(path), progress.update);
  } finally {
    progress.clear();
  }
}

/** A server cannot open the store without the key. */
async function warnOfOtherKey(
  { secretKeyCheck }: CheckedBackup,
  { secretKey, secretKeyFallback }: Config,
): Promise<void> {
  if (secretKeyCheck === null) return;
  const { createSecrets } = await import('../services/secrets/secrets.ts');
  const { opened } = await import('../services/secrets/secret-key-marks.ts');
  if (opened(createSecrets(secretKey, secretKeyFallback), secretKeyCheck) === 'all') return;
  const key = secretKey === null ? 'a SECRET_KEY, but none is set' : 'another SECRET_KEY than the one set';
  say(`The backup is encrypted with ${key}: servers need that key, as SECRET_KEY or SECRET_KEY_FALLBACK.`);
}

function report(result: RestoreResult, path: string, store: string): void {
  if (result.kind === 'refused') {
    complain('CONFLICT', `${result.reason} Nothing was changed.`);
    process.exitCode = NOT_STARTED;
    return;
  }
  const { counts, withoutExternalId } = result;
  say(
    `Restored ${countOf(counts.maps, 'map')} and ${countOf(counts.locations, 'location')} from ${path} to ${store}.`,
  );
  if (withoutExternalId > 0) {
    say(
      `${countOf(withoutExternalId, 'location')} lost the external id: another location got it while the backup was made.`,
    );
  }
  printResult({ file: path, ...counts, withoutExternalId });
}

async function asCommandError(error: unknown, path: string): Promise<unknown> {
  const { BackupFileError } = await import('../services/backup/format.ts');
  const { OvertakenRestoreError } = await import('../services/backup/restore.ts');
  if (error instanceof BackupFileError) return new CommandError(`${path} ${error.message}`);
  if (error instanceof OvertakenRestoreError) return new CommandError(error.message);
  return error;
}
