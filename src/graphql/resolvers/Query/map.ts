import type { QueryResolvers } from '../../generated/schema.ts';

export const map: QueryResolvers['map'] = (_parent, { id }, { loaders }) => loaders.maps.load(id);
