import type { Resolvers } from '../generated/schema.ts';

export const tokenResolvers = {
  Mutation: {
    createToken: (_parent, { input }, { scope, services }) => services.ownTokens.createToken(scope, input),

    revokeToken: async (_parent, { input }, { scope, services }) => {
      await services.ownTokens.revokeToken(scope, input.id);
      return { revokedId: input.id };
    },
  },

  Token: {
    map: ({ mapId }, _args, { loaders }) => (mapId === null ? null : loaders.maps.load(mapId)),

    isCurrent: ({ id }, _args, { scope }) => id === scope.caller?.tokenId,
  },
} satisfies Resolvers;
