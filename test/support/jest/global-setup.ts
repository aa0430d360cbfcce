/** Before any test: a MongoDB server, where a file that is to be run needs one. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Config } from '@jest/types';

import { provideMongodb } from './mongodb.ts';

/** What every file imports that has tests on MongoDB. */
const NEEDS_MONGODB = 'support/mongodb-server.ts';

export default async function globalSetup(
  { testPathPatterns }: Config.GlobalConfig,
  { rootDir }: Config.ProjectConfig,
): Promise<void> {
  const chosen = testPathPatterns.toExecutor({ rootDir });
  const folder = join(rootDir, 'test');
  const needsMongodb = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.test.ts') && (!chosen.isSet() || chosen.isMatch(path)))
    .some((path) => readFileSync(path, 'utf8').includes(NEEDS_MONGODB));
  if (needsMongodb) await provideMongodb();
}
