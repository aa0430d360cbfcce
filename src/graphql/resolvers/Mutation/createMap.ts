import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const createMap: MutationResolvers['createMap'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => ({
  map: remember(loaders, await services.maps.createMap(scope, input)),
});
