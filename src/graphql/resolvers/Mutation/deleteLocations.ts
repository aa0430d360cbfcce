import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const deleteLocations: MutationResolvers['deleteLocations'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => {
  const { map, deletedIds } = await services.locations.deleteLocations(scope, input.mapId, input.ids);
  loaders.locations.clearAll();
  return { map: remember(loaders, map), deletedIds: [...deletedIds], deletedCount: deletedIds.length };
};
