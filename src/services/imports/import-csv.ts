/** Imports a CSV file: its rows become locations of a map, batch by batch, in the order of the file. */

import { CsvDamage } from '../../csv/records.ts';
import type { CsvRow } from '../../csv/table.ts';
import { CsvHeaderError, openCsv, withoutLastColumns } from '../../csv/table.ts';
import type { MapRecord } from '../../domain/map.ts';
import { addressFieldOf, nameFieldOf } from '../../domain/map.ts';
import { quote } from '../../domain/text.ts';
import { ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { LocationService } from '../locations.ts';
import type { Scope } from '../scope.ts';
import type { Batch } from './batches.ts';
import { IMPORT_BATCH_SIZE, readBatches } from './batches.ts';
import type { ImportEnd, ImportListener, ImportSummary } from './report.ts';
import { createRowReader } from './row-input.ts';
import type { ImportCheckpoint } from './runs.ts';
import { NOT_RESUMABLE, openImportRun } from './runs.ts';
import type { BatchTarget, RowResult } from './store-batch.ts';
import { storeBatch } from './store-batch.ts';

export interface ImportOptions extends ImportListener {
  /**
   * How many locations one `createLocations` takes. A batch has at most that many rows, and at most {@link
   * IMPORT_BATCH_SIZE}.
   */
  readonly maxBatchSize?: number;
  /** Stands for the file's content. Only with it an import that ends early can be resumed. */
  readonly checksum?: string | null;
  /** Starts again from the first row, even when an earlier import of the file ended early. */
  readonly restart?: boolean;
  /** How many of the last columns are left out, such as those that a file of rejected rows has added. */
  readonly ignoredColumns?: (columns: readonly string[]) => number;
  /** Ends the import between two batches. The scope's own signal ends it at once. */
  readonly stop?: AbortSignal;
}

/** Where the rows are stored, and the import's checkpoint is kept. A Gateway is one. */
export interface ImportStore {
  readonly services: { readonly locations: LocationService };
  readonly storage: Storage;
}

/**
 * Imports a CSV file. A mistake in one row rejects that row. A failure that concerns all rows ends the import.
 *
 * @param chunks the file's bytes
 * @throws CsvHeaderError when nothing was begun: the file is not text, has no header, or has no column for the map's
 *   name or address
 */
export async function importCsv(
  { services, storage }: ImportStore,
  scope: Scope,
  map: MapRecord,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const file = await openCsv(chunks);
  const table = withoutLastColumns(file, options.ignoredColumns?.(file.columns) ?? 0);
  try {
    assertColumns(map, table.columns);
    const { checksum = null, restart } = options;
    const run =
      checksum === null ? NOT_RESUMABLE : await openImportRun({ storage, mapId: map.id, checksum, restart });
    await options.onBegin?.(table, run.resumed);
    const { locations } = services;
    const readRow = createRowReader(table.columns, map);
    return await new Import({ locations, scope, map, readRow, run }, options).importAll(table.rows);
  } finally {
    await table.rows.return();
    // Ending a generator that never began does not end the one beneath it.
    await file.rows.return();
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

/** One import under way. */
class Import {
  readonly #target: BatchTarget;
  readonly #options: ImportOptions;
  #stored = 0;
  #rejected = 0;
  /** Where the last batch ended. It is saved together with the next batch. */
  #checkpoint: ImportCheckpoint | null = null;

  constructor(target: BatchTarget, options: ImportOptions) {
    this.#target = target;
    this.#options = options;
  }

  async importAll(rows: AsyncIterable<CsvRow>): Promise<ImportSummary> {
    const end = await this.#importBatches(rows);
    return { stored: this.#stored, rejected: this.#rejected, end };
  }

  async #importBatches(rows: AsyncIterable<CsvRow>): Promise<ImportEnd> {
    const { maxBatchSize = IMPORT_BATCH_SIZE, onProgress, stop } = this.#options;
    const { run } = this.#target;
    const size = Math.min(IMPORT_BATCH_SIZE, maxBatchSize);
    const save = () => this.#saveCheckpoint();
    let nextLine = 1;
    try {
      for await (const batch of readBatches(rows, size, run.resumed?.rows ?? 0)) {
        const line = batch.rows[0]?.line ?? nextLine;
        const last = batch.rows.at(-1);
        const lastLine = last?.line ?? line;
        if (stop?.aborted) return (await failureOf(save, line)) ?? { kind: 'stopped', line };
        const failure = await failureOf(() => this.#importBatch(batch), line, lastLine);
        if (failure !== null) return failure;
        nextLine = lastLine + 1;
        onProgress?.({ stored: this.#stored, rejected: this.#rejected, bytes: last?.end ?? 0 });
      }
      return (await failureOf(() => run.finish(), nextLine)) ?? { kind: 'complete' };
    } catch (error) {
      // The caller must learn why the file cannot be read. Losing a checkpoint only means that some rows are looked up
      // again.
      await failureOf(save, nextLine);
      if (!(error instanceof CsvDamage)) throw error;
      return { kind: 'damaged', line: error.line, reason: error.reason };
    }
  }

  async #importBatch(batch: Batch): Promise<void> {
    const { firstRow, rows } = batch;
    const { run } = this.#target;
    const ids = run.idsOf(firstRow, rows.length);
    const storedBefore = await run.findStoredBefore(firstRow, ids);
    const [saving, storing] = await Promise.allSettled([
      this.#saveCheckpoint(),
      storeBatch(this.#target, batch, ids, storedBefore),
    ]);
    if (storing.status === 'rejected') throw storing.reason;
    for (const [index, row] of rows.entries()) {
      const told = this.#count(row, storing.value[index] ?? 'stored-before');
      // Most rows return no promise, so there is nothing to wait for.
      if (told !== undefined) await told;
    }
    // Thrown only here, after the rows were stored and the rejected ones reported.
    if (saving.status === 'rejected') throw saving.reason;
    const { stored = 0, rejected = 0 } = run.resumed ?? {};
    this.#checkpoint = {
      rows: firstRow + rows.length - 1,
      stored: stored + this.#stored,
      rejected: rejected + this.#rejected,
      note: (await this.#options.checkpointNote?.()) ?? null,
    };
  }

  #count({ line, cells }: CsvRow, result: RowResult): void | Promise<void> {
    if (result instanceof ServiceError) {
      this.#rejected += 1;
      return this.#options.onRejected?.({ line, cells, code: result.code, reason: result.message });
    }
    this.#stored += 1;
  }

  async #saveCheckpoint(): Promise<void> {
    const checkpoint = this.#checkpoint;
    if (checkpoint !== null) await this.#target.run.save(checkpoint);
    this.#checkpoint = null;
  }
}

/** Does the work. Returns how the import ends when it fails; null when it succeeds. */
async function failureOf(
  work: () => Promise<void>,
  line: number,
  lastLine = line,
): Promise<ImportEnd | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return { kind: 'failed', line, lastLine, error };
  }
}
