/** Search by the presence of properties, in a map that is too large for a scan. */

import type { FilterInput } from '../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import type { OrderInput } from '../../../src/domain/filter/location-order.ts';
import { LIST_ORDER, readOrder } from '../../../src/domain/filter/location-order.ts';
import type { JsonObject } from '../../../src/domain/json/json.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { referenceSearch } from '../../domain/filter/reference-search.ts';
import {
  anInsert,
  anUpdate,
  collect,
  idsOf,
  insertAll,
  locationOf,
  NOW,
  seedMap,
  updatedOf,
  updateOne,
} from './fixtures.ts';
import { expectResult, idsOfHits, walkHits, WHOLE } from './search-world.ts';
import type { StorageCase } from './harness.ts';

const COUNT = 1_200;
/** More shapes than a store looks up one by one. */
const MANY_SHAPES = 600;

/** One in a hundred has no `b`, an empty one or a null, in a unique or a shared shape. */
function propertiesOf(index: number): JsonObject {
  switch (index) {
    case 100:
      return { a: 1 };
    case 200:
      return { a: 1, b: '', c: [] };
    case 300:
      return { b: null, a: index };
    case 400:
      return { a: '', b: false };
    case 500:
      return {};
    default:
      return index % 2 === 0 ? { a: index, b: 'x' } : { b: 0, a: 'y' };
  }
}

/** One location without a `b` has a unique position. */
async function seed(
  storage: Storage,
  of: (index: number) => JsonObject,
  createdAt = NOW,
): Promise<{ readonly map: MapRecord; readonly locations: LocationRecord[] }> {
  const map = await seedMap(storage, { createdAt, fields: [{ name: 'b', type: 'text' }] });
  const inserts = Array.from({ length: COUNT }, (_, index) =>
    anInsert(map.id, {
      location: { name: `Place ${index % 10}`, latitude: index === 300 ? 7 : 1, properties: of(index) },
    }),
  );
  const outcomes = await insertAll(storage, map.id, inserts);
  return { map, locations: outcomes.map((outcome) => locationOf(outcome)) };
}

const has = (name: string): FilterInput => ({ property: { name, exists: true } });
const hasNot = (name: string): FilterInput => ({ property: { name, exists: false } });

const FILTERS: readonly FilterInput[] = [
  ...['a', 'b', 'c', 'nothing'].flatMap((name) => [has(name), hasNot(name)]),
  { and: [hasNot('b'), has('a')] },
  { or: [hasNot('a'), has('c'), { search: 'nobody' }] },
  { or: [hasNot('a'), { not: has('b') }] },
  { not: has('b') },
  { ...hasNot('b'), bbox: { south: 6, west: -180, north: 8, east: 180 } },
  { ...has('a'), search: 'place 3' },
];
const ORDERS: readonly OrderInput[] = [{ by: 'list' }, { by: 'list', direction: 'desc' }, { by: 'name' }];

async function expectOracleResults(
  storage: Storage,
  maps: readonly MapRecord[],
  locations: readonly LocationRecord[],
): Promise<void> {
  for (const [index, filter] of FILTERS.entries()) {
    const read = readFilter(filter, 'filter');
    const order = ORDERS[index % ORDERS.length]!;
    const search = { maps, filter: read, order: readOrder(order, read, 'orderBy') };
    const expected = idsOf(referenceSearch(maps, locations, filter, order));
    const question = { filter, order };
    expectResult(question, idsOfHits(await storage.findLocations(search, WHOLE)), expected);
    const walk = { limit: 500, fromEnd: index % 2 === 0 };
    expectResult({ ...question, walk }, idsOfHits(await walkHits(storage, search, walk)), expected);
    expectResult({ ...question, counted: true }, await storage.countMatches(search), expected.length);
  }
}

export const SHAPE_CASES: readonly StorageCase[] = [
  {
    name: 'presence and absence of a property are found among many, in one and in several maps',
    async run({ storage }) {
      const { map, locations } = await seed(storage, propertiesOf);
      await expectOracleResults(storage, [map], locations);
      const like = await seed(storage, propertiesOf, NOW + 1);
      const small = await seedMap(storage, { createdAt: NOW + 2 });
      const [outcome] = await insertAll(storage, small.id, [
        anInsert(small.id, { location: { properties: { c: 1 } } }),
      ]);
      const all = [...locations, ...like.locations, locationOf(outcome)];
      await expectOracleResults(storage, [map, like.map, small], all);
    },
  },
  {
    name: 'presence and absence of a property are found after updates, deletions and new definitions',
    async run({ storage }) {
      const { map, locations } = await seed(storage, propertiesOf);
      const change = async (index: number, properties: JsonObject) => {
        locations[index] = updatedOf(
          await updateOne(storage, map.id, anUpdate(locations[index]!, { properties })),
        );
      };
      // Unique shapes, a change to a new unique shape, and one that keeps its shape.
      await change(100, { b: 1, c: 1 });
      await change(7, { d: 1 });
      await change(8, { a: 'other', b: 'others' });
      const deleted = [200, 500].map((index) => locations[index]!.id);
      await storage.deleteLocations(map.id, deleted);
      const left = locations.filter(({ id }) => !deleted.includes(id));
      await expectOracleResults(storage, [map], left);
      const fields = ['c', 'nothing', 'a'].map((name) => ({ name, type: 'text' as const }));
      await storage.updateMap(map.id, { fields }, { evenIfDeleted: false });
      await expectOracleResults(storage, [{ ...map, fields }], left);
    },
  },
  {
    name: 'presence and absence of a property are found in a map of mostly unique shapes',
    async run({ storage }) {
      const { map, locations } = await seed(storage, (index) => ({
        ...propertiesOf(index),
        ...(index >= MANY_SHAPES && { [`own ${index}`]: index }),
      }));
      await expectOracleResults(storage, [map], locations);
      const search = { maps: [map], filter: readFilter(hasNot(`own ${COUNT - 1}`), ''), order: LIST_ORDER };
      expect(await storage.countMatches(search)).toBe(COUNT - 1);
    },
  },
  {
    name: 'presence and absence of a property are found after a copy',
    async run({ storage }) {
      const { map, locations } = await seed(storage, propertiesOf);
      const items = await collect(storage.dump(0));
      await storage.removeAll([]);
      for (const filter of [has('a'), hasNot('b')]) {
        expect(await storage.countMatches({ maps: [map], filter: readFilter(filter, '') })).toBe(0);
      }
      await storage.load(items);
      await expectOracleResults(storage, [map], locations);
    },
  },
];
