/** Opens a file that is to be imported, in any of its formats. */

import type { CsvRecord } from '../csv/records.ts';
import type { CsvRow, CsvTable } from '../csv/table.ts';
import { CsvHeaderError, openCsv, withoutLastColumns } from '../csv/table.ts';
import { readOwnTable } from '../columns/own-table.ts';
import type { MapFormat } from '../formats.ts';
import type { MapRecord } from '../../domain/map.ts';
import { addressFieldOf, nameFieldOf } from '../../domain/map.ts';
import { quote } from '../../domain/text.ts';
import { UnreadableFileError } from '../text/damage.ts';
import { readFeatures } from '../json/features.ts';
import type { JsonRecord } from '../json/json-lines.ts';
import { readJsonLines } from '../json/json-lines.ts';
import { readFeature, readLine } from './json-input.ts';
import { createRowReader } from './row-input.ts';
import type { ImportSource, RowOptions } from './source.ts';

export interface CsvSource extends ImportSource<CsvRow> {
  /** The table as it is imported. */
  readonly table: Pick<CsvTable, 'columns' | 'delimiter'>;
}

export interface CsvSourceOptions extends Partial<RowOptions> {
  /** How many of the last columns are left out, such as those that a file of rejected rows has added. */
  readonly ignoredColumns?: (columns: readonly string[], first: CsvRecord | null) => number;
}

/** @throws CsvHeaderError where the file is not text, has no header, or has no column for the map's name or address */
export async function openCsvSource(
  chunks: AsyncIterable<Uint8Array>,
  map: MapRecord,
  { ignoredColumns, isUpsert = false }: CsvSourceOptions = {},
): Promise<CsvSource> {
  const file = await openCsv(chunks);
  const table = withoutLastColumns(file, ignoredColumns?.(file.columns, file.first) ?? 0);
  const close = async () => {
    await table.rows.return();
    // Ending a generator that never began does not end the one beneath it.
    await file.rows.return();
  };
  try {
    assertColumns(map, table.columns, isUpsert);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    table,
    rows: table.rows,
    ...createRowReader(table.columns, map, { isUpsert }),
    contentOf: ({ cells }) => ({ cells }),
    close,
  };
}

function assertColumns({ fields }: MapRecord, columns: readonly string[], isUpsert: boolean): void {
  const own = readOwnTable(columns);
  // A field without a column of its own may be in `more`.
  if (own !== null && own.moreAt !== -1) return;
  const roles = { name: nameFieldOf(fields), address: addressFieldOf(fields) };
  for (const [role, column] of Object.entries(roles)) {
    if (column === undefined || columns.includes(column)) continue;
    throw new CsvHeaderError(
      `The header has no column ${quote(column)}, which is the map's ${role} field; it has ` +
        `${columns.slice(0, 20).map(quote).join(', ')}${columns.length > 20 ? ', …' : ''}.`,
    );
  }
  const isField = columns.includes('externalId') && fields.some(({ name }) => name === 'externalId');
  if (isUpsert && own === null && isField) {
    throw new CsvHeaderError(
      'The map has a field "externalId", so the column of that name is that field. An upsert needs a table as an ' +
        'export writes it, whose column "$externalId" holds the external ids.',
    );
  }
}

/** @throws UnreadableFileError where the file is no FeatureCollection, or no text */
export async function openJsonSource(
  format: Exclude<MapFormat, 'csv'>,
  chunks: AsyncIterable<Uint8Array>,
  { isUpsert }: RowOptions,
): Promise<ImportSource<JsonRecord>> {
  const records = format === 'geojson' ? readFeatures(chunks) : readJsonLines(chunks);
  // What cannot be read at all shows before anything is begun.
  const first = await records.next().catch((error: unknown) => error as Error);
  if (first instanceof UnreadableFileError) throw first;
  return {
    rows: startingWith(first, records),
    // Features and exported lines have their points.
    isPlaced: () => true,
    readRow: (row, id) => (format === 'geojson' ? readFeature(row, id, { isUpsert }) : readLine(row, id)),
    contentOf: ({ text }) => ({ text }),
    close: async () => {
      await records.return();
    },
  };
}

async function* startingWith(
  first: IteratorResult<JsonRecord, void> | Error,
  rest: AsyncGenerator<JsonRecord, void>,
): AsyncGenerator<JsonRecord, void, undefined> {
  if (first instanceof Error) throw first;
  if (first.done) return;
  yield first.value;
  yield* rest;
}
