import type { QueryResolvers } from '../../generated/schema.ts';

export const location: QueryResolvers['location'] = async (_parent, { mapId, id }, { loaders }) =>
  loaders.locations.load({ map: await loaders.maps.load(mapId), id });
