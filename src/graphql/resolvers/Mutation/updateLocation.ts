import type { MutationResolvers } from '../../generated/schema.ts';
import { listedEdge } from '../../pages/location-page.ts';
import { remember } from '../../loaders.ts';

export const updateLocation: MutationResolvers['updateLocation'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => {
  const { mapId, id, ...patch } = input;
  const { map, location } = await services.locations.updateLocation(scope, mapId, id, patch);
  loaders.locations.clear({ map, id });
  return { location, edge: listedEdge(location), map: remember(loaders, map) };
};
