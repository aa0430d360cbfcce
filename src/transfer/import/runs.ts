/**
 * Makes it possible to resume an interrupted import.
 *
 * The store keeps a checkpoint for each map and file: how many rows are done. The checkpoint of a batch is written
 * together with the next batch, so that the two share a commit. So two batches are in doubt after a crash: the last one
 * may be stored in whole or in part, and the one before it is stored but not in the checkpoint. Their rows are looked
 * up by id. A row's id is made from the run and the row's number, so a row is stored once, however often it is tried.
 */

import { derivedLocationId, newImportId } from '../../domain/ids.ts';
import { OperatorError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { IMPORT_BATCH_SIZE } from './batches.ts';

/** Rows after a checkpoint that an interrupted run may have stored. */
const ROWS_IN_DOUBT = 2 * IMPORT_BATCH_SIZE;

/** How far an import has come, in all its runs together. */
export interface ImportCheckpoint {
  /** How many rows of the file are done, counted from the first. */
  readonly rows: number;
  /** How many of them were stored, and how many rejected. */
  readonly stored: number;
  readonly rejected: number;
  /** What the caller gets back when the import is resumed, such as the state of a file of its own. */
  readonly note: string | null;
}

/** The checkpoint that an earlier run left. */
export interface ResumedRun extends ImportCheckpoint {
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

export interface ImportRun {
  /** Null when no earlier run was interrupted. */
  readonly resumed: ResumedRun | null;
  /** The ids of the locations that these rows become, in their order. Empty when new ids are to be made. */
  idsOf(firstRow: number, count: number): readonly string[];
  /** Those of a batch's ids that an earlier run has stored. The store is asked only while rows are in doubt. */
  findStoredBefore(firstRow: number, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those of the ids that are stored now. */
  findStored(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** @throws ImportUnderWayError when another process is further, has finished, or has started again */
  save(checkpoint: ImportCheckpoint): Promise<void>;
  /** Forgets the run. Importing the same file again is then a new import. */
  finish(): Promise<void>;
}

/** Another process imports the same file. Only one of the two goes on. */
export class ImportUnderWayError extends OperatorError {
  constructor() {
    super(
      'Another import of the same file into this map is under way; this one ends here. Nothing was stored twice. ' +
        'Run the same command again when the other import has ended: it says whether anything is left.',
    );
  }
}

const NONE: ReadonlySet<string> = new Set();

/** The run of an input that can be read only once, such as a pipe. */
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
}

export interface ImportRunOptions {
  readonly storage: Storage;
  readonly mapId: string;
  /** Stands for the file's content. */
  readonly checksum: string;
  /** Starts again, even when an earlier run was interrupted. */
  readonly restart?: boolean;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/** Begins an import of this file into this map, or resumes the one that was interrupted. */
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
    savedAt: clock(),
    rows: 0,
    stored: 0,
    rejected: 0,
    note: null,
  };
  if (restart) await storage.setMeta(key, JSON.stringify(fresh));
  // Two processes that begin at once share one run, so that no row becomes two locations.
  const isFirst = restart || (await storage.setMetaIfAbsent(key, JSON.stringify(fresh)));
  const run = isFirst ? fresh : (parse(await storage.getMeta(key)) ?? fresh);
  let lastInDoubt = isFirst ? 0 : run.rows + ROWS_IN_DOUBT;

  const findStored = async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const found = ids.length === 0 ? [] : await storage.getLocations(mapId, ids);
    return new Set(found.flatMap((location) => (location === null ? [] : [location.id])));
  };

  return {
    resumed: isFirst ? null : run,
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
      // A slower process must neither set back a run that is further, nor restart one that was finished.
      if (kept?.id !== run.id || kept.rows > rows) throw new ImportUnderWayError();
      const saved: SavedRun = { id: run.id, savedAt: clock(), rows, stored, rejected, note };
      await storage.setMeta(key, JSON.stringify(saved));
    },
    finish: () => storage.removeMeta(key),
  };
}

function parse(value: string | null): SavedRun | null {
  return value === null ? null : (JSON.parse(value) as SavedRun);
}
