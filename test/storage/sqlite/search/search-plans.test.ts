/** The cost of a search: where an index helps, only the locations that it names are read. */

import { rangeOfTile } from '../../../../src/domain/tiles/tile.ts';
import { referenceTile } from '../../../domain/filter/reference-clusters.ts';
import { gridOf } from '../../../../src/domain/clusters.ts';
import type { FilterInput } from '../../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../../src/domain/filter/location-filter.ts';
import type { OrderInput } from '../../../../src/domain/filter/location-order.ts';
import { readOrder } from '../../../../src/domain/filter/location-order.ts';
import { sqliteStorage } from '../../../../src/storage/sqlite/storage.ts';
import { anInsert, insertAll, seedMap } from '../../../contract/storage/fixtures.ts';
import { FIELDS } from './search-arbitraries.ts';
import { plansOf } from '../plans.ts';
import { openConnection } from '../temporary.ts';

const connection = await openConnection(':memory:');
const storage = sqliteStorage(connection);
const map = await seedMap(storage, { fields: FIELDS });
await insertAll(
  storage,
  map.id,
  Array.from({ length: 1_500 }, (_, index) =>
    anInsert(map.id, {
      location: {
        name: `Place ${index}`,
        latitude: (index % 60) / 10,
        longitude: Math.floor(index / 60) / 10,
        properties: {
          Beds: String(index),
          Opened: `20${10 + (index % 90)}-01-01`,
          kind: `kind ${index % 500}`,
          ...(index % 500 !== 7 && { Seats: 1 }),
        },
        externalId: `external-${index}`,
      },
    }),
  ),
);
const page = { limit: 101, fromEnd: false, after: null, before: null };
const box = { south: 1, north: 2, west: 1, east: 1.5 };
const ring = [
  [1, 1],
  [1.5, 1],
  [1, 2],
  [1, 1],
];

/** Each matches a few of the map's locations; the last two match many. */
const narrow: Record<string, FilterInput> = {
  'a box': { bbox: box },
  'a circle': { near: { latitude: 1, longitude: 1, radius: 30_000 } },
  'a polygon': { polygon: { type: 'Polygon', coordinates: [ring] } },
  words: { search: 'place 77' },
  'an equal value': { property: { name: 'kind', eq: 'kind 7' } },
  'a range of numbers': { property: { name: 'Beds', from: 100, to: 110 } },
  'a range of days': { property: { name: 'Opened', from: '2015-01-01', to: '2016-01-01' } },
  'a beginning': { property: { name: 'kind', prefix: 'kind 7' } },
  'external ids': { externalIds: ['external-7', 'external-8'] },
  'a missing property': { property: { name: 'Seats', exists: false } },
  'one of two': { or: [{ bbox: box }, { search: '77' }] },
  'both of two, one of them wide': { bbox: { south: -90, north: 90, west: -180, east: 180 }, search: '77' },
  'many words': { search: 'place', property: { name: 'Beds', from: 0 } },
  'a wide box': { bbox: { south: 0, north: 5, west: 0, east: 2 } },
};
const orders: readonly OrderInput[] = [{ by: 'list' }, { by: 'list', direction: 'desc' }, { by: 'name' }];

async function plansOfSearch(input: FilterInput, order: OrderInput): Promise<readonly string[]> {
  const filter = readFilter(input, 'filter');
  const search = { maps: [map], filter, order: readOrder(order, filter, 'orderBy') };
  const plans = await plansOf(connection, async (store) => {
    expect((await store.findLocations(search, page)).length).toBeGreaterThan(0);
    await store.countMatches(search);
  });
  expect(plans.length).toBeGreaterThan(0);
  return plans;
}

// JSON arrays passed to a statement, and rows of a subquery, are not tables.
const isOfTable = (plan: string) =>
  !/^SCAN \S+ VIRTUAL TABLE INDEX|^SCAN \(subquery|^CO-ROUTINE|^MATERIALIZE/.test(plan);

describe('a search that an index supports', () => {
  for (const [name, filter] of Object.entries(narrow)) {
    it(`scans no table: ${name}`, async () => {
      for (const order of orders) {
        for (const plan of (await plansOfSearch(filter, order)).filter(isOfTable)) {
          expect(plan).not.toMatch(/^SCAN|TEMP B-TREE/);
          if (order.by !== 'list') expect(plan).not.toMatch(/locations_by_sort_key \(map_number=\?\)/);
        }
      }
    });
  }

  it('scans the list only if much of it matches', async () => {
    const walks = async (filter: FilterInput) =>
      (await plansOfSearch(filter, { by: 'list' })).some((plan) =>
        plan.includes('locations_by_sort_key (map_number=?)'),
      );
    expect(await walks(narrow['a box'] ?? {})).toBe(false);
    // Half of the map: more than one read.
    expect(await walks({ bbox: { south: 0, north: 2.75, west: 0, east: 3 } })).toBe(false);
    expect(await walks(narrow['many words'] ?? {})).toBe(true);
  });

  it('reads the word index only as far as needed, without MATCH, if little matches', async () => {
    const plans = await plansOfSearch(narrow['words'] ?? {}, { by: 'name' });
    expect(plans.some((plan) => plan.startsWith('SCAN s VIRTUAL TABLE INDEX'))).toBe(true);
    expect(plans.some((plan) => plan.startsWith('SCAN location_words VIRTUAL'))).toBe(false);
  });
});

describe('a search for an equal value', () => {
  it('uses MATCH for the whole word, and reads nothing word by word', async () => {
    const plans = await plansOfSearch(narrow['an equal value'] ?? {}, { by: 'name' });
    expect(plans.some((plan) => plan.startsWith('SCAN location_words VIRTUAL'))).toBe(true);
    expect(plans.some((plan) => plan.startsWith('SCAN s VIRTUAL TABLE INDEX'))).toBe(false);
  });
});

describe('a search for a missing property', () => {
  const shapesRead = async (filter: FilterInput) =>
    (await plansOfSearch(filter, { by: 'name' })).filter((plan) =>
      plan.startsWith('SEARCH l USING INTEGER PRIMARY KEY'),
    ).length;

  it('reads a location per property presence, for the page and for the count', async () => {
    expect(await shapesRead({ property: { name: 'Seats', exists: false } })).toBe(2 * (2 + 1));
  });

  it('reads none if another condition is narrow', async () => {
    expect(await shapesRead({ property: { name: 'Seats', exists: false }, search: '507' })).toBe(0);
  });
});

describe('a search that no index supports', () => {
  for (const order of orders) {
    it(`reads only its map: by ${order.by} ${order.direction ?? ''}`, async () => {
      const plans = await plansOfSearch({ not: { search: 'nothing' } }, order);
      const ofLocations = plans.filter((plan) => /\blocations\b/.test(plan));
      expect(ofLocations.length).toBeGreaterThan(0);
      for (const plan of ofLocations)
        expect(plan).toMatch(
          /^SEARCH locations USING (INDEX locations_by_sort_key \(map_number=\?|INTEGER PRIMARY KEY \(rowid=\?)/,
        );
      for (const plan of plans.filter(isOfTable)) expect(plan).not.toMatch(/^SCAN|TEMP B-TREE/);
    });
  }
});

describe('clusters', () => {
  for (const zoom of [0, 2, 5, 8, 10, 12, 22]) {
    it(`are computed from the sums or points of the grid only: zoom ${zoom}`, async () => {
      const grid = gridOf({ south: 1, north: 1.2, west: 1, east: 1.2 }, zoom);
      const plans = await plansOf(connection, async (store) => {
        expect(await store.findClusters({ map, filter: null, grid, limit: 2_000 })).not.toEqual([]);
      });
      for (const plan of plans.filter(isOfTable)) expect(plan).not.toMatch(/^SCAN|TEMP B-TREE/);
      const kind = grid.bits > 12 ? /COVERING INDEX locations_by_cell/ : /SEARCH cell_sums USING PRIMARY KEY/;
      expect(plans.some((plan) => kind.test(plan))).toBe(true);
    });
  }
});

describe('columns of locations', () => {
  for (const zoom of [0, 14]) {
    it(`are read in the order of their cells, many only after a count in the index: zoom ${zoom}`, async () => {
      const tile = referenceTile({ latitude: 1.1, longitude: 1.1 }, zoom);
      const query = { mapId: map.id, range: rangeOfTile(tile), fields: ['Name'], maxFieldBytes: 1_000 };
      const read = (limit: number) =>
        plansOf(connection, async (store) => void (await store.readColumns({ ...query, limit })));
      const counted = expect.stringMatching(
        /COVERING INDEX locations_by_cell \(map_number=\? AND cell>\? AND cell<\?\)/,
      );
      const listed = expect.stringMatching(/USING INDEX locations_by_cell \(map_number=\? AND /);
      // The world has more locations than one read, and than the lower limit.
      for (const [limit, expected] of [
        [1_000, zoom === 0 ? [counted] : [counted, listed]],
        [100_000, zoom === 0 ? [listed, counted] : [listed]],
      ] as const) {
        const plans = (await read(limit)).filter(isOfTable);
        for (const plan of plans) expect(plan).not.toMatch(/^SCAN (?!\(subquery)|TEMP B-TREE/);
        expect([...new Set(plans.filter((plan) => /\blocations\b/.test(plan)))]).toEqual(expected);
      }
    });
  }
});
