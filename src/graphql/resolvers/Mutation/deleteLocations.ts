import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import { readFilter } from '../../../domain/filter/location-filter.ts';
import { badUserInput } from '../../../errors.ts';
import type { RequestContext } from '../../context.ts';
import type { DeleteLocationsInput, MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const deleteLocations: MutationResolvers['deleteLocations'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => {
  const { map, deletedIds } = await deleteBy(input, scope, services);
  loaders.locations.clearAll();
  return { map: remember(loaders, map), deletedIds: [...deletedIds], deletedCount: deletedIds.length };
};

async function deleteBy(
  input: DeleteLocationsInput,
  scope: RequestContext['scope'],
  { search, locations, refuseWrite }: RequestContext['services'],
) {
  const { mapId } = input;
  let targets: DeleteTarget;
  try {
    targets = readDoomed(input);
  } catch (error) {
    // Who asks, and of which map, comes before what is wrong with it.
    return refuseWrite(scope, 'deleteLocations', mapId, error);
  }
  return 'ids' in targets
    ? locations.deleteLocations(scope, mapId, targets.ids)
    : search.deleteMatches(scope, mapId, targets);
}

type DeleteTarget =
  { readonly ids: readonly string[] } | { readonly filter: LocationFilter; readonly expectedCount: number };

/** @throws ServiceError BAD_USER_INPUT */
function readDoomed({ ids = null, filter = null, expectedCount = null }: DeleteLocationsInput): DeleteTarget {
  if (ids !== null && filter === null) {
    if (expectedCount !== null) throw badUserInput('expectedCount goes with a filter alone.');
    return { ids };
  }
  if (ids !== null || filter === null) throw badUserInput('Give either ids or a filter.');
  if (expectedCount === null) throw badUserInput('expectedCount is required with a filter.');
  return { filter: readFilter(filter, 'filter'), expectedCount };
}
