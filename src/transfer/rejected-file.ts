/** Collects rejected rows as the content of a file, for callers without a file to append to. */

import type { RejectedFormat, RejectedRow, RejectedTable } from './rejected-rows.ts';

export interface RejectedContent {
  /** Without a dot. */
  readonly extension: string;
  readonly pieces: readonly (string | Uint8Array<ArrayBuffer>)[];
}

export interface RejectedFile {
  readonly add: (row: RejectedRow) => void;
  /** The file with the rows added so far. */
  readonly content: () => Promise<RejectedContent>;
}

/** A workbook for rows of a workbook, else the text that the command line writes. */
export function rejectedFile(format: RejectedFormat): RejectedFile {
  const { head, separator, tail, write, extension, workbook } = format;
  const rows: RejectedRow[] = [];
  const text = (): RejectedContent => {
    const pieces = rows.map((row, index) => (index === 0 ? head : separator) + write(row));
    return { extension, pieces: [...(pieces.length === 0 ? [head] : pieces), tail] };
  };
  return {
    add: (row) => void rows.push(row),
    content: async () => (workbook === undefined ? text() : ((await workbookOf(workbook, rows)) ?? text())),
  };
}

/** Null if a row does not fit in a sheet. */
async function workbookOf(
  { columns, cellsOf }: RejectedTable,
  rows: readonly RejectedRow[],
): Promise<RejectedContent | null> {
  const { writeWorkbook } = await import('./xlsx/write-workbook.ts');
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  try {
    for await (const piece of writeWorkbook(columns, rows.map(cellsOf))) pieces.push(new Uint8Array(piece));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  return { extension: 'xlsx', pieces };
}
