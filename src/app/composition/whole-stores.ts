/** Stores for commands that work on the whole of them. */

import type { Config } from '../config.ts';
import type { CopyOptions, CopyResult } from '../../services/locations/copy.ts';
import { copyStore } from '../../services/locations/copy.ts';
import { examineStorage, openStorage } from '../../storage/open.ts';
import type { Examination } from '../../storage/examination.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Parts } from './application.ts';

export { describeStorage, isStorageUrl, isThere, mayBeAway } from '../../storage/open.ts';

/** Of commands that work on whole maps or stores. The calls are large, and no client waits for them. */
const LONG_CALL_MS = 10 * 60 * 1000;
/** Such work is not given up while a replica set elects another primary, which takes 12 s and more. */
const RECONNECT_MS = 30 * 1000;

/** A server that is not there at the beginning is waited for as long as by any other command. */
export function longCalls({ databaseTimeoutMs }: Pick<Config, 'databaseTimeoutMs'>) {
  return { timeoutMs: LONG_CALL_MS, connectTimeoutMs: RECONNECT_MS, openTimeoutMs: databaseTimeoutMs };
}

/** What is stored stands all over the indexes. With few pages in memory, most would be read and written for each row. */
export const COMMAND_FILE_CACHE_BYTES = 16 * 1024 * 1024;

/**
 * @param fromUrl and `toUrl` name stores as `DATABASE_URL` does
 * @param parts.onStorageNotice told what an operator should read of either store
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

/** The store's own. Nothing but a backup or a restore is done with it. */
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

/** Throws what {@link examineStorage} throws. */
export function openForExamination(
  config: Pick<Config, 'databaseUrl' | 'databaseTimeoutMs'>,
): Promise<Examination> {
  return examineStorage(config.databaseUrl, longCalls(config));
}
