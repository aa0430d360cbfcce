import type { ViewerResolvers } from '../generated/schema.ts';
import { readPageRequest } from '../../domain/paging/paging.ts';
import { findInMaps } from '../pages/search-results.ts';
import { readMapPage } from '../pages/map-page.ts';

export const Viewer: ViewerResolvers = {
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

  locations: (caller, args, context) => findInMaps(caller, args, context),
};
