/** How the locations of a batch are written: as new ones, by their external ids, or not at all. */

import { createHash } from 'node:crypto';

import { ServiceError } from '../../errors.ts';
import { externalIdTaken } from '../create-locations.ts';
import type { LocationInput, LocationService } from '../locations.ts';
import type { ReviewResult } from '../review-locations.ts';
import type { Scope } from '../scope.ts';
import type { RowOptions } from './source.ts';
import type { WriteLocations } from './store-batch.ts';

export function creating(locations: LocationService, scope: Scope, mapId: string): WriteLocations {
  return async (inputs) => {
    const { results } = await locations.createLocations(scope, mapId, inputs);
    return results.map((result): ReviewResult => (result instanceof ServiceError ? result : 'created'));
  };
}

/** One without an external id is created. Of several with the same one, each changes what the one before it has made. */
export function upserting(locations: LocationService, scope: Scope, mapId: string): WriteLocations {
  const create = creating(locations, scope, mapId);
  return async (inputs) => {
    const results: ReviewResult[] = [];
    for (const run of runsOf(inputs))
      results.push(...(await (run.isUpsert ? upsert(run.inputs) : create(run.inputs))));
    return results;
  };

  async function upsert(inputs: readonly LocationInput[]): ReturnType<WriteLocations> {
    const { results } = await locations.upsertLocations(
      scope,
      mapId,
      inputs.map(({ externalId, fields, order, isOrderKept, position }) => ({
        externalId: externalId ?? '',
        fields,
        order,
        isOrderKept,
        // Null would have the address geocoded anew.
        position: position ?? undefined,
      })),
    );
    return results.map((result) => {
      if (!(result instanceof ServiceError)) return result.outcome;
      // No mistake of the row: the import ends here, and goes on from here.
      if (result.code === 'STORAGE_UNAVAILABLE') throw result;
      return result;
    });
  }
}

interface Run {
  readonly isUpsert: boolean;
  readonly inputs: LocationInput[];
}

/** In the order of the file; one call may hold an external id once. */
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

/** Stores nothing. It remembers every external id of the file: an earlier row would have stored it. */
export function reviewing(
  locations: LocationService,
  scope: Scope,
  mapId: string,
  { isUpsert }: RowOptions,
): WriteLocations {
  const digests = new Map<string, string>();
  const judge = (input: LocationInput, result: ReviewResult): ReviewResult => {
    const { externalId = null } = input;
    if (externalId === null || result instanceof ServiceError) return result;
    const earlier = digests.get(externalId);
    if (earlier !== undefined && !isUpsert) return externalIdTaken();
    const digest = digestOf(input);
    digests.set(externalId, digest);
    if (earlier === undefined) return result;
    return earlier === digest ? 'unchanged' : 'updated';
  };
  return async (inputs) => {
    const results = await locations.reviewLocations(scope, mapId, inputs, isUpsert);
    return inputs.map((input, index) => {
      const result = results[index];
      if (result === undefined) throw new Error('Fewer results than inputs came back.');
      return judge(input, result);
    });
  };
}

function digestOf({ fields, order, position }: LocationInput): string {
  return createHash('sha1')
    .update(JSON.stringify([fields, order, position]))
    .digest('base64');
}
