import { readPageRequest } from '../../domain/paging/paging.ts';
import { requireCaller } from '../../services/caller.ts';
import type { Resolvers } from '../generated/schema.ts';
import { searchMaps } from '../pages/locations.ts';
import { readMapPage } from '../pages/maps.ts';

export const viewerResolvers = {
  Query: {
    viewer: (_parent, _args, { scope }) => requireCaller(scope.caller),
  },

  Viewer: {
    owner: ({ ownerName }) => ownerName,

    token: (_caller, _args, { scope, services }) => services.ownTokens.currentToken(scope),

    tokens: async (_caller, args, { scope, services, budget }) => {
      const { limit, after } = readPageRequest(args, (id) => id);
      budget.reserveRows(limit);
      return [...(await services.ownTokens.listTokens(scope, { limit, after }))];
    },

    maps: async (caller, args, context) => {
      const page = await readMapPage(caller, args, context);
      for (const map of page.items) context.loaders.maps.prime(map.id, map);
      return page;
    },

    locations: (caller, args, context) => searchMaps(caller, args, context),
  },
} satisfies Resolvers;
