import { ServiceError } from '../../../errors.ts';
import type { LocationResult } from '../../../services/locations.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';
import type { CreateLocationsResultSource } from '../../sources.ts';

export const createLocations: MutationResolvers['createLocations'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => {
  const { mapId, locations } = input;
  const { map, results } = await services.locations.createLocations(scope, mapId, locations);
  return { map: remember(loaders, map), results: results.map(toSource) };
};

function toSource(result: LocationResult): CreateLocationsResultSource {
  if (!(result instanceof ServiceError)) return { location: result, error: null };
  return { location: null, error: { code: result.code, message: result.message } };
}
