/** Arguments that are secret or long: the text itself, or where to read it. */

import { readFileSync } from 'node:fs';

import { CommandError } from './run.ts';

const STDIN = 0;

/**
 * @param argument the text itself; `@FILE` to read it from a file; `@-` to read it from stdin. White space is trimmed
 * @param what how a message names it
 */
export function readText(argument: string, what: string): string {
  if (!argument.startsWith('@')) return argument;
  const path = argument.slice(1);
  try {
    return readFileSync(path === '-' ? STDIN : path, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The ${what} cannot be read from ${path === '-' ? 'stdin' : path}: ${reason}`);
  }
}
