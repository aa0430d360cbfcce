/**
 * What lets an interrupted import go on where it was: the store keeps, for a map and a file, how many rows are done.
 * That is written with the batch after, so that a crash leaves two batches in doubt. Their rows are told apart by their
 * ids, which are made of the run and the row's number: a row is stored once, however often it is tried.
 */

import { derivedLocationId, newImportId } from '../../domain/ids.ts';
import { OperatorError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';

/** How far the runs of an import have come together. */
export interface ImportCheckpoint {
  /** Rows of the file that are done with, from the first one on. */
  readonly rows: number;
  /** Of these. */
  readonly stored: number;
  readonly rejected: number;
  /** What the caller wants to find again, such as the state of a file of its own. */
  readonly note: string | null;
}

export interface ImportRun {
  /** Where an earlier, interrupted run ended; null where this one is the first. */
  readonly resumed: (ImportCheckpoint & { readonly savedAt: number }) | null;
  /** The id of the location that a row becomes, by the row's number in the file. */
  idOf(row: number): string;
  /** Those of the ids that an earlier run has stored. */
  findStored(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** @throws ImportUnderWayError where another process has come further, has finished, or has begun anew */
  save(position: ImportCheckpoint): Promise<void>;
  /** Forgets the run: the same file imported again is a new import. */
  finish(): Promise<void>;
}

/** Another process imports the same file: of the two, one goes on. */
export class ImportUnderWayError extends OperatorError {
  constructor() {
    super(
      'Another import of the same file into this map is under way; this one ends here. ' +
        'Nothing was stored twice; once the other one has ended, the same command says whether anything is left.',
    );
  }
}

interface SavedRun extends ImportCheckpoint {
  readonly id: string;
  readonly savedAt: number;
}

export interface ImportRunOptions {
  readonly storage: Storage;
  readonly mapId: string;
  /** Stands for the file's content. */
  readonly checksum: string;
  /** Begins anew, also where an earlier run was interrupted. */
  readonly restart?: boolean;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/** Begins an import of this file into this map, or takes up the one that was interrupted. */
export async function openImportRun({
  storage,
  mapId,
  checksum,
  restart = false,
  clock = Date.now,
}: ImportRunOptions): Promise<ImportRun> {
  const key = `import ${mapId} ${checksum}`;
  const begin = (): SavedRun => ({
    id: newImportId(),
    savedAt: clock(),
    rows: 0,
    stored: 0,
    rejected: 0,
    note: null,
  });
  const fresh = begin();
  if (restart) await storage.setMeta(key, JSON.stringify(fresh));
  // Of two processes that begin at once, both go on with the same run, so that no row becomes two locations.
  const isFirst = restart || (await storage.setMetaIfAbsent(key, JSON.stringify(fresh)));
  const run = isFirst ? fresh : (parse(await storage.getMeta(key)) ?? fresh);
  return {
    resumed: isFirst ? null : run,
    idOf: (row) => derivedLocationId(mapId, `${run.id} ${row}`),
    async findStored(ids) {
      const found = ids.length === 0 ? [] : await storage.getLocations(mapId, ids);
      return new Set(found.flatMap((location) => (location === null ? [] : [location.id])));
    },
    async save({ rows, stored, rejected, note }) {
      const kept = parse(await storage.getMeta(key));
      // Whoever was overtaken does not set the other one back, nor begin again what that one has finished.
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
