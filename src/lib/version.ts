/** The version in package.json, which ships with the code. */

import { readFileSync } from 'node:fs';

import { fileOfPackage } from './package-files.ts';

const PACKAGE = fileOfPackage('package.json');

export const VERSION = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string }).version;
