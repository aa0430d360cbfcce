import { toTriedResult, toUpsertResult } from '../../bulk-results.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const upsertLocations: MutationResolvers['upsertLocations'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => {
  const { mapId, locations, dryRun } = input;
  if (dryRun === true) {
    const tried = await services.locations.tryLocations(scope, mapId, locations, true);
    return { map: remember(loaders, tried.map), results: tried.results.map(toTriedResult) };
  }
  const { map, results } = await services.locations.upsertLocations(scope, mapId, locations);
  loaders.locations.clearAll();
  return { map: remember(loaders, map), results: results.map(toUpsertResult) };
};
