import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const createLocations: MutationResolvers['createLocations'] = async (
  _parent,
  { input },
  { caller, loaders, services },
) => {
  const { map, results } = await services.locations.createLocations(caller, input.mapId, input.locations);
  return { map: remember(loaders, map), results: [...results] };
};
