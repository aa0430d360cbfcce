import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const updateMap: MutationResolvers['updateMap'] = async (
  _parent,
  { input },
  { caller, loaders, services },
) => ({
  map: remember(loaders, await services.maps.updateMap(caller, input.id, input)),
});
