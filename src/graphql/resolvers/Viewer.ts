import type { ViewerResolvers } from '../generated/schema.ts';
import { findInMaps } from '../found-locations.ts';
import { readMapPage } from '../map-page.ts';

export const Viewer: ViewerResolvers = {
  owner: ({ ownerName }) => ownerName,

  tokens: async (_caller, _args, { scope, services, allowance }) => {
    const tokens = await services.ownTokens.listTokens(scope);
    allowance.takeRows(tokens.length);
    return [...tokens];
  },

  maps: async (caller, args, context) => {
    const page = await readMapPage(caller, args, context);
    for (const map of page.items) context.loaders.maps.prime(map.id, map);
    return page;
  },

  locations: (caller, args, context) => findInMaps(caller, args, context),
};
