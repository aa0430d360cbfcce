/** Search after each kind of write: by current values, never by former ones. */

import type { FilterInput } from '../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import type { OrderInput } from '../../../src/domain/filter/location-order.ts';
import { readOrder } from '../../../src/domain/filter/location-order.ts';
import type { LocationRecord, NewLocation } from '../../../src/domain/location.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { referenceSearch } from '../../domain/filter/reference-search.ts';
import {
  anInsert,
  anUpdate,
  collect,
  idsOf,
  insertAll,
  listPage,
  locationOf,
  move,
  movedOf,
  seedMap,
  updateAll,
  updatedOf,
  updateOne,
} from './fixtures.ts';
import { expectResult, idsOfHits, plain, WHOLE } from './search-world.ts';
import type { StorageCase } from './harness.ts';

type Contents = Pick<NewLocation, 'name' | 'latitude' | 'longitude' | 'properties' | 'externalId'>;

const OLD: Contents = {
  name: 'Old café',
  properties: { p: 'old', n: '1', d: '2024-01-01', last: 'oak' },
  latitude: 10,
  longitude: 10,
  externalId: 'old',
};
const NEW: Contents = {
  name: 'New house',
  properties: { p: 'new', n: 2, d: '2025-01-01', last: 'elm' },
  latitude: 20,
  longitude: 179.9,
  externalId: 'new',
};

/** More than a page, and enough for a store to use an index. */
const OTHERS = 120;

const around = (latitude: number, longitude: number): FilterInput => ({
  bbox: { south: latitude - 1, west: longitude - 1, north: latitude + 1, east: Math.min(180, longitude + 1) },
});

const QUESTIONS: readonly { readonly filter: FilterInput; readonly order?: OrderInput }[] = [
  ...['old', 'new', 'cafe', 'oak', 'elm', 'other'].map((search) => ({ filter: { search } })),
  ...[{ eq: 'old' }, { eq: 'new' }, { prefix: 'NE' }, { from: 'new', to: 'old' }].map((test) => ({
    filter: { property: { name: 'p', ...test } },
  })),
  ...[{ eq: 1 }, { from: 2 }, { exists: true }].map((test) => ({
    filter: { property: { name: 'n', ...test } },
  })),
  { filter: { property: { name: 'd', from: '2024-12-31' } } },
  { filter: around(OLD.latitude, OLD.longitude) },
  { filter: around(NEW.latitude, NEW.longitude), order: { by: 'list', direction: 'desc' } },
  { filter: { near: { latitude: 10, longitude: 10, radius: 1_000 } } },
  { filter: { externalIds: ['old', 'new'] } },
  { filter: { updatedAt: { from: new Date(2) } } },
  { filter: {} },
  { filter: {}, order: { by: 'list', direction: 'desc' } },
  { filter: {}, order: { by: 'name', direction: 'desc' } },
  { filter: { not: { search: 'nobody' } }, order: { by: 'property', property: 'n' } },
];

/** Expects the oracle's result for every question. */
async function expectOracleResults(storage: Storage, map: MapRecord): Promise<void> {
  const locations = await listPage(storage, map.id);
  for (const [index, question] of QUESTIONS.entries()) {
    const { filter, order = { by: 'list' } } = question;
    const read = readFilter(filter, 'filter');
    const search = { maps: [map], filter: read, order: readOrder(order, read, 'orderBy') };
    const expected = referenceSearch([map], locations, filter, order);
    const found = await storage.findLocations(search, WHOLE);
    expectResult(question, idsOfHits(found), idsOf(expected));
    const isOfAll = expected.length === locations.length;
    if (isOfAll) expectResult(question, plain(found.map(({ location }) => location)), plain(expected));
    // Counts use the same paths.
    if (index % 4 > 0) continue;
    expectResult({ ...question, counted: true }, await storage.countMatches(search), expected.length);
  }
  const newest = readFilter({ search: 'new' }, 'filter');
  expect(await storage.findVersions({ map, filter: newest }, 10)).toEqual(
    referenceSearch([map], locations, { search: 'new' }, { by: 'list' }).map(({ id, version }) => ({
      id,
      version,
    })),
  );
}

interface Seeded {
  readonly storage: Storage;
  readonly map: MapRecord;
  /** Three locations with {@link OLD} among the others, the first with its external id. */
  readonly old: readonly LocationRecord[];
  readonly others: readonly LocationRecord[];
}

async function seed(storage: Storage): Promise<Seeded> {
  const map = await seedMap(storage, {
    fields: [
      { name: 'n', type: 'number' },
      { name: 'd', type: 'date' },
    ],
  });
  const others = Array.from({ length: OTHERS }, (_, index) => ({
    ...OLD,
    name: `Other ${index}`,
    properties: { p: 'other', last: 'ash' },
    latitude: -40 + index / 100,
    longitude: -70,
    externalId: null,
  }));
  const olds = [OLD, { ...OLD, externalId: null }, { ...OLD, externalId: null }];
  const contents = [...others.slice(0, 60), ...olds, ...others.slice(60)];
  const inserts = contents.map((each) => anInsert(map.id, { location: { ...each, createdAt: 1 } }));
  const stored = (await insertAll(storage, map.id, inserts)).map((outcome) => locationOf(outcome));
  const old = stored.filter(({ name }) => name === OLD.name);
  expect(old).toHaveLength(3);
  return { storage, map, old, others: stored.filter(({ name }) => name !== OLD.name) };
}

function changeCase(name: string, run: (seeded: Seeded) => Promise<void>): StorageCase {
  return { name, run: async ({ storage }) => run(await seed(storage)) };
}

export const CHANGE_CASES: readonly StorageCase[] = [
  changeCase('inserted locations are found at once', ({ storage, map }) => expectOracleResults(storage, map)),
  changeCase(
    'updated locations are found by their new values only',
    async ({ storage, map, old: [first, second, third] }) => {
      const change = async (
        location: LocationRecord,
        values: Partial<Contents>,
        order: string | null = null,
      ): Promise<LocationRecord> => {
        const changed = updatedOf(await updateOne(storage, map.id, anUpdate(location, values, order)));
        await expectOracleResults(storage, map);
        return changed;
      };
      const { name, properties, latitude, longitude, externalId } = NEW;
      let location = await change(first!, { name });
      location = await change(location, { properties });
      location = await change(location, { latitude, longitude });
      location = await change(location, { externalId });
      location = await change(location, {}, '1.5');
      await change(location, { ...OLD, properties: {} });
      await updateAll(storage, map.id, [
        anUpdate(second!, { ...NEW }),
        anUpdate(third!, { ...NEW, externalId: null }, 'z'),
      ]);
      await expectOracleResults(storage, map);
    },
  ),
  changeCase(
    'moved locations are found at their new list position',
    async ({ storage, map, old: [first, second, third], others }) => {
      movedOf(await move(storage, map.id, [third!, first!], { kind: 'start' }));
      await expectOracleResults(storage, map);
      movedOf(await move(storage, map.id, [second!], { kind: 'after', id: others.at(-2)!.id }));
      await expectOracleResults(storage, map);
      // Some of several equal orders change.
      const equal = others.slice(0, 4).map((location) => anUpdate(location, {}, '7'));
      const [left, right] = (await updateAll(storage, map.id, equal)).map(updatedOf);
      movedOf(await move(storage, map.id, [first!], { kind: 'before', id: right!.id }));
      await expectOracleResults(storage, map);
      movedOf(await move(storage, map.id, [left!], { kind: 'end' }));
      await expectOracleResults(storage, map);
    },
  ),
  changeCase(
    'deleted locations are not found, however they were deleted',
    async ({ storage, map, old: [first, second, third], others }) => {
      await storage.deleteLocation(map.id, first!.id);
      await expectOracleResults(storage, map);
      await storage.deleteLocations(map.id, idsOf([second!, others[0]!]));
      await expectOracleResults(storage, map);
      await storage.deleteVersions(map.id, [third!, others[1]!]);
      await expectOracleResults(storage, map);
      // The next location may reuse the row of a deleted one.
      await insertAll(storage, map.id, [anInsert(map.id, { location: NEW })]);
      await expectOracleResults(storage, map);
    },
  ),
  changeCase('loaded locations are found and updated like stored ones', async ({ storage, map, old }) => {
    const items = await collect(storage.dump(0));
    await storage.removeAll([]);
    await storage.load(items);
    await expectOracleResults(storage, map);
    await updateOne(storage, map.id, anUpdate(old[0]!, { ...NEW }));
    await storage.deleteLocation(map.id, old[1]!.id);
    await expectOracleResults(storage, map);
  }),
  changeCase('the position of a former hit stays valid', async ({ storage, map, old }) => {
    const read = readFilter({ search: 'old' }, 'filter');
    const search = { maps: [map], filter: read, order: readOrder({ by: 'list' }, read, 'orderBy') };
    const [, middle] = await storage.findLocations(search, WHOLE);
    const sides = async () => {
      const after = await storage.findLocations(search, { ...WHOLE, after: middle!.key });
      const before = await storage.findLocations(search, { ...WHOLE, before: middle!.key, fromEnd: true });
      return [...before, ...after].map(({ location }) => location.id);
    };
    const expected = idsOf([old[0]!, old[2]!]);
    const changed = updatedOf(await updateOne(storage, map.id, anUpdate(old[1]!, { ...NEW })));
    expect(await sides()).toEqual(expected);
    await updateOne(storage, map.id, anUpdate(changed, {}, 'z'));
    expect(await sides()).toEqual(expected);
    await storage.deleteLocation(map.id, changed.id);
    expect(await sides()).toEqual(expected);
  }),
];
