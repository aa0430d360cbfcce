/** The Markdown documents of the repository, and their code blocks. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './program.ts';

export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** The reason in the comment before a block that tests do not run; null for a block that they run. */
  readonly notRun: string | null;
  /** The file name in the line before a block that is a whole file, such as "`main.js`:"; else null. */
  readonly file: string | null;
}

/** Documents for users and contributors. Paths are relative to the root of the repository. */
export const DOCUMENTS: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...['docs', 'docs/recipes'].flatMap(markdownOf),
];

/** Decision records, which quote code of libraries but no commands to run. */
export const DECISIONS: readonly string[] = markdownOf('docs/decisions');

function markdownOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

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

/** The response to expect: an ellipsis stands for any text. */
export function shapeOf(value: unknown): unknown {
  if (value === '…') return expect.any(String);
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]));
}
