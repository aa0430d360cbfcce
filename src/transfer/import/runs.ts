/**
 * Resumes interrupted imports.
 *
 * The store keeps a checkpoint per map and file: the number of processed rows. The checkpoint of a batch is written
 * concurrently with the next batch, so that they share a commit. After a crash, two batches are therefore in doubt: the
 * last may be stored in part, and the one before is stored but not in the checkpoint. Their rows are looked up by id. The
 * id derives from the run and the row number, so that a row is stored once, however often it is tried.
 */

import { derivedLocationId, newHistoryId, newImportId } from '../../domain/ids.ts';
import { OperatorError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { IMPORT_BATCH_SIZE } from './batches.ts';

/** Rows after the checkpoint that an interrupted run may have stored. */
const ROWS_IN_DOUBT = 2 * IMPORT_BATCH_SIZE;

/** The progress of an import, over all its runs. */
export interface ImportCheckpoint {
  /** Processed rows of the file. */
  readonly rows: number;
  readonly stored: number;
  readonly rejected: number;
  /** The caller's note, e.g. the state of its file of rejected rows. */
  readonly note: string | null;
}

/** The checkpoint of an interrupted run. */
export interface ResumedRun extends ImportCheckpoint {
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

export interface ImportRun {
  /** Null if no earlier run was interrupted. */
  readonly resumed: ResumedRun | null;
  /** Its change in the history of the map, over all its runs; undefined for one of its own. */
  readonly historyId?: string;
  /** The location ids of the rows; empty if the store creates them. */
  idsOf(firstRow: number, count: number): readonly string[];
  /** The ids of a batch that an earlier run stored. Queries the store only while rows are in doubt. */
  findStoredBefore(firstRow: number, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The ids that are stored now. */
  findStored(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** @throws ImportUnderWayError if another process is further, has finished, or has restarted the import */
  save(checkpoint: ImportCheckpoint): Promise<void>;
  /** Deletes the checkpoint: importing the file again is a new import. */
  finish(): Promise<void>;
}

/** Another process is importing the same file. Only one of them continues. */
export class ImportUnderWayError extends OperatorError {
  constructor() {
    super(
      'Another import of the same file into this map is running, so this one stops. Nothing was stored twice. ' +
        'Run the command again after the other import ends, to import any remaining rows.',
    );
  }
}

const NONE: ReadonlySet<string> = new Set();

/** For input that can be read only once, such as a pipe. */
export const NOT_RESUMABLE: ImportRun = {
  resumed: null,
  idsOf: () => [],
  findStoredBefore: async () => NONE,
  findStored: async () => NONE,
  save: async () => {},
  finish: async () => {},
};

interface SavedRun extends ResumedRun {
  readonly id: string;
  /** Absent in a run that an earlier release has saved. */
  readonly historyId?: string;
}

export interface ImportRunOptions {
  readonly storage: Storage;
  readonly mapId: string;
  /** Identifies the file's content. */
  readonly checksum: string;
  /** Discards an interrupted run. */
  readonly restart?: boolean;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/** Starts an import of the file into the map, or resumes an interrupted one. */
export async function openImportRun({
  storage,
  mapId,
  checksum,
  restart = false,
  clock = Date.now,
}: ImportRunOptions): Promise<ImportRun> {
  const key = `import ${mapId} ${checksum}`;
  const fresh: SavedRun = {
    id: newImportId(),
    historyId: newHistoryId(clock()),
    savedAt: clock(),
    rows: 0,
    stored: 0,
    rejected: 0,
    note: null,
  };
  if (restart) await storage.setMeta(key, JSON.stringify(fresh));
  // Processes that start at the same time share one run, so that no row is stored twice.
  const isFirst = restart || (await storage.setMetaIfAbsent(key, JSON.stringify(fresh)));
  const run = isFirst ? fresh : (parse(await storage.getMeta(key)) ?? fresh);
  const { historyId = newHistoryId(clock()) } = run;
  let lastInDoubt = isFirst ? 0 : run.rows + ROWS_IN_DOUBT;

  const findStored = async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const found = ids.length === 0 ? [] : await storage.getLocations(mapId, ids);
    return new Set(found.flatMap((location) => (location === null ? [] : [location.id])));
  };

  return {
    resumed: isFirst ? null : run,
    historyId,
    idsOf: (firstRow, count) =>
      Array.from({ length: count }, (_, index) => derivedLocationId(mapId, `${run.id} ${firstRow + index}`)),
    async findStoredBefore(firstRow, ids) {
      if (firstRow > lastInDoubt) return NONE;
      const found = await findStored(ids);
      // Another process may still be storing rows.
      if (found.size > 0) lastInDoubt = firstRow + ids.length - 1 + ROWS_IN_DOUBT;
      return found;
    },
    findStored,
    async save({ rows, stored, rejected, note }) {
      const kept = parse(await storage.getMeta(key));
      // A slower process must neither set back the run nor revive a finished one.
      if (kept?.id !== run.id || kept.rows > rows) throw new ImportUnderWayError();
      const saved: SavedRun = {
        ...{ id: run.id, historyId, savedAt: clock() },
        ...{ rows, stored, rejected, note },
      };
      await storage.setMeta(key, JSON.stringify(saved));
    },
    finish: () => storage.removeMeta(key),
  };
}

function parse(value: string | null): SavedRun | null {
  return value === null ? null : (JSON.parse(value) as SavedRun);
}
