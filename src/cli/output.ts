/**
 * Output of commands: results on stdout, everything for people on stderr.
 *
 * Names, cells and paths are free text, and a terminal obeys control characters in it. So all text for people goes through
 * {@link printable}. Results for programs stay exact.
 */

import type { ErrorCode, ServiceError } from '../errors.ts';

/** Codes of failures of a command that are not errors of the service. */
export type CommandCode = 'CANNOT_START' | 'COMMAND_FAILED';

/**
 * With `--json`, stdout is JSON, and each line of stderr is a JSON object: `{"error": {code, message, …}}` or `{"note": text}`.
 * Read from the arguments directly because it applies to messages about invalid arguments too.
 */
export const isJson = optionsOf(process.argv).includes('--json');

function optionsOf(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}

/**
 * Prints the result of a command.
 *
 * @param value printed with `--json`
 * @param text printed without `--json`; by default nothing
 */
export function printResult(value: unknown, text: string | null = null): void {
  if (isJson) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  else if (text !== null) process.stdout.write(`${text}\n`);
}

/** Writes a part of the result. Resolves when stdout takes more; to false when its reader has closed it. */
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

/** Prints a message for people. Each argument becomes one line, whatever it contains. */
export function say(...lines: readonly string[]): void {
  const shown = isJson ? lines.filter((line) => line !== '').map((note) => JSON.stringify({ note })) : lines;
  process.stderr.write(shown.map((line) => `${printable(line)}\n`).join(''));
}

/**
 * Prints a failure. Its first line starts with the program's name.
 *
 * @param code for `--json`: an error code, the extensions of a service error, or a code of the command line
 */
export function complain(
  code: ErrorCode | CommandCode | ServiceError['extensions'],
  message: string,
  ...lines: readonly string[]
): void {
  if (!isJson) return say(`map-locations: ${message}`, ...lines);
  const extensions = typeof code === 'string' ? { code } : code;
  const error = { ...extensions, message: [message, ...lines].join('\n') };
  process.stderr.write(`${printable(JSON.stringify({ error }))}\n`);
}

/**
 * Drops the output when it cannot be written. A closed reader, as in `map list | head -1`, is not a failure; any other error is
 * reported once and sets the exit status.
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
 * A table with a header: aligned for people, or tab-separated for programs. Each row is one line.
 *
 * @param isTerminal whether stdout is a terminal
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

/** C0, DEL, C1, line and paragraph separators, and characters that change the text direction. */
// eslint-disable-next-line no-control-regex -- naming the control characters is the point
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** The text on one line, with escapes for characters that a terminal would obey. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    if (character === '\t') return String.raw`\t`;
    if (character === '\n') return String.raw`\n`;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** `1 map`, `2 maps`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** ISO 8601 in UTC. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
