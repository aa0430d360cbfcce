/** What commands print: results on stdout, everything for a person on stderr. */

export function printResult(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Tells a person something. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** An expected failure: one line that begins with the program's name. */
export function complain(message: string): void {
  say(`map-locations: ${message}`);
}

/** A reader that has gone, as in `map list | head -1`, is no failure: the rest is for nobody. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    });
  }
}

/**
 * Aligned for a person, with tabs between cells for a program; either way a header comes first, and a row is a line.
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

/** Names are free text: a tab or a line end would break the table, an escape sequence would reach the terminal. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- naming the control characters is the point
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (character) =>
    character === '\t'
      ? String.raw`\t`
      : character === '\n'
        ? String.raw`\n`
        : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** ISO 8601 in UTC, or a word where there is none. */
export function formatTime(milliseconds: number | null, none = 'never'): string {
  return milliseconds === null ? none : new Date(milliseconds).toISOString();
}
