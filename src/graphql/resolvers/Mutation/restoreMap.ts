import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const restoreMap: MutationResolvers['restoreMap'] = async (
  _parent,
  { input },
  { caller, loaders, services },
) => ({
  map: remember(loaders, await services.maps.restoreMap(caller, input.id)),
});
