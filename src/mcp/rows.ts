/** Reads the rows of a call as an import reads the records of a file: columns, points and external ids by their names. */

import type { FieldDefinition } from '../domain/map.ts';
import type { ServiceError } from '../errors.ts';
import { badUserInput } from '../errors.ts';
import type { ReportedColumn } from '../transfer/columns/column-report.ts';
import type { ColumnUse } from '../transfer/columns/mapping.ts';
import type { RowInput } from '../transfer/columns/row-mapper.ts';
import { withValidPosition } from '../transfer/columns/valid-position.ts';
import type { Message } from '../transfer/message.ts';
import { openImport } from '../transfer/open-import.ts';
import { FileDamage, UnreadableFileError } from '../transfer/text/damage.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface ReadRows {
  /** One for each row. */
  readonly inputs: readonly (RowInput | ServiceError)[];
  readonly columns: readonly ReportedColumn[];
  /** Sentences about dropped or changed data. */
  readonly notes: readonly string[];
}

/** As in create_locations. A field of the map of that name comes first. */
const EXTERNAL_ID = 'externalId';

/** @throws ServiceError BAD_USER_INPUT if the rows cannot become locations */
export async function readRows(rows: readonly Row[], fields: readonly FieldDefinition[]): Promise<ReadRows> {
  const text = new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const file = { name: 'rows', size: text.length, stream: () => chunksOf(text), read: null };
  const isField = fields.some(({ name }) => name === EXTERNAL_ID);
  const uses = new Map<string, ColumnUse>(isField ? [] : [[EXTERNAL_ID, { kind: 'externalId' }]]);
  try {
    const source = await openImport(file, fields, { format: 'ndjson', uses });
    try {
      const inputs: (RowInput | ServiceError)[] = [];
      for await (const row of source.rows) inputs.push(withValidPosition(source.readRow(row)));
      if (inputs.length !== rows.length) throw badUserInput(NOT_RECORDS);
      const { columns, notes } = source.report();
      return { inputs, columns, notes: notes.filter(isAdvice).map((note) => note.text) };
    } finally {
      await source.close();
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      throw badUserInput(
        error.sentences
          .filter(isAdvice)
          .map((sentence) => sentence.text)
          .join(' '),
      );
    }
    if (error instanceof FileDamage) throw badUserInput(NOT_RECORDS);
    throw error;
  }
}

const NOT_RECORDS = 'rows must be objects of one location each; a FeatureCollection is none.';

/** False for advice about options of the command line. */
function isAdvice({ key }: Message): boolean {
  return key?.startsWith('option') !== true;
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
