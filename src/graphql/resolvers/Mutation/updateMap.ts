import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const updateMap: MutationResolvers['updateMap'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => ({
  map: remember(loaders, await services.maps.updateMap(scope, input.id, input)),
});
