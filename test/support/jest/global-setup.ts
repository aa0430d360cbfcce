/** Before all tests: starts a MongoDB server and a Chromium, if a selected file needs them. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Config } from '@jest/types';

import { provideChromium } from './chromium.ts';
import { provideMongodb } from './mongodb.ts';

/** The imports of every file with tests on MongoDB, and of every file with browser tests. */
const NEEDS_MONGODB = /support\/(mongodb-server|stores)\.ts/;
const NEEDS_CHROMIUM = /support\/(browser|browser-site|console)\.ts/;

export default async function globalSetup(
  { testPathPatterns }: Config.GlobalConfig,
  { rootDir }: Config.ProjectConfig,
): Promise<void> {
  const chosen = testPathPatterns.toExecutor({ rootDir });
  // Named files need all that they use.
  if (chosen.isSet()) process.env['TEST_FULL'] ??= '1';
  const folder = join(rootDir, 'test');
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.test.ts') && (!chosen.isSet() || chosen.isMatch(path)))
    .map((path) => readFileSync(path, 'utf8'));
  const isNeeded = (what: RegExp) => texts.some((text) => what.test(text));
  await Promise.all([
    isNeeded(NEEDS_MONGODB) && provideMongodb(),
    isNeeded(NEEDS_CHROMIUM) && provideChromium(),
  ]);
}
