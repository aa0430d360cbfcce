/**
 * What commands print: results on stdout, everything for a person on stderr.
 *
 * Names, cells and paths are free text, and a terminal obeys the control characters in it. So whatever is meant for a
 * person goes through {@link printable}: messages here, and the cells of tables. Results for programs stay exact.
 */

import type { ErrorCode, ServiceError } from '../errors.ts';

/** Failures of a command that are no failures of the service. */
export type CommandCode = 'CANNOT_START' | 'COMMAND_FAILED';

/**
 * With `--json` stdout has JSON alone, and stderr a JSON object a line: `{"error": {code, message, …}}` or `{"note": text}`.
 * Looked up here, since wrong arguments are told of too. What follows `--` is no option.
 */
export const isJson = optionsOf(process.argv).includes('--json');

function optionsOf(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}

/**
 * A command's result.
 *
 * @param value for programs, with `--json`
 * @param text for people and for shells; by default nothing is printed
 */
export function printResult(value: unknown, text: string | null = null): void {
  if (isJson) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  else if (text !== null) process.stdout.write(`${text}\n`);
}

/** As {@link printResult}. Resolves when there is room for more; to false when the reader has gone. */
export async function streamResult(text: string): Promise<boolean> {
  const { stdout } = process;
  if (stdout.destroyed) return false;
  if (stdout.write(text)) return true;
  await new Promise<void>((resolve) => {
    const end = () => {
      stdout.off('drain', end).off('close', end);
      resolve();
    };
    stdout.once('drain', end).once('close', end);
  });
  return !stdout.destroyed;
}

/** Tells a person something. Each argument is one line, whatever it holds. */
export function say(...lines: readonly string[]): void {
  const told = isJson ? lines.filter((line) => line !== '').map((note) => JSON.stringify({ note })) : lines;
  process.stderr.write(told.map((line) => `${printable(line)}\n`).join(''));
}

/**
 * A failure. Its first line begins with the program's name.
 *
 * @param code for programs: a code of the service's errors, with all that GraphQL tells beside it, or one of the command
 *   line's own
 */
export function complain(
  code: ErrorCode | CommandCode | ServiceError['extensions'],
  message: string,
  ...lines: readonly string[]
): void {
  if (!isJson) return say(`map-locations: ${message}`, ...lines);
  const told = typeof code === 'string' ? { code } : code;
  const error = { ...told, message: [message, ...lines].join('\n') };
  process.stderr.write(`${printable(JSON.stringify({ error }))}\n`);
}

/**
 * A reader that has gone, as in `map list | head -1`, is not a failure. The rest of the output is dropped, as it is where
 * it cannot be written; that is told once, and the exit status says it.
 */
export function handleOutputFailures(): void {
  let isMentioned = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return;
      process.exitCode = 1;
      if (isMentioned) return;
      isMentioned = true;
      complain('COMMAND_FAILED', `The output cannot be written: ${error.message}`);
    });
  }
}

/**
 * A table with a header: aligned for a person, or with tabs between cells for a program. A row is always one line.
 *
 * @param isTerminal whether stdout is one
 */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  isTerminal = process.stdout.isTTY,
): string {
  const lines = [header, ...rows].map((row) => row.map(printable));
  if (!isTerminal) return lines.map((cells) => cells.join('\t')).join('\n');
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** C0, DEL, C1, the separators of lines and paragraphs, and what changes the direction of the text around it. */
// eslint-disable-next-line no-control-regex -- naming the control characters is the point
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** The text with an escape instead of each character that a terminal would obey. It stays on one line. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    if (character === '\t') return String.raw`\t`;
    if (character === '\n') return String.raw`\n`;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** ISO 8601 in UTC. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
