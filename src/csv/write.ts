/** Writes what `openCsv` reads back as the same cells. */

import { stringify } from 'csv-stringify/sync';

import type { Delimiter } from './records.ts';

/** At the start of a file, this character would be taken for a byte order mark. */
const MARKED = /^\ufeff/;

/**
 * One record with its line end. Cells are data: one like `=1+1` stays as it is.
 *
 * @param delimiter what stands between cells
 */
export function formatRecord(cells: readonly string[], delimiter: Delimiter): string {
  return stringify([cells], {
    delimiter,
    quoted_match: MARKED,
    // Without a quote it would be an empty line, and readers skip empty lines.
    quoted_empty: cells.length === 1,
  });
}

/** Several records of more than one cell, with commas between the cells and a line end after each record. */
export function formatRecords(records: readonly (readonly string[])[], lineEnd: '\n' | '\r\n'): string {
  return stringify([...records], { record_delimiter: lineEnd, quoted_match: MARKED });
}
