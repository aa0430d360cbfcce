/** Opens a CSV file for an import. */

import type { ByteSource, OpenFile, ReadOptions } from '../reader.ts';
import { countAddedColumns, csvRejections } from '../rejected-rows.ts';
import type { TableRow } from '../table.ts';
import { blankRowsNote, cellsOfRow } from '../table.ts';
import { decodeText } from '../text/decode.ts';
import { delimiterNamed } from './delimiter.ts';
import { openCsv, withoutLastColumns } from './table.ts';

/** @throws UnreadableFileError */
export async function openCsvFile(
  source: ByteSource,
  { fields, encoding = null, delimiter = null }: ReadOptions,
): Promise<OpenFile<TableRow>> {
  const file = await openCsv(decodeText(source.stream(), encoding), {
    delimiter: delimiter === null ? null : delimiterNamed(delimiter),
  });
  const added = countAddedColumns(source.name, file.columns, file.first, fields);
  const table = withoutLastColumns(file, added);
  return {
    columns: table.columns,
    unit: 'line',
    rows: table.rows,
    valuesOf: cellsOfRow,
    contentOf: ({ cells }) => ({ cells }),
    rejections: csvRejections(table, fields),
    notes: () => blankRowsNote(table.countBlankRows()),
    close: async () => {
      await table.rows.return();
      // Returning a generator that never started does not return the one it wraps.
      await file.rows.return();
    },
  };
}
