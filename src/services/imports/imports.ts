/** Imports: the rows of a table become locations of a map, in batches, in the order of the file. */

import type { MapRecord } from '../../domain/map.ts';
import { addressFieldOf, nameFieldOf } from '../../domain/map.ts';
import { quote } from '../../domain/text.ts';
import type { ErrorCode } from '../../errors.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { CsvRow, CsvTable } from '../../csv/table.ts';
import { CsvDamage, CsvHeaderError, openCsv, withoutLastColumns } from '../../csv/table.ts';
import { hasCoordinateColumns, toLocationInput } from './coordinates.ts';
import { settle } from '../expected.ts';
import type { ImportCheckpoint, ImportRun } from './runs.ts';
import { ImportUnderWayError } from './runs.ts';
import type { LocationInput, LocationResult } from '../locations.ts';
import type { Services } from '../services.ts';

export interface RejectedRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly code: ErrorCode;
  readonly reason: string;
}

/** Counted in this run alone, not in one that it resumes. */
export interface ImportProgress {
  readonly stored: number;
  readonly rejected: number;
  /** Bytes of the file that are done with. */
  readonly bytes: number;
}

export interface ImportOptions {
  /**
   * Rows stored at a time, {@link IMPORT_BATCH_SIZE} by default and at most; and at most what one `createLocations`
   * takes.
   */
  readonly batchSize?: number;
  /** What makes the import one that can be resumed; asked for once the header is found good. */
  readonly openRun?: () => Promise<ImportRun>;
  /** What the run keeps beside its position; asked for after each batch, when its rejected rows have been told of. */
  readonly noteOf?: () => Promise<string | null>;
  /** Told before the first row, with the columns of the file, what stands between them, and the run. */
  readonly onTable?: (
    table: Pick<CsvTable, 'columns' | 'delimiter'>,
    run: ImportRun | null,
  ) => void | Promise<void>;
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
/**
 * Rows that an interrupted run may have stored without having said so: where a batch ends is said together with the
 * next one, so that the two share a commit.
 */
const ROWS_IN_DOUBT = 2 * IMPORT_BATCH_SIZE;
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
    const run = (await options.openRun?.()) ?? null;
    await options.onTable?.(table, run);
    return await importRows(services, caller, map, table.rows, options, run);
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
  options: ImportOptions = {},
  run: ImportRun | null = null,
): Promise<ImportSummary> {
  const { batchSize = IMPORT_BATCH_SIZE, onProgress, onRejected, noteOf, signal } = options;
  const resumed = run?.resumed ?? null;
  const before = resumed ?? { rows: 0, stored: 0, rejected: 0 };
  const target = { services, caller, map, run };
  let stored = 0;
  let rejected = 0;
  let nextLine = 1;
  /** The last row that an interrupted run may have stored without having said so. */
  let lastInDoubt = resumed === null ? 0 : before.rows + ROWS_IN_DOUBT;
  /** Where the last batch ended; the store is told together with the next one. */
  let reached: ImportCheckpoint | null = null;
  const finish = (end: ImportEnd): ImportSummary => ({ stored, rejected, end });

  const count = ({ line, cells }: CsvRow, result: RowResult): void | Promise<void> => {
    if (result instanceof ServiceError) {
      rejected += 1;
      return onRejected?.({ line, cells, code: result.code, reason: result.message });
    }
    stored += 1;
  };

  const savePosition = async (): Promise<void> => {
    if (reached !== null) await run?.save(reached);
    reached = null;
  };

  const importBatch = async (batch: Batch): Promise<void> => {
    const found = batch.first > lastInDoubt ? NONE : await findStored(target, batch);
    const lastRow = batch.first + batch.rows.length - 1;
    if (found.size > 0) lastInDoubt = lastRow + ROWS_IN_DOUBT;
    const [unsaved, results] = await Promise.all([
      failureOf(savePosition),
      storeRows(target, batch, found).catch((error: unknown) => ({ error })),
    ]);
    if ('error' in results) throw results.error;
    for (const [index, row] of batch.rows.entries()) {
      const told = count(row, results[index] ?? 'stored');
      if (told !== undefined) await told;
    }
    if (unsaved !== null) throw unsaved.error;
    reached = {
      rows: lastRow,
      stored: before.stored + stored,
      rejected: before.rejected + rejected,
      note: (await noteOf?.()) ?? null,
    };
  };

  const stop = async (line: number): Promise<ImportSummary> => {
    const failure = await failureOf(savePosition);
    if (failure === null) return finish({ kind: 'stopped', line });
    return finish({ kind: 'failed', line, lastLine: line, error: failure.error });
  };

  try {
    for await (const batch of inBatches(rows, batchSize, before.rows)) {
      const line = batch.rows[0]?.line ?? 1;
      const lastRow = batch.rows.at(-1);
      if (signal?.aborted) return await stop(line);
      const failure = await failureOf(() => importBatch(batch));
      if (failure !== null) {
        return finish({ kind: 'failed', line, lastLine: lastRow?.line ?? line, error: failure.error });
      }
      nextLine = (lastRow?.line ?? line) + 1;
      onProgress?.({ stored, rejected, bytes: lastRow?.end ?? 0 });
    }
    const failure = await failureOf(async () => run?.finish());
    if (failure === null) return finish({ kind: 'complete' });
    return finish({ kind: 'failed', line: nextLine, lastLine: nextLine, error: failure.error });
  } catch (error) {
    // What has to be heard of is why the file could not be read; a position that is lost costs a second look.
    await failureOf(savePosition);
    if (!(error instanceof CsvDamage)) throw error;
    return finish({ kind: 'damaged', line: error.line, reason: error.reason });
  }
}

interface Batch {
  /** The number of its first row in the file, from 1. */
  readonly first: number;
  readonly rows: readonly CsvRow[];
}

/** Damage comes after the rows before it, also where they do not fill a batch. */
async function* inBatches(
  rows: AsyncIterable<CsvRow>,
  size: number,
  skipped: number,
): AsyncGenerator<Batch, void, undefined> {
  let batch: CsvRow[] = [];
  let damage: CsvDamage | null = null;
  let begin = 0;
  let number = 0;
  try {
    for await (const row of rows) {
      number += 1;
      if (number > skipped) batch.push(row);
      else begin = row.end;
      if (batch.length === 0 || (batch.length < size && row.end - begin < BATCH_BYTES)) continue;
      yield { first: number - batch.length + 1, rows: batch };
      batch = [];
      begin = row.end;
    }
  } catch (error) {
    if (!(error instanceof CsvDamage)) throw error;
    damage = error;
  }
  if (batch.length > 0) yield { first: number - batch.length + 1, rows: batch };
  if (damage !== null) throw damage;
}

interface Target {
  readonly services: Services;
  readonly caller: Caller;
  readonly map: MapRecord;
  readonly run: ImportRun | null;
}

/** What became of a row: an earlier run may have stored it. */
type RowResult = LocationResult | 'stored';

const NONE: ReadonlySet<string> = new Set();

function idsOf({ first, rows }: Batch, run: ImportRun): string[] {
  return rows.map((_, index) => run.idOf(first + index));
}

/** The ids of a batch's rows that are stored already. */
async function findStored({ run }: Target, batch: Batch): Promise<ReadonlySet<string>> {
  return run === null ? NONE : run.findStored(idsOf(batch, run));
}

/** @returns what became of each row, in their order */
async function storeRows(
  target: Target,
  batch: Batch,
  found: ReadonlySet<string>,
): Promise<readonly RowResult[]> {
  const { services, caller, map, run } = target;
  const hasCoordinates = hasCoordinateColumns(map);
  const ids = run === null ? [] : idsOf(batch, run);
  const inputs = batch.rows.map((row, index) => {
    const id = ids[index];
    return id !== undefined && found.has(id) ? 'stored' : readInput(row, hasCoordinates, id);
  });
  const good = inputs.filter(isInput);
  const results =
    good.length === 0 ? [] : await create(() => services.locations.createLocations({ caller }, map.id, good));
  let next = 0;
  return inputs.map((input) => {
    if (!isInput(input)) return input;
    const result = results[next++];
    if (result === undefined) throw new Error('Fewer results than rows came back.');
    return result;
  });

  /** Ids that are taken by now were taken by another process: they are this run's own. */
  async function create(work: () => Promise<{ results: readonly LocationResult[] }>) {
    try {
      return (await work()).results;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      if ((await findStored(target, batch)).size > found.size) throw new ImportUnderWayError();
      throw error;
    }
  }
}

function isInput(input: LocationInput | ServiceError | 'stored'): input is LocationInput {
  return input !== 'stored' && !(input instanceof ServiceError);
}

function readInput(row: CsvRow, hasCoordinates: boolean, id?: string): LocationInput | ServiceError {
  if (row.fields === null) return badUserInput(row.problem);
  const { fields } = row;
  return settle(() => {
    const input = toLocationInput(fields, hasCoordinates);
    return { id, fields: input.fields, position: input.position };
  });
}

/** What the work threw; null where it did not. */
async function failureOf(work: () => Promise<void>): Promise<{ readonly error: unknown } | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return { error };
  }
}
