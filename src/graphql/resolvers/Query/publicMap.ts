import type { QueryResolvers } from '../../generated/schema.ts';

export const publicMap: QueryResolvers['publicMap'] = (_parent, { id }, { loaders }) =>
  loaders.publicMaps.load(id);
