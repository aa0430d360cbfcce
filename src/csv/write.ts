/** Writes what `openCsv` reads back as the same cells. */

import { stringify } from 'csv-stringify/sync';

import type { Delimiter } from './records.ts';

/**
 * What has to be quoted beside quotes and delimiters. At the start of a file, U+FEFF would be taken for a byte order mark.
 * A reader takes every one of the line ends for one, whichever is written.
 */
const QUOTED = /^\ufeff|[\r\n]/;

/**
 * One record with its line end. Cells are data: one like `=1+1` stays as it is.
 *
 * @param delimiter what stands between cells
 */
export function formatRecord(cells: readonly string[], delimiter: Delimiter): string {
  return stringify([cells], {
    delimiter,
    quoted_match: QUOTED,
    // Without a quote it would be an empty line, and readers skip empty lines.
    quoted_empty: cells.length === 1,
  });
}

/** Several records of more than one cell, with commas between the cells and a line end after each record. */
export function formatRecords(records: readonly (readonly string[])[], lineEnd: '\n' | '\r\n'): string {
  return stringify([...records], { record_delimiter: lineEnd, quoted_match: QUOTED });
}
