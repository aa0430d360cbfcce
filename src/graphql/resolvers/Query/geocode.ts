import type { QueryResolvers } from '../../generated/schema.ts';

export const geocode: QueryResolvers['geocode'] = async (
  _parent,
  { mapId, address },
  { scope, services },
) => [...(await services.geocoding.geocode(scope, mapId, address))];
