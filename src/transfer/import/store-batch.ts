/** Stores a batch of an import. */

import { ServiceError } from '../../errors.ts';
import type { LocationInput } from '../../services/locations/new-location.ts';
import type { UpsertOutcome } from '../../services/locations/upsert-locations.ts';
import type { Batch } from './batches.ts';
import type { ImportRun } from './runs.ts';
import { ImportUnderWayError } from './runs.ts';

/**
 * Stores the locations in order, or in a dry run reports their outcomes.
 *
 * @throws ServiceError for an error that affects all of them
 */
export type WriteLocations = (
  inputs: readonly LocationInput[],
) => Promise<readonly (UpsertOutcome | ServiceError)[]>;

export interface BatchTarget {
  readonly write: WriteLocations;
  readonly run: ImportRun;
}

/** The outcome of a row. `stored-before`: an earlier run stored it. */
export type RowResult = UpsertOutcome | 'stored-before' | ServiceError;

/**
 * @param ids the ids of the rows, from the run
 * @param storedBefore ids that are already stored
 * @returns the outcome of each row, in order
 * @throws ImportUnderWayError if another process stores rows of the batch concurrently; ServiceError for an error that
 *   affects all rows
 */
export async function storeBatch(
  target: BatchTarget,
  { rows }: Batch,
  ids: readonly string[],
  storedBefore: ReadonlySet<string>,
): Promise<readonly RowResult[]> {
  const inputs = rows.map(({ input }, index): LocationInput | ServiceError | 'stored-before' => {
    const id = ids[index];
    if (id !== undefined && storedBefore.has(id)) return 'stored-before';
    return input instanceof ServiceError ? input : { ...input, id };
  });
  const valid = inputs.filter(isInput);
  const results = valid.length === 0 ? [] : await write(target, valid, ids, storedBefore);
  let next = 0;
  return inputs.map((input) => {
    if (!isInput(input)) return input;
    const result = results[next++];
    if (result === undefined) throw new Error('The store returned fewer results than rows.');
    return result;
  });
}

async function write(
  { write: writeAll, run }: BatchTarget,
  inputs: readonly LocationInput[],
  ids: readonly string[],
  storedBefore: ReadonlySet<string>,
): Promise<readonly (UpsertOutcome | ServiceError)[]> {
  try {
    return await writeAll(inputs);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    // Only this run uses the ids: if more of them are stored now, another process runs the same import.
    if ((await run.findStored(ids)).size > storedBefore.size) throw new ImportUnderWayError();
    throw error;
  }
}

function isInput(input: LocationInput | ServiceError | 'stored-before'): input is LocationInput {
  return input !== 'stored-before' && !(input instanceof ServiceError);
}
