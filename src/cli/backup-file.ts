/** One run of `map-locations backup`. */

import { randomBytes } from 'node:crypto';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { openForBackup } from '../app/composition/whole-stores.ts';
import type { BackupCounts } from '../services/backup/write.ts';
import { writeBackup } from '../services/backup/write.ts';
import { listOwnedMaps } from '../services/operator.ts';
import { VERSION } from '../lib/version.ts';
import { listenForInterruption } from './interruption.ts';
import { printResult, say } from './output.ts';
import { createProgress } from './progress.ts';
import {
  assertStore,
  CommandError,
  FAILED,
  NOT_BEGUN,
  readStoreConfig,
  reportFailure,
  sayNotice,
} from './run.ts';
import { notWritable, throwOfFile } from './write-failure.ts';

interface BackupCommand {
  readonly path: string;
  readonly withoutSecrets: boolean;
}

export async function backUp({ path, withoutSecrets }: BackupCommand): Promise<void> {
  const interruption = listenForInterruption();
  let exitCode = NOT_BEGUN;
  try {
    const config = await readStoreConfig();
    for (const warning of config.warnings) say(warning);
    await assertFree(path);
    await assertStore(config);
    const storage = await openForBackup(config, { onStorageNotice: sayNotice });
    try {
      const counts = { maps: 0, locations: 0 };
      const progress = createBackupProgress(process.stderr.isTTY ? await countLocations(storage) : null);
      const content = writeBackup(storage, {
        withoutSecrets,
        program: VERSION,
        onProgress: (done) => progress.update(Object.assign(counts, done)),
      });
      exitCode = FAILED;
      try {
        await toNewFile(content, path, interruption.signal);
      } finally {
        progress.clear();
      }
      say(`Wrote ${counts.maps} maps and ${counts.locations} locations to ${path}.`);
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

async function countLocations(storage: Parameters<typeof listOwnedMaps>[0]): Promise<number> {
  let count = 0;
  for await (const { locations } of listOwnedMaps(storage, null)) count += locations;
  return count;
}

function createBackupProgress(total: number | null) {
  return createProgress<BackupCounts>({
    shareOf: ({ locations }) => (total === null || total === 0 ? null : locations / total),
    describe: ({ maps, locations }) => `${maps} maps, ${locations} locations`,
  });
}

async function assertFree(path: string): Promise<void> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw notWritable(path, error);
  });
  if (stats !== null) throw existing(path);
}

function existing(path: string): CommandError {
  return new CommandError(`${path} exists already; a backup replaces no file.`);
}

/** The file is whole, or not there: what is being written has a name of its own beside it. */
async function toNewFile(content: AsyncIterable<Buffer>, path: string, signal: AbortSignal): Promise<void> {
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`;
  const handle = await open(partial, 'wx', 0o600).catch((error: Error) => {
    throw notWritable(path, error);
  });
  try {
    const file = handle.createWriteStream({ flush: true });
    await pipeline(content, createGzip(), file, { signal }).catch(throwOfFile(path));
    await giveName(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}

/** Unlike a rename, a link replaces no file that was made meanwhile. */
async function giveName(partial: string, path: string): Promise<void> {
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

/** What file systems say that have no links. */
const WITHOUT_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];
