/** Imports: the rows of a table become locations of a map, in batches, in the order of the file. */

import type { MapRecord } from '../domain/map.ts';
import { addressFieldOf, nameFieldOf } from '../domain/map.ts';
import { quote } from '../domain/text.ts';
import type { ErrorCode } from '../errors.ts';
import { badUserInput, ServiceError } from '../errors.ts';
import type { Caller } from './caller.ts';
import type { CsvRow, CsvTable } from './csv.ts';
import { CsvDamage, CsvHeaderError, openCsv, withoutLastColumns } from './csv.ts';
import { hasCoordinateColumns, toLocationInput } from './csv-position.ts';
import type { LocationInput, LocationResult } from './locations.ts';
import type { Services } from './services.ts';

export interface RejectedRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly code: ErrorCode;
  readonly reason: string;
}

export interface ImportProgress {
  readonly stored: number;
  readonly rejected: number;
  /** Bytes of the file that are done with. */
  readonly bytes: number;
}

export interface ImportOptions {
  /** Rows stored at a time, {@link IMPORT_BATCH_SIZE} by default; at most what one `createLocations` takes. */
  readonly batchSize?: number;
  /** Told before the first row, with the columns of the file and what stands between them. */
  readonly onTable?: (table: Pick<CsvTable, 'columns' | 'delimiter'>) => void | Promise<void>;
  /** Told after each batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Told of each row that was not stored, in the order of the file; waited for. */
  readonly onRejected?: (row: RejectedRow) => void | Promise<void>;
  /** How many of the last columns are left out, such as those that an earlier import added to its rejected rows. */
  readonly ignoredColumns?: (columns: readonly string[]) => number;
  /** Ends the import between two batches. */
  readonly signal?: AbortSignal;
}

/** How an import ended; `line` is the first one that was not imported. */
export type ImportEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'damaged'; readonly line: number; readonly reason: string }
  /** Something that concerns every row; a ServiceError, unless it is a fault of ours. */
  | { readonly kind: 'failed'; readonly line: number; readonly lastLine: number; readonly error: unknown }
  | { readonly kind: 'stopped'; readonly line: number };

export interface ImportSummary {
  readonly stored: number;
  readonly rejected: number;
  readonly end: ImportEnd;
}

/** Large enough that a commit to the disk is shared by many rows, small enough to end soon when asked to. */
export const IMPORT_BATCH_SIZE = 200;
/** Rows may be large: a batch is closed before it holds much more than this, so that memory stays bounded. */
const BATCH_BYTES = 1024 * 1024;

/**
 * Imports a CSV file: its columns are names of fields, and every cell stays the string it is.
 *
 * @param chunks the file's bytes
 * @throws CsvHeaderError where nothing was begun: no text, no header, no column for the map's name or address
 */
export async function importCsv(
  services: Services,
  caller: Caller,
  map: MapRecord,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const whole = await openCsv(chunks);
  const table = withoutLastColumns(whole, options.ignoredColumns?.(whole.columns) ?? 0);
  try {
    assertColumns(map, table.columns);
    await options.onTable?.(table);
    return await importRows(services, caller, map, table.rows, options);
  } finally {
    await table.rows.return();
    // A generator that was never begun does not end the one beneath it.
    await whole.rows.return();
  }
}

function assertColumns(map: MapRecord, columns: readonly string[]): void {
  const roles = { name: nameFieldOf(map.fields), address: addressFieldOf(map.fields) };
  for (const [role, column] of Object.entries(roles)) {
    if (column === undefined || columns.includes(column)) continue;
    throw new CsvHeaderError(
      `The header has no column ${quote(column)}, which is the map's ${role} field; it has ` +
        `${columns.slice(0, 20).map(quote).join(', ')}${columns.length > 20 ? ', …' : ''}.`,
    );
  }
}

/** Stores rows as they come. What concerns one row rejects that row; what concerns all ends the import. */
export async function importRows(
  services: Services,
  caller: Caller,
  map: MapRecord,
  rows: AsyncIterable<CsvRow>,
  { batchSize = IMPORT_BATCH_SIZE, onProgress, onRejected, signal }: ImportOptions = {},
): Promise<ImportSummary> {
  let stored = 0;
  let rejected = 0;
  const finish = (end: ImportEnd): ImportSummary => ({ stored, rejected, end });

  const count = async ({ line, cells }: CsvRow, result: LocationResult | undefined): Promise<void> => {
    if (result instanceof ServiceError) {
      rejected += 1;
      await onRejected?.({ line, cells, code: result.code, reason: result.message });
    } else {
      stored += 1;
    }
  };

  try {
    for await (const batch of inBatches(rows, batchSize)) {
      const line = batch[0]?.line ?? 1;
      if (signal?.aborted) return finish({ kind: 'stopped', line });
      const outcome = await settle(() => storeRows(services, caller, map, batch));
      if ('error' in outcome) {
        return finish({ kind: 'failed', line, lastLine: batch.at(-1)?.line ?? line, error: outcome.error });
      }
      for (const [index, row] of batch.entries()) await count(row, outcome.value[index]);
      onProgress?.({ stored, rejected, bytes: batch.at(-1)?.end ?? 0 });
    }
    return finish({ kind: 'complete' });
  } catch (error) {
    if (!(error instanceof CsvDamage)) throw error;
    return finish({ kind: 'damaged', line: error.line, reason: error.reason });
  }
}

/** Damage comes after the rows before it, also where they do not fill a batch. */
async function* inBatches(
  rows: AsyncIterable<CsvRow>,
  size: number,
): AsyncGenerator<CsvRow[], void, undefined> {
  let batch: CsvRow[] = [];
  let damage: CsvDamage | null = null;
  let begin = 0;
  try {
    for await (const row of rows) {
      batch.push(row);
      if (batch.length < size && row.end - begin < BATCH_BYTES) continue;
      yield batch;
      batch = [];
      begin = row.end;
    }
  } catch (error) {
    if (!(error instanceof CsvDamage)) throw error;
    damage = error;
  }
  if (batch.length > 0) yield batch;
  if (damage !== null) throw damage;
}

/** @returns what became of each row, in their order */
async function storeRows(
  services: Services,
  caller: Caller,
  map: MapRecord,
  batch: readonly CsvRow[],
): Promise<LocationResult[]> {
  const hasCoordinates = hasCoordinateColumns(map);
  const inputs = batch.map((row) => readInput(row, hasCoordinates));
  const good = inputs.filter((input): input is LocationInput => !(input instanceof ServiceError));
  const { results } =
    good.length === 0 ? { results: [] } : await services.locations.createLocations(caller, map.id, good);
  let next = 0;
  return inputs.map((input) => {
    if (input instanceof ServiceError) return input;
    const result = results[next++];
    if (result === undefined) throw new Error('Fewer results than rows came back.');
    return result;
  });
}

function readInput(row: CsvRow, hasCoordinates: boolean): LocationInput | ServiceError {
  if (row.fields === null) return badUserInput(row.problem);
  try {
    return toLocationInput(row.fields, hasCoordinates);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

async function settle<T>(work: () => Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
