/** The program's version: package.json's, which is shipped beside the code. */

import { readFileSync } from 'node:fs';

/** The same relative place from src and from dist. */
const PACKAGE = new URL('../package.json', import.meta.url);

export const VERSION = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string }).version;
