/** The `mongod` of this machine, for what runs servers of its own. */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The reason with which a suite is skipped that runs servers of its own. */
export const NEEDS_MONGOD_BINARY =
  'needs mongod itself, to run and to kill: put it on the PATH, or its path into MONGOMS_SYSTEM_BINARY';

/** Named by `MONGOMS_SYSTEM_BINARY`, or on the PATH. */
export function findMongod(): string | undefined {
  const named = process.env['MONGOMS_SYSTEM_BINARY'];
  if (named) return named;
  const name = process.platform === 'win32' ? 'mongod.exe' : 'mongod';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
