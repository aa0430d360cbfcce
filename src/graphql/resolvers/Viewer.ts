import { decodeMapCursor } from '../../domain/cursor.ts';
import { readPageRequest } from '../../domain/paging.ts';
import { readWithin } from '../connection.ts';
import { sizeOfMaps } from '../sizes.ts';
import type { ViewerResolvers } from '../generated/schema.ts';

export const Viewer: ViewerResolvers = {
  owner: ({ ownerName }) => ownerName,

  maps: async (caller, args, { allowance, loaders, scope, services }) => {
    const request = readPageRequest(args, (cursor, label) => decodeMapCursor(caller.ownerId, cursor, label));
    const page = await readWithin(
      allowance,
      request,
      (asked) => services.maps.listMaps(scope, asked),
      ({ items }) => sizeOfMaps(items),
    );
    for (const map of page.items) loaders.maps.prime(map.id, map);
    return { ...page, request };
  },
};
