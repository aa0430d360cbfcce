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

function deleteBy(
  { mapId, ids = null, filter = null, expectedCount = null }: DeleteLocationsInput,
  scope: RequestContext['scope'],
  { finding, locations }: RequestContext['services'],
) {
  if (ids !== null && filter === null) {
    if (expectedCount !== null) throw badUserInput('expectedCount goes with a filter alone.');
    return locations.deleteLocations(scope, mapId, ids);
  }
  if (ids !== null || filter === null) throw badUserInput('Give either ids or a filter.');
  if (expectedCount === null) throw badUserInput('expectedCount is required with a filter.');
  return finding.deleteFound(scope, mapId, { filter: readFilter(filter, 'filter'), expectedCount });
}
