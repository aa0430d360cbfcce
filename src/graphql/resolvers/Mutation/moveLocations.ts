import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const moveLocations: MutationResolvers['moveLocations'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => {
  const { mapId, ids, ...place } = input;
  const { map, locations } = await services.locations.moveLocations(scope, mapId, ids, place);
  // Neighbours may have another order too.
  loaders.locations.clearAll();
  return { map: remember(loaders, map), locations: [...locations] };
};
