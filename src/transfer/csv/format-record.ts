/** Writes what `openCsv` reads back as the same cells. */

import type { Delimiter } from './delimiter.ts';

/**
 * What has to be quoted. At the start of a file, U+FEFF would be taken for a byte order mark. A reader takes every one of
 * the line ends for one, whichever is written.
 */
const QUOTED: Readonly<Record<Delimiter, RegExp>> = {
  ',': /^\ufeff|[",\r\n]/,
  ';': /^\ufeff|[";\r\n]/,
  '\t': /^\ufeff|["\t\r\n]/,
  '|': /^\ufeff|["|\r\n]/,
};

/**
 * One record with its line end. Cells are data: one like `=1+1` stays as it is.
 *
 * @param delimiter what stands between cells
 */
export function formatRecord(
  cells: readonly string[],
  delimiter: Delimiter,
  lineEnd: '\n' | '\r\n' = '\n',
): string {
  // Without a quote it would be an empty line, and readers skip empty lines.
  if (cells.length === 1 && cells[0] === '') return `""${lineEnd}`;
  const quoted = QUOTED[delimiter];
  const written = cells.map((cell) => (quoted.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return written.join(delimiter) + lineEnd;
}
