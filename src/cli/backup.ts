/** `map-locations backup` */

import { link, lstat, rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type { Command } from 'commander';

import type { StoreApplication } from '../app/composition/store.ts';
import { VERSION } from '../lib/version.ts';
import type { BackupCounts } from '../services/backup/write.ts';
import { countOf, printResult, say } from './output.ts';
import { createProgress } from './progress.ts';
import {
  assertStore,
  CommandError,
  FAILED,
  listenForInterruption,
  NOT_STARTED,
  readStoreConfig,
  reportFailure,
  sayNotice,
} from './run.ts';
import { notWritable, writeWholeFile } from './whole-file.ts';

type Storage = StoreApplication['storage'];

export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('Write the whole store to a file, also while servers use it.')
    .argument('<file>', 'the file to create; an existing file is an error')
    .option('--without-secrets', 'leave out API keys of maps and secrets of webhooks')
    .addHelpText(
      'after',
      `
The file holds gzipped lines of JSON with a checksum at the end; only its owner can read it. It contains owners, hashes of
tokens (not the tokens), maps, locations, idempotency records and webhooks, but no caches. API keys and webhook secrets are
stored as in the store: encrypted with SECRET_KEY, or in the clear without one. \`map-locations restore\` restores the file into
SQLite or MongoDB.

A backup of SQLite is a consistent snapshot. A backup of MongoDB contains everything that was not written meanwhile; of what was
written meanwhile, it contains either version.

Exit status:
    0  the backup is complete
    1  the backup failed; there is no file
    2  not started: the file exists, or there is no store
  130  interrupted (143 by SIGTERM); there is no file`,
    )
    .action((path: string, { withoutSecrets = false }: { withoutSecrets?: boolean }) =>
      backUp(path, withoutSecrets),
    );
}

async function backUp(path: string, withoutSecrets: boolean): Promise<void> {
  const interruption = listenForInterruption();
  let exitCode = NOT_STARTED;
  try {
    const config = await readStoreConfig();
    for (const warning of config.warnings) say(warning);
    await assertFree(path);
    await assertStore(config);
    const { openForBackup } = await import('../app/composition/whole-stores.ts');
    const storage = await openForBackup(config, { onStorageNotice: sayNotice });
    try {
      const counts = await writeBackupFile(storage, path, withoutSecrets, interruption.signal, () => {
        exitCode = FAILED;
      });
      say(`Wrote ${countOf(counts.maps, 'map')} and ${countOf(counts.locations, 'location')} to ${path}.`);
      printResult({ file: path, ...counts });
    } finally {
      await storage.close();
    }
  } catch (error) {
    if (interruption.signal.aborted) process.exitCode = interruption.exitCode;
    else reportFailure(error, exitCode);
  } finally {
    interruption.end();
  }
}

async function writeBackupFile(
  storage: Storage,
  path: string,
  withoutSecrets: boolean,
  signal: AbortSignal,
  onStart: () => void,
): Promise<BackupCounts> {
  const { writeBackup } = await import('../services/backup/write.ts');
  const counts = { maps: 0, locations: 0 };
  const total = process.stderr.isTTY ? await countLocations(storage) : null;
  const progress = createProgress<BackupCounts>({
    shareOf: ({ locations }) => (total === null || total === 0 ? null : locations / total),
    describe: ({ maps, locations }) => `${countOf(maps, 'map')}, ${countOf(locations, 'location')}`,
  });
  const content = writeBackup(storage, {
    withoutSecrets,
    program: VERSION,
    onProgress: (done) => progress.update(Object.assign(counts, done)),
  });
  onStart();
  try {
    await writeWholeFile(path, {
      mode: 0o600,
      write: (file) => pipeline(content, createGzip(), file, { signal }),
      publish: linkOrRename,
    });
  } finally {
    progress.clear();
  }
  return counts;
}

async function countLocations(storage: Storage): Promise<number> {
  const { listOwnedMaps } = await import('../services/operator.ts');
  let count = 0;
  for await (const { locations } of listOwnedMaps(storage, null)) count += locations;
  return count;
}

async function assertFree(path: string): Promise<void> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw notWritable(path, error);
  });
  if (stats !== null) throw existing(path);
}

function existing(path: string): CommandError {
  return new CommandError(`${path} already exists; a backup does not replace files.`);
}

/** The errors of file systems without hard links. */
const WITHOUT_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Unlike a rename, a link does not replace a file that was created meanwhile. */
async function linkOrRename(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existing(path);
    if (code === undefined || !WITHOUT_LINKS.includes(code)) throw error;
    await assertFree(path);
    await rename(partial, path);
  }
}
