/** Writes the locations of a batch: creates, upserts by external id, or a dry run. */

import { canonicalDigest } from '../../domain/json/canonical-digest.ts';
import type { MapRecord } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import type { LocationBatchService } from '../../services/locations/location-batch-service.ts';
import type { LocationInput } from '../../services/locations/new-location.ts';
import type { ReviewResult } from '../../services/locations/review-locations.ts';
import type { Scope } from '../../services/scope.ts';
import { EarlierRows } from './earlier-rows.ts';
import type { WriteLocations } from './store-batch.ts';

export function createWriter(locations: LocationBatchService, scope: Scope, map: MapRecord): WriteLocations {
  return async (inputs) => {
    const { results } = await locations.createLocations(scope, map.id, inputs);
    return results.map((result): ReviewResult => (result instanceof ServiceError ? result : 'created'));
  };
}

/** Creates locations without an external id. Of several with the same one, each updates the result of the one before. */
export function upsertWriter(locations: LocationBatchService, scope: Scope, map: MapRecord): WriteLocations {
  const create = createWriter(locations, scope, map);
  return async (inputs) => {
    const results: ReviewResult[] = [];
    for (const run of runsOf(inputs))
      results.push(...(await (run.isUpsert ? upsert(run.inputs) : create(run.inputs))));
    return results;
  };

  async function upsert(inputs: readonly LocationInput[]): ReturnType<WriteLocations> {
    const { results } = await locations.upsertLocations(
      scope,
      map.id,
      inputs.map(({ externalId, fields, order, isOrderKept, position }) => ({
        externalId: externalId ?? '',
        fields,
        order,
        isOrderKept,
        // Null would geocode the address again.
        position: position ?? undefined,
      })),
    );
    return results.map((result) => {
      if (!(result instanceof ServiceError)) return result.outcome;
      // Not an error of the row: the import ends, and can be resumed here.
      if (result.code === 'STORAGE_UNAVAILABLE') throw result;
      return result;
    });
  }
}

/** Consecutive inputs for one call. */
interface Run {
  readonly isUpsert: boolean;
  readonly inputs: LocationInput[];
}

/** In file order. A call may contain an external id only once. */
function runsOf(inputs: readonly LocationInput[]): readonly Run[] {
  const runs: Run[] = [];
  let seen = new Set<string>();
  for (const input of inputs) {
    const { externalId = null } = input;
    const isUpsert = externalId !== null;
    let run = runs.at(-1);
    if (run?.isUpsert !== isUpsert || seen.has(externalId ?? '')) {
      run = { isUpsert, inputs: [] };
      runs.push(run);
      seen = new Set();
    }
    run.inputs.push(input);
    if (externalId !== null) seen.add(externalId);
  }
  return runs;
}

/** 72 bits. */
const DIGEST_LENGTH = 12;

/** Returns the outcomes, and stores nothing. */
export function dryRunWriter(
  locations: LocationBatchService,
  scope: Scope,
  map: MapRecord,
  { isUpsert }: { readonly isUpsert: boolean },
): WriteLocations {
  const digestOf = (value: unknown) => canonicalDigest(value).slice(0, DIGEST_LENGTH);
  const earlier = new EarlierRows({ fields: map.fields, isUpsert, digestOf });
  return async (inputs) => {
    const results = await locations.reviewLocations(scope, map.id, inputs, isUpsert);
    return inputs.map((input, index) => {
      const result = results[index];
      if (result === undefined) throw new Error('The review returned fewer results than inputs.');
      return earlier.outcomeOf(input, result);
    });
  };
}
