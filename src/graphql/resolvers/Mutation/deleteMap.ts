import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const deleteMap: MutationResolvers['deleteMap'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => ({
  map: remember(loaders, await services.maps.deleteMap(scope, input.id)),
});
