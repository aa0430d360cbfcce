/** The README and the pages of docs/, their blocks of code, and what these show. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './program.ts';

export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** Why it cannot be run by a test, as the comment before it says; null for what is run. */
  readonly notRun: string | null;
  /** The file that it is, as the line before it says, such as "`main.js`:"; null for all others. */
  readonly file: string | null;
}

/** Paths from the root of the repository. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  ...['docs', 'docs/recipes'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

export function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function blocksOf(markdown: string): CodeBlock[] {
  const pattern = /(?:^<!-- not run: ([^\n]*) -->\n|^`([\w.-]+)`:\n\n)?^```(\w+)\n([^]*?)^```$/gm;
  return [...markdown.matchAll(pattern)].map(([, notRun = null, file = null, language = '', code = '']) => ({
    language,
    code,
    notRun,
    file,
  }));
}

/** What an answer is to equal: where an ellipsis stands any text may be. */
export function shapeOf(value: unknown): unknown {
  if (value === '…') return expect.any(String);
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]));
}
