/**
 * What commands print: results on stdout, everything for a person on stderr.
 *
 * Names, cells and paths are free text, and a terminal obeys the control characters in it. So whatever is meant for a
 * person goes through {@link printable}: messages here, and the cells of tables. Results for programs stay exact.
 */

/** A result for a program, exactly as it is. */
export function printResult(text: string): void {
  process.stdout.write(`${text}\n`);
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
  process.stderr.write(lines.map((line) => `${printable(line)}\n`).join(''));
}

/** An expected failure. Its first line begins with the program's name. */
export function complain(message: string, ...lines: readonly string[]): void {
  say(`map-locations: ${message}`, ...lines);
}

/** A reader that has gone, as in `map list | head -1`, is not a failure. The rest of the output is dropped. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
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

/** ISO 8601 in UTC; the word in `none` for null. */
export function formatTime(milliseconds: number | null, none = 'never'): string {
  return milliseconds === null ? none : new Date(milliseconds).toISOString();
}
