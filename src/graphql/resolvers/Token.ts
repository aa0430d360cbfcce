import type { TokenResolvers } from '../generated/schema.ts';

export const Token: TokenResolvers = {
  map: ({ mapId }, _args, { loaders }) => (mapId === null ? null : loaders.maps.load(mapId)),

  isCurrent: ({ id }, _args, { scope }) => id === scope.caller?.tokenId,
};
