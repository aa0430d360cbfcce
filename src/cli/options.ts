/** Values of options that several commands share, or that take more than a line to parse. */

import { readFileSync } from 'node:fs';

import { CommandError } from './run.ts';

const STDIN = 0;

/** For the help of options that take a secret. */
export const SECRET_HELP = `
Other users can see a command line in the list of processes. Pass @FILE to read the value from a file, or @- to read it from
stdin.`;

/**
 * @param argument the text; `@FILE` to read it from a file; `@-` to read it from stdin. White space around a read text is
 *   trimmed
 * @param what names the argument in error messages
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

const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?))?$/i;

/**
 * Parses an ISO 8601 time with its zone (`2030-01-31T12:00:00Z`, `2030-01-31T12:00+02:00`). A date alone means 00:00 UTC. A time
 * without a zone is refused: it would differ from machine to machine.
 *
 * @returns milliseconds since the epoch; null for anything else, such as a day that does not exist
 */
export function parseExpiry(text: string): number | null {
  const match = ISO_8601.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const parts = [year, Number(month) - 1, day, hour, minute, second].map(Number);
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = parts;
  const date = new Date(Date.UTC(y, mo, d, h, mi, s, Number(fraction.padEnd(3, '0').slice(0, 3))));
  date.setUTCFullYear(y, mo, d);
  const isReal =
    date.getUTCMonth() === mo &&
    date.getUTCDate() === d &&
    date.getUTCHours() === h &&
    date.getUTCMinutes() === mi &&
    date.getUTCSeconds() === s;
  const offset = zoneOffset(zone);
  return isReal && offset !== null ? date.getTime() - offset : null;
}

/** @returns milliseconds east of UTC; null for an invalid zone */
function zoneOffset(zone: string): number | null {
  if (zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
