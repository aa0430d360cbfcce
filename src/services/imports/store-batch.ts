/** Stores one batch of an import. */

import type { MapRecord } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import type { LocationInput, LocationResult, LocationService } from '../locations.ts';
import type { Scope } from '../scope.ts';
import type { Batch } from './batches.ts';
import type { RowReader } from './row-input.ts';
import type { ImportRun } from './runs.ts';
import { ImportUnderWayError } from './runs.ts';

export interface BatchTarget {
  readonly locations: LocationService;
  readonly scope: Scope;
  readonly map: MapRecord;
  readonly readRow: RowReader;
  readonly run: ImportRun;
}

/** The outcome of a row. `stored-before`: an earlier run has stored it. */
export type RowResult = LocationResult | 'stored-before';

/**
 * @param ids of the batch's rows, as the run gives them
 * @param storedBefore those of the ids that need not be stored
 * @returns the outcome of each row, in their order
 * @throws ImportUnderWayError when another process stored rows of the batch meanwhile; ServiceError for what concerns
 *   all rows
 */
export async function storeBatch(
  target: BatchTarget,
  { rows }: Batch,
  ids: readonly string[],
  storedBefore: ReadonlySet<string>,
): Promise<readonly RowResult[]> {
  const inputs = rows.map((row, index) => {
    const id = ids[index];
    return id !== undefined && storedBefore.has(id) ? 'stored-before' : target.readRow(row, id);
  });
  const good = inputs.filter(isInput);
  const results = good.length === 0 ? [] : await createLocations(target, good, ids, storedBefore);
  let next = 0;
  return inputs.map((input) => {
    if (!isInput(input)) return input;
    const result = results[next++];
    if (result === undefined) throw new Error('Fewer results than rows came back.');
    return result;
  });
}

async function createLocations(
  { locations, scope, map, run }: BatchTarget,
  inputs: readonly LocationInput[],
  ids: readonly string[],
  storedBefore: ReadonlySet<string>,
): Promise<readonly LocationResult[]> {
  try {
    return (await locations.createLocations(scope, map.id, inputs)).results;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    // Only this run uses the ids. When more of them are stored now, another process is working on the same run.
    if ((await run.findStored(ids)).size > storedBefore.size) throw new ImportUnderWayError();
    throw error;
  }
}

function isInput(input: LocationInput | ServiceError | 'stored-before'): input is LocationInput {
  return input !== 'stored-before' && !(input instanceof ServiceError);
}
