/** Writes what `openCsv` reads back as the same cells. */

import { stringify } from 'csv-stringify/sync';

import type { Delimiter } from './records.ts';

/**
 * One record with its line end. Cells are data: one like `=1+1` stays as it is.
 *
 * @param delimiter what stands between cells
 */
export function formatRecord(cells: readonly string[], delimiter: Delimiter): string {
  return stringify([cells], {
    delimiter,
    // At the start of a file, this character would be taken for a byte order mark.
    quoted_match: /^\ufeff/,
    // Without a quote it would be an empty line, and readers skip empty lines.
    quoted_empty: cells.length === 1,
  });
}
