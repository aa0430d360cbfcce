/** What the page shows of a file before it is imported. */

import { ServiceError } from '../../../src/errors.ts';
import type { ReportedColumn } from '../../../src/transfer/columns/column-report.ts';
import type { FormatDescriptor } from '../../../src/transfer/format.ts';
import { formatOf } from '../../../src/transfer/formats.ts';
import type { Message } from '../../../src/transfer/message.ts';
import type { ImportSource } from '../../../src/transfer/open-import.ts';
import type { RowUnit } from '../../../src/transfer/reader.ts';
import { FileDamage } from '../../../src/transfer/text/damage.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import type { Messages, RowWarning } from './row-warnings.ts';
import { RowWarnings } from './row-warnings.ts';

export interface FilePreview {
  readonly label: string;
  readonly readOptions: FormatDescriptor['readOptions'];
  readonly unit: RowUnit;
  readonly encoding: string;
  /** Whether a byte order mark determines the encoding, so that it cannot be chosen. */
  readonly isMarked: boolean;
  readonly sheets: readonly string[];
  readonly sheet: string | null;
  readonly columns: readonly ReportedColumn[];
  readonly notes: readonly Message[];
  /** Where the file is damaged; null if what was read of it is not. */
  readonly damage: Damage | null;
  readonly suggestedAddress: string | null;
  /** Why nothing can be imported with these columns; null if it can. */
  readonly problem: readonly Message[] | null;
  readonly warnings: Messages<RowWarning>;
  /** Number of rows read; all of the file if `isWhole`. */
  readonly rows: number;
  readonly isWhole: boolean;
}

export interface Damage {
  readonly line: number;
  readonly reason: Message;
}

/** Limits of the preview: rows, and bytes of the file. */
const MAX_ROWS = 1_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** Reads the first rows of a file. */
export async function previewOf(
  source: ImportSource,
  fields: readonly FieldDefinition[],
  encoding: Pick<FilePreview, 'encoding' | 'isMarked'>,
): Promise<FilePreview> {
  const sample = await readSample(source, fields);
  const { columns, suggestedAddress, notes } = source.report();
  const { format, unit, sheets, sheet, problem } = source;
  const { label, readOptions } = formatOf(format);
  return {
    ...{ label, readOptions, unit, sheets, sheet, columns, suggestedAddress, notes, problem },
    ...encoding,
    ...sample,
  };
}

async function readSample(source: ImportSource, fields: readonly FieldDefinition[]) {
  const warnings = new RowWarnings(fields);
  let damage: Damage | null = null;
  let rows = 0;
  let isWhole = true;
  try {
    for await (const row of source.rows) {
      rows += 1;
      const input = source.readRow(row);
      if (!(input instanceof ServiceError)) warnings.add(row, input.fields);
      if (rows < MAX_ROWS && row.end < MAX_BYTES) continue;
      isWhole = false;
      break;
    }
  } catch (error) {
    if (!(error instanceof FileDamage)) throw error;
    damage = { line: error.line, reason: error.detail };
  }
  return { warnings: warnings.messages, rows, isWhole, damage };
}
