/** A file that is imported: its rows, and what becomes of each. */

import type { ServiceError } from '../../errors.ts';
import type { LocationInput } from '../../services/locations.ts';

export interface FileRow {
  /** The line of the file that the row begins in, or the number of a Feature; from 1. */
  readonly line: number;
  /** Bytes of the file up to its end. */
  readonly end: number;
}

/** What a row holds, as it stands in the file: the cells of a table, or JSON (null where it is too long). */
export type RowContent = { readonly cells: readonly string[] } | { readonly text: string | null };

export interface ImportSource<Row extends FileRow = FileRow> {
  /** @throws FileDamage, after all rows before the damage were given */
  readonly rows: AsyncGenerator<Row, void, undefined>;
  /** The location's input, or why the row cannot be one. With an id, the location gets that id. */
  readonly readRow: (row: Row, id: string | undefined) => LocationInput | ServiceError;
  /** False where an address is geocoded for the row, as far as shows at a glance. */
  readonly isPlaced: (row: Row) => boolean;
  readonly contentOf: (row: Row) => RowContent;
  readonly close: () => Promise<void>;
}

/** How rows are understood, whatever the format. */
export interface RowOptions {
  /** Whether locations that are there are found by their external ids. */
  readonly isUpsert: boolean;
}
