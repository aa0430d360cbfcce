import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const deleteLocation: MutationResolvers['deleteLocation'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => {
  const { map, location } = await services.locations.deleteLocation(scope, input.mapId, input.id);
  loaders.locations.clear({ map, id: location.id });
  return { location, deletedId: location.id, map: remember(loaders, map) };
};
