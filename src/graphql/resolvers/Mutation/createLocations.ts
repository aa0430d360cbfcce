import { toCreateResult, toTriedResult } from '../../bulk-results.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const createLocations: MutationResolvers['createLocations'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => {
  const { mapId, locations, dryRun } = input;
  if (dryRun === true) {
    const tried = await services.locations.tryLocations(scope, mapId, locations, false);
    return { map: remember(loaders, tried.map), results: tried.results.map(toTriedResult) };
  }
  const { map, results } = await services.locations.createLocations(scope, mapId, locations);
  return { map: remember(loaders, map), results: results.map(toCreateResult) };
};
