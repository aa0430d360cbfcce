/** Imports a file: its rows become locations of a map, batch by batch, in the order of the file. */

import type { MapRecord } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ImportFileOptions, ImportSource } from '../open-import.ts';
import { openImport } from '../open-import.ts';
import type { FileRow } from '../reader.ts';
import { FileDamage } from '../text/damage.ts';
import type { LocationService } from '../../services/locations/location-service.ts';
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
  /**
   * How many locations one `createLocations` takes. A batch has at most that many rows, and at most {@link
   * IMPORT_BATCH_SIZE}.
   */
  readonly maxBatchSize?: number;
  /** Stands for the file's content, and how it is read. Only with it an import that ends early can be resumed. */
  readonly checksum?: string | null;
  /** Starts again from the first row, even when an earlier import of the file ended early. */
  readonly restart?: boolean;
  /** Changes the locations that have the rows' external ids. */
  readonly isUpsert?: boolean;
  /** Only says what would become of each row. Nothing is stored, and no address is geocoded. */
  readonly isDryRun?: boolean;
  /** Ends the import between two batches. The scope's own signal ends it at once. */
  readonly stop?: AbortSignal;
}

/** Where the rows are stored, and the import's checkpoint is kept. A Gateway is one. */
export interface ImportStore {
  readonly services: { readonly locations: LocationService };
  readonly storage: Storage;
}

/**
 * Imports the rows of a file. A mistake in one row rejects that row. A failure that concerns all rows ends the import.
 *
 * @param source is closed at the end
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
    const write = writing(services.locations, scope, map, { isUpsert });
    return await new Import(source, { write, run }, options).importAll();
  } finally {
    await source.close();
  }
}

/**
 * Imports a file that is read as a stream.
 *
 * @param chunks the file's bytes
 * @throws UnreadableFileError when nothing was begun
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

/** One import under way. */
class Import {
  readonly #source: ImportSource;
  readonly #target: BatchTarget;
  readonly #options: ImportOptions;
  #stored = 0;
  #rejected = 0;
  /** Where the last batch ended. It is saved together with the next batch. */
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
      // The caller must learn why the file cannot be read. Losing a checkpoint only means that some rows are looked up
      // again.
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

  #count(row: FileRow, result: RowResult): void | Promise<void> {
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
