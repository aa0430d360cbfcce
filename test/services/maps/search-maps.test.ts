/** A search reads a caller's maps in a single pass. */

import { mapOrder } from '../../../src/domain/filter/map-order.ts';
import { newOwnerId } from '../../../src/domain/ids.ts';
import { operatorFor } from '../../../src/services/operator.ts';
import { CallerGoneError } from '../../../src/services/scope.ts';
import type { MapSearch } from '../../../src/services/maps/search-maps.ts';
import { searchMaps } from '../../../src/services/maps/search-maps.ts';
import type { MapsQuery } from '../../../src/storage/storage.ts';
import { aMap } from '../../contract/storage/fixtures.ts';

const OWNER = { id: newOwnerId(), name: 'someone', createdAt: 0 };
const SCOPE = { caller: operatorFor(OWNER) };
const ALL: MapSearch = {
  matches: null,
  order: mapOrder({ by: 'created', direction: 'desc' }),
  page: { limit: 2, fromEnd: false, after: null, before: null },
};

/** A list of maps, one created each millisecond. */
function listOf(count: number, onCall: () => void = () => {}) {
  const maps = Array.from({ length: count }, (_, createdAt) => aMap(OWNER.id, { createdAt }));
  const queries: MapsQuery[] = [];
  const listMaps = async (query: MapsQuery) => {
    queries.push(query);
    onCall();
    const start = maps.findIndex(({ id }) => id === query.after?.id) + 1;
    return maps.slice(start, start + query.limit);
  };
  return { maps, queries, listMaps, getMaps: async () => [] };
}

describe('a search of maps', () => {
  it('reads each map once for all searches together', async () => {
    for (const count of [0, 1, 999, 1_000, 1_001, 2_500]) {
      const list = listOf(count);
      const published: MapSearch = { ...ALL, matches: ({ isPublished }) => isPublished };
      const [all, some] = await searchMaps(list, SCOPE, [ALL, published]);
      expect(all?.totalCount).toBe(count);
      expect(all?.items).toEqual(list.maps.slice(-2).reverse());
      expect(some?.totalCount).toBe(0);
      expect(list.queries).toHaveLength(Math.floor(count / 1_000) + 1);
      for (const query of list.queries) expect(query).toMatchObject({ ownerId: OWNER.id, mapId: null });
    }
  });

  it('stops when the caller disconnects', async () => {
    const controller = new AbortController();
    const list = listOf(5_000, () => {
      if (list.queries.length === 2) controller.abort(new CallerGoneError());
    });
    const scope = { ...SCOPE, signal: controller.signal };
    await expect(searchMaps(list, scope, [ALL])).rejects.toThrow(CallerGoneError);
    expect(list.queries).toHaveLength(2);
  });
});
