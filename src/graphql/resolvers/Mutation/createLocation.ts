import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const createLocation: MutationResolvers['createLocation'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => {
  const { map, location } = await services.locations.createLocation(scope, input.mapId, input);
  return { location, edge: location, map: remember(loaders, map) };
};
