/** Imports the rows of a file as locations of a map, in batches, in file order. */

import type { MapRecord } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ImportFileOptions, ImportSource } from '../open-import.ts';
import { openImport } from '../open-import.ts';
import type { FileRow } from '../reader.ts';
import { FileDamage } from '../text/damage.ts';
import type { HistoryService } from '../../services/history/history-service.ts';
import type { LocationBatchService } from '../../services/locations/location-batch-service.ts';
import type { Scope } from '../../services/scope.ts';
import type { Batch } from './batches.ts';
import { IMPORT_BATCH_SIZE, readBatches, UPSERT_BATCH_SIZE } from './batches.ts';
import type { ImportEnd, ImportListener, ImportSummary } from './report.ts';
import type { ImportCheckpoint } from './runs.ts';
import { NOT_RESUMABLE, openImportRun } from './runs.ts';
import type { BatchTarget, RowResult } from './store-batch.ts';
import { storeBatch } from './store-batch.ts';
import { createWriter, dryRunWriter, upsertWriter } from './write-locations.ts';

export interface ImportOptions extends ImportListener {
  /** Maximum locations per `createLocations` call; caps {@link IMPORT_BATCH_SIZE}. */
  readonly maxBatchSize?: number;
  /** Identifies the file's content and read options. Without it, the import cannot be resumed. */
  readonly checksum?: string | null;
  /** Starts from the first row, even if an earlier import of the file was interrupted. */
  readonly restart?: boolean;
  /** Updates the locations with the rows' external ids. */
  readonly isUpsert?: boolean;
  /** Reports the outcome of each row, without storing or geocoding. */
  readonly isDryRun?: boolean;
  /** Ends the import between two batches. The scope's signal ends it at once. */
  readonly stop?: AbortSignal;
}

/** Stores the rows and the checkpoint of the import. */
export interface ImportStore {
  readonly services: { readonly locationBatches: LocationBatchService; readonly history: HistoryService };
  readonly storage: Storage;
}

/**
 * Rejects invalid rows. An error that affects all rows ends the import.
 *
 * @param source closed at the end
 */
export async function importRows(
  { services, storage }: ImportStore,
  scope: Scope,
  map: MapRecord,
  source: ImportSource,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  try {
    const { checksum = null, restart, isUpsert = false, isDryRun = false } = options;
    const run =
      checksum === null || isDryRun
        ? NOT_RESUMABLE
        : await openImportRun({ storage, mapId: map.id, checksum, restart });
    await options.onBegin?.(run.resumed);
    const writing = isDryRun ? dryRunWriter : isUpsert ? upsertWriter : createWriter;
    const called = services.history.beginCall(scope, 'import', run.historyId);
    const write = writing(services.locationBatches, called, map, { isUpsert });
    return await new Import(source, { write, run }, options).importAll();
  } finally {
    await source.close();
  }
}

/**
 * Imports a file from a stream.
 *
 * @throws UnreadableFileError before anything is stored
 */
export async function importStream(
  store: ImportStore,
  scope: Scope,
  map: MapRecord,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions & ImportFileOptions & { readonly name?: string } = {},
): Promise<ImportSummary> {
  const { name = '' } = options;
  const file = { name, size: null, stream: () => chunks, read: null };
  return importRows(store, scope, map, await openImport(file, map.fields, options), options);
}

/** A running import. */
class Import {
  readonly #source: ImportSource;
  readonly #target: BatchTarget;
  readonly #options: ImportOptions;
  #stored = 0;
  #rejected = 0;
  /** The end of the last batch, saved together with the next one. */
  #checkpoint: ImportCheckpoint | null = null;

  constructor(source: ImportSource, target: BatchTarget, options: ImportOptions) {
    this.#source = source;
    this.#target = target;
    this.#options = options;
  }

  async importAll(): Promise<ImportSummary> {
    const end = await this.#importBatches();
    return { stored: this.#stored, rejected: this.#rejected, end };
  }

  async #importBatches(): Promise<ImportEnd> {
    const { maxBatchSize = IMPORT_BATCH_SIZE, isUpsert = false, onProgress, stop } = this.#options;
    const { run } = this.#target;
    const size = Math.min(isUpsert ? UPSERT_BATCH_SIZE : IMPORT_BATCH_SIZE, maxBatchSize);
    const save = () => this.#saveCheckpoint();
    let nextLine = 1;
    try {
      for await (const batch of readBatches(this.#source, size, run.resumed?.rows ?? 0)) {
        const line = batch.rows[0]?.row.line ?? nextLine;
        const last = batch.rows.at(-1)?.row;
        const lastLine = last?.line ?? line;
        if (stop?.aborted) return (await failureOf(save, line)) ?? { kind: 'stopped', line };
        const failure = await failureOf(() => this.#importBatch(batch), line, lastLine);
        if (failure !== null) return failure;
        nextLine = lastLine + 1;
        onProgress?.({ stored: this.#stored, rejected: this.#rejected, bytes: last?.end ?? 0 });
      }
      return (await failureOf(() => run.finish(), nextLine)) ?? { kind: 'complete' };
    } catch (error) {
      // A failure to save is ignored in favour of the file's error: it only means that some rows are looked up again.
      await failureOf(save, nextLine);
      if (!(error instanceof FileDamage)) throw error;
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
    for (const [index, { row }] of rows.entries()) {
      const reported = this.#report(row, storing.value[index] ?? 'stored-before');
      // Awaits only promises, because most rows return none.
      if (reported !== undefined) await reported;
    }
    // Thrown last, after the rows are stored and the rejected ones reported.
    if (saving.status === 'rejected') throw saving.reason;
    const { stored = 0, rejected = 0 } = run.resumed ?? {};
    this.#checkpoint = {
      rows: firstRow + rows.length - 1,
      stored: stored + this.#stored,
      rejected: rejected + this.#rejected,
      note: (await this.#options.checkpointNote?.()) ?? null,
    };
  }

  #report(row: FileRow, result: RowResult): void | Promise<void> {
    const { line } = row;
    if (result instanceof ServiceError) {
      this.#rejected += 1;
      const content = this.#source.contentOf(row);
      return this.#options.onRejected?.({ ...content, line, code: result.code, reason: result.message });
    }
    this.#stored += 1;
    return this.#options.onStored?.(line, result);
  }

  async #saveCheckpoint(): Promise<void> {
    const checkpoint = this.#checkpoint;
    if (checkpoint !== null) await this.#target.run.save(checkpoint);
    this.#checkpoint = null;
  }
}

/** @returns the end of the import if the work fails; null if it succeeds */
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
