import { ServiceError } from '../../../errors.ts';
import type { UpsertResult } from '../../../services/upsert-locations.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { remember } from '../../loaders.ts';
import type { UpsertLocationsResultSource } from '../../sources.ts';

export const upsertLocations: MutationResolvers['upsertLocations'] = async (
  _parent,
  { input },
  { loaders, scope, services },
) => {
  const { mapId, locations } = input;
  const { map, results } = await services.locations.upsertLocations(scope, mapId, locations);
  loaders.locations.clearAll();
  return { map: remember(loaders, map), results: results.map(toSource) };
};

function toSource(result: UpsertResult): UpsertLocationsResultSource {
  if (!(result instanceof ServiceError)) return { ...result, error: null };
  return { location: null, outcome: null, error: { code: result.code, message: result.message } };
}
