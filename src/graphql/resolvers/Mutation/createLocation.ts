import type { MutationResolvers } from '../../generated/schema.ts';
import { listedEdge } from '../../pages/location-page.ts';
import { remember } from '../../loaders.ts';

export const createLocation: MutationResolvers['createLocation'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => {
  const { map, location } = await services.locations.createLocation(scope, input.mapId, input);
  return { location, edge: listedEdge(location), map: remember(loaders, map) };
};
