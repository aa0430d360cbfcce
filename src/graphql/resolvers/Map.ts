import { decodeLocationCursor } from '../../domain/cursor.ts';
import { readPageRequest } from '../../domain/paging.ts';
import { readWithin } from '../connection.ts';
import type { MapResolvers } from '../generated/schema.ts';

export const Map: MapResolvers = {
  fields: ({ fields }) => [...fields],

  providerMapApiKey: ({ providerMapApiKey }, _args, { caller, services }) =>
    services.maps.revealKey(caller, providerMapApiKey),

  geocodingApiKey: ({ geocodingApiKey }, _args, { caller, services }) =>
    services.maps.revealKey(caller, geocodingApiKey),

  location: (map, { id }, { loaders }) => loaders.locations.load({ map, id }),

  locations: async (map, args, { budget, services }) => {
    services.locations.requireListable(map);
    const request = readPageRequest(args, (cursor, label) => decodeLocationCursor(map.id, cursor, label));
    const page = await readWithin(budget, request, (asked) => services.locations.listLocations(map, asked));
    return { ...page, map, request };
  },
};
