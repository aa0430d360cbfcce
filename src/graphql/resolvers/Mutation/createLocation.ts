import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const createLocation: MutationResolvers['createLocation'] = async (
  _parent,
  { input },
  { bounds, caller, loaders, services },
) => {
  const { map, location } = await services.locations.createLocation(caller, input.mapId, input, bounds);
  return { location, edge: location, map: remember(loaders, map) };
};
