/** The GraphQL documents of the pages. Where only trusted documents are executed, the pages name theirs by these ids. */

import { readFileSync } from 'node:fs';

import { fileOfPackage } from '../lib/package-files.ts';

const PAGES = ['map', 'console'] as const;

export type AskingPage = (typeof PAGES)[number];

export function documentIdOf(page: AskingPage): string {
  return `map-locations:${page}`;
}

/** By id. Each holds all operations of its page. */
export function readPageDocuments(): Map<string, string> {
  return new Map(
    PAGES.map((page) => [
      documentIdOf(page),
      readFileSync(fileOfPackage(`dist/web/pages/${page}.graphql`), 'utf8'),
    ]),
  );
}
