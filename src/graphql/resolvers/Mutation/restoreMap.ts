import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const restoreMap: MutationResolvers['restoreMap'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => ({
  map: remember(loaders, await services.maps.restoreMap(scope, input.id)),
});
