/** Where things are. */

import { fileURLToPath } from 'node:url';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const ROOT = at('');
export const BENCH = at('bench/');
export const RESULTS = at('bench/RESULTS.md');
export const WRK_SCRIPT = at('bench/harness/requests.lua');
/** Our own command line, as a user has it. */
export const CLI = at('dist/cli/main.js');

export const subjectFile = (name: string) => at(`bench/dist/${name}.js`);
