import { ServiceError } from '../../../errors.ts';
import type { LocationResult } from '../../../services/locations.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';

export const createLocations: MutationResolvers['createLocations'] = async (
  _parent,
  { input },
  { caller, loaders, services },
) => {
  const { map, results } = await services.locations.createLocations(caller, input.mapId, input.locations);
  return { map: remember(loaders, map), results: results.map(toValue) };
};

/** graphql-js takes an Error among a list's items for a failure of the whole list, so an item's own goes in as data. */
function toValue(result: LocationResult): LocationResult {
  if (!(result instanceof ServiceError)) return result;
  const { name, code, message, extensions, retryAfterSeconds } = result;
  return { name, code, message, extensions, retryAfterSeconds };
}
