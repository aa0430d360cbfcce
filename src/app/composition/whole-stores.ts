/** Opens stores for commands that process them as a whole. */

import type { Config } from '../config.ts';
import type { CopyOptions, CopyResult } from '../../services/store/copy.ts';
import { copyStore } from '../../services/store/copy.ts';
import { examineStorage, openStorage } from '../../storage/open.ts';
import type { Examination } from '../../storage/examination.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Parts } from './application.ts';

export { describeStorage, isStorageUrl, isThere, mayBeAway } from '../../storage/open.ts';

/** Time limit for calls of commands that process whole maps or stores: they are large, and no client waits for them. */
const LONG_CALL_MS = 10 * 60 * 1000;
/** Long enough for a replica set to elect another primary, which takes 12 s and more. */
const RECONNECT_MS = 30 * 1000;

/** Opening has the time limit of any other command: a server that is down at the start should be reported soon. */
export function longCalls({ databaseTimeoutMs }: Pick<Config, 'databaseTimeoutMs'>) {
  return { timeoutMs: LONG_CALL_MS, connectTimeoutMs: RECONNECT_MS, openTimeoutMs: databaseTimeoutMs };
}

/** Rows are spread over the indexes. With a small cache, most pages would be read and written for each row. */
export const COMMAND_FILE_CACHE_BYTES = 16 * 1024 * 1024;

/**
 * @param fromUrl and `toUrl` have the form of `DATABASE_URL`
 * @param parts.onStorageNotice called with what an operator should know about either store
 */
export async function copyBetween(
  fromUrl: string,
  toUrl: string,
  config: Pick<Config, 'databaseTimeoutMs'>,
  options: CopyOptions,
  { onStorageNotice: onNotice }: Pick<Parts, 'onStorageNotice'> = {},
): Promise<CopyResult> {
  const calls = longCalls(config);
  const source = await openStorage(fromUrl, { ...calls, onNotice });
  try {
    const target = await openStorage(toUrl, {
      ...calls,
      fileCacheBytes: COMMAND_FILE_CACHE_BYTES,
      onNotice,
    });
    try {
      return await copyStore(source, target, options);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Opens the store without the guard that refuses unfinished restores; only for backup and restore. */
export function openForBackup(
  config: Pick<Config, 'databaseUrl' | 'databaseTimeoutMs'>,
  { onStorageNotice: onNotice }: Pick<Parts, 'onStorageNotice'> = {},
): Promise<Storage> {
  return openStorage(config.databaseUrl, {
    ...longCalls(config),
    fileCacheBytes: COMMAND_FILE_CACHE_BYTES,
    onNotice,
  });
}

/** @throws what {@link examineStorage} throws */
export function openForExamination(
  config: Pick<Config, 'databaseUrl' | 'databaseTimeoutMs'>,
): Promise<Examination> {
  return examineStorage(config.databaseUrl, longCalls(config));
}
