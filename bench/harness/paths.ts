/** Paths of the repository, and package.json files. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const ROOT = at('');
export const BENCH = at('bench/');
export const RESULTS = at('bench/RESULTS.md');
export const WRK_SCRIPT = at('bench/harness/requests.lua');
/** Our command line, as users run it. */
export const CLI = at('dist/cli/main.js');

export const subjectFile = (name: string) => at(`bench/dist/${name}.js`);

export interface Package {
  readonly version?: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
}
