/** Finding by which properties are there, in a map of more locations than are looked at one by one. */

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
import { expectAnswer, idsOfFound, walkFound, WHOLE } from './search-world.ts';
import type { StorageCase } from './harness.ts';

const COUNT = 1_200;
/** In more shapes than a store asks about one by one. */
const MANY_SHAPES = 600;

/** One of a hundred has no `b`, an empty one or a null, each in a shape of its own or one that others have. */
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

/** One of those without a `b` has a place of its own. */
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

async function expectFound(
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
    expectAnswer(question, idsOfFound(await storage.findLocations(search, WHOLE)), expected);
    const walk = { limit: 500, fromEnd: index % 2 === 0 };
    expectAnswer({ ...question, walk }, idsOfFound(await walkFound(storage, search, walk)), expected);
    expectAnswer({ ...question, counted: true }, await storage.countMatches(search), expected.length);
  }
}

export const SHAPE_CASES: readonly StorageCase[] = [
  {
    name: 'what has a property and what has it not is found among many, alone and in several maps',
    async run({ storage }) {
      const { map, locations } = await seed(storage, propertiesOf);
      await expectFound(storage, [map], locations);
      const like = await seed(storage, propertiesOf, NOW + 1);
      const small = await seedMap(storage, { createdAt: NOW + 2 });
      const [outcome] = await insertAll(storage, small.id, [
        anInsert(small.id, { location: { properties: { c: 1 } } }),
      ]);
      const all = [...locations, ...like.locations, locationOf(outcome)];
      await expectFound(storage, [map, like.map, small], all);
    },
  },
  {
    name: 'what has a property and what has it not is found after changes, deletions and other definitions',
    async run({ storage }) {
      const { map, locations } = await seed(storage, propertiesOf);
      const change = async (index: number, properties: JsonObject) => {
        locations[index] = updatedOf(
          await updateOne(storage, map.id, anUpdate(locations[index]!, { properties })),
        );
      };
      // The only ones of their shapes, one that becomes the only one of a new shape, and one without another shape.
      await change(100, { b: 1, c: 1 });
      await change(7, { d: 1 });
      await change(8, { a: 'other', b: 'others' });
      const deleted = [200, 500].map((index) => locations[index]!.id);
      await storage.deleteLocations(map.id, deleted);
      const left = locations.filter(({ id }) => !deleted.includes(id));
      await expectFound(storage, [map], left);
      const fields = ['c', 'nothing', 'a'].map((name) => ({ name, type: 'text' as const }));
      await storage.updateMap(map.id, { fields }, { evenIfDeleted: false });
      await expectFound(storage, [{ ...map, fields }], left);
    },
  },
  {
    name: 'what has a property and what has it not is found in a map where nearly all are unlike',
    async run({ storage }) {
      const { map, locations } = await seed(storage, (index) => ({
        ...propertiesOf(index),
        ...(index >= MANY_SHAPES && { [`own ${index}`]: index }),
      }));
      await expectFound(storage, [map], locations);
      const search = { maps: [map], filter: readFilter(hasNot(`own ${COUNT - 1}`), ''), order: LIST_ORDER };
      expect(await storage.countMatches(search)).toBe(COUNT - 1);
    },
  },
  {
    name: 'what has a property and what has it not is found after a copy',
    async run({ storage }) {
      const { map, locations } = await seed(storage, propertiesOf);
      const items = await collect(storage.dump(0));
      await storage.removeAll([]);
      for (const filter of [has('a'), hasNot('b')]) {
        expect(await storage.countMatches({ maps: [map], filter: readFilter(filter, '') })).toBe(0);
      }
      await storage.load(items);
      await expectFound(storage, [map], locations);
    },
  },
];
