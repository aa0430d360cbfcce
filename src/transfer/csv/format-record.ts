/** Formats CSV records that `openCsv` reads back as the same cells. */

import type { Delimiter } from './delimiter.ts';

/**
 * Cells to quote. At the start of a file, U+FEFF would be read as a byte order mark. Readers accept any line end, so each
 * of them is quoted.
 */
const QUOTED: Readonly<Record<Delimiter, RegExp>> = {
  ',': /^\ufeff|[",\r\n]/,
  ';': /^\ufeff|[";\r\n]/,
  '\t': /^\ufeff|["\t\r\n]/,
  '|': /^\ufeff|["|\r\n]/,
};

/**
 * One record with its line end. Cells are data: `=1+1` stays as it is.
 */
export function formatRecord(
  cells: readonly string[],
  delimiter: Delimiter,
  lineEnd: '\n' | '\r\n' = '\n',
): string {
  // Without quotes it would be an empty line, which readers skip.
  if (cells.length === 1 && cells[0] === '') return `""${lineEnd}`;
  const quoted = QUOTED[delimiter];
  const written = cells.map((cell) => (quoted.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return written.join(delimiter) + lineEnd;
}
