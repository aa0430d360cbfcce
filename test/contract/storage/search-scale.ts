/** Search in large and in empty maps. */

import type { FilterInput } from '../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import type { OrderInput } from '../../../src/domain/filter/location-order.ts';
import { LIST_ORDER, readOrder, SEQUENCE_ORDER } from '../../../src/domain/filter/location-order.ts';
import type { JsonValue } from '../../../src/domain/json/json.ts';
import type { LocationGeocoding, LocationRecord } from '../../../src/domain/location.ts';
import type { LocationTemplate } from '../../../src/domain/location-template.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import { Deadline } from '../../../src/storage/deadline.ts';
import type { Storage, StorageScope } from '../../../src/storage/storage.ts';
import { gridOf } from '../../../src/domain/clusters.ts';
import { referenceSearch } from '../../domain/filter/reference-search.ts';
import {
  anInsert,
  anUpdate,
  append,
  expectUnavailable,
  idsOf,
  insertAll,
  locationOf,
  NOW,
  rejectionOf,
  seedMap,
  updateOne,
} from './fixtures.ts';
import { expectResult, idsOfHits, walkHits, WHOLE } from './search-world.ts';
import type { StorageCase } from './harness.ts';

const EVERYTHING = readFilter({}, 'filter');
const ID_TEMPLATE: LocationTemplate = { key: 'id', parts: [{ value: 'id' }] };
const COUNT = 3_000;
const CALL = 500;

/** A grid of points around the origin; one in a hundred is far away with a unique name. */
async function seedMany(
  storage: Storage,
  count = COUNT,
): Promise<{ map: MapRecord; locations: readonly LocationRecord[] }> {
  const map = await seedMap(storage, { fields: [{ name: 'n', type: 'number' }] });
  const locations: LocationRecord[] = [];
  for (let first = 0; first < count; first += CALL) {
    const inserts = Array.from({ length: CALL }, (_, offset) => {
      const index = first + offset;
      const isRare = index % 100 === 99;
      return anInsert(map.id, {
        order: index % 7 === 0 ? String(COUNT - index) : null,
        location: {
          name: isRare ? `Rare ${index}` : `Common ${index % 50}`,
          latitude: isRare ? -60 : (index % 60) / 1_000,
          longitude: isRare ? index / 100 : Math.floor(index / 60) / 1_000,
          properties: { n: index % 2 === 0 ? index : String(index), kind: isRare ? 'rare d’Arc' : 'common' },
          externalId: index % 3 === 0 ? `ours ${index}` : null,
          createdAt: 1_000 + (index % 10),
          geocoding: geocodingOf(index),
        },
      });
    });
    locations.push(...(await insertAll(storage, map.id, inserts)).map((outcome) => locationOf(outcome)));
  }
  return { map, locations };
}

/** Most are unchecked; a few are elsewhere or checked. */
function geocodingOf(index: number): LocationGeocoding {
  return {
    provider: index % 50 === 3 ? 'manual' : 'offline',
    precision: index % 4 === 0 ? 'street' : 'rooftop',
    label: null,
    isAmbiguous: index % 20 === 0,
    isChecked: index % 50 === 3,
  };
}

const ORDERS: readonly OrderInput[] = [
  { by: 'list' },
  { by: 'list', direction: 'desc' },
  { by: 'name', direction: 'desc' },
  { by: 'property', property: 'n' },
];

const MANY_FILTERS: readonly FilterInput[] = [
  {},
  { search: 'common' },
  { search: 'rare' },
  { search: 'darc' },
  { search: "d'a arc" },
  { search: 'nobody' },
  { bbox: { south: -1, west: -1, north: 1, east: 1 } },
  { bbox: { south: 0.01, west: 0.01, north: 0.0105, east: 0.0105 } },
  { near: { latitude: -60, longitude: 20, radius: 200_000 } },
  { property: { name: 'n', from: 10, to: 2_990 } },
  { property: { name: 'n', eq: 1_234 } },
  { property: { name: 'kind', eq: 'common' } },
  { property: { name: 'kind', prefix: 'RA' } },
  { property: { name: 'n', exists: false } },
  { not: { search: 'common' } },
  { or: [{ search: 'rare' }, { property: { name: 'n', to: 3 } }] },
  { or: [{ search: 'rare' }, { createdAt: { to: new Date(1_000) } }] },
  { bbox: { south: -61, west: 170, north: -59, east: 5 } },
  { near: { latitude: -89, longitude: 179, radius: 3_600_000 } },
  { bbox: { south: -1, west: -1, north: 1, east: 1 }, createdAt: { to: new Date(1_004) } },
  {
    or: [
      { property: { name: 'n', to: 1_500 } },
      { near: { latitude: -60, longitude: 20, radius: 200_000 } },
      { externalIds: ['ours 2700'] },
    ],
  },
  { geocoding: { isChecked: false } },
  { geocoding: { isChecked: true } },
  { geocoding: { precision: ['street'], isChecked: false } },
  { geocoding: { precision: ['region'] } },
  { not: { geocoding: { precision: ['rooftop'], isAmbiguous: false } } },
  { or: [{ geocoding: { isAmbiguous: true } }, { geocoding: { provider: ['manual', 'nobody'] } }] },
  { or: [{ geocoding: { isChecked: true } }, { search: 'rare' }] },
  { geocoding: { isAmbiguous: true }, search: 'common' },
  { geocoding: { isAmbiguous: true }, createdAt: { to: new Date(1_004) } },
  { geocoding: { isChecked: false }, bbox: { south: 0.01, west: 0.01, north: 0.02, east: 0.02 } },
  { search: 'common 7', bbox: { south: 0, west: 0, north: 0.03, east: 1 } },
];

const NAMES = [
  ...[
    '',
    ' ',
    '"',
    '\\',
    '\\"',
    "'",
    '$',
    '$.a',
    'a.b',
    '[0]',
    '0',
    '#',
    '%',
    '?',
    'a"b',
    '\n',
    '\u0000',
    '\u007f',
  ],
  ...[
    'é',
    'e\u0301',
    '京都',
    'Name\u0000',
    '\u{1f5fa}',
    '\ud800',
    '\u2028',
    '__proto__',
    'constructor',
    'Name',
    'name',
    'true',
  ],
];
const VALUES: readonly JsonValue[] = ['text', '', 'a "quoted" \\ one', 7, -0.1, 1e21, true, false, null];

/** The slowest cases. */
export const SCALE_CASES: readonly StorageCase[] = [
  {
    name: 'a property of any name is found by value and by existence',
    async run({ storage }) {
      const map = await seedMap(storage);
      const inserts = [...NAMES, 'other'].map((name, index) =>
        anInsert(map.id, {
          location: { properties: { [name]: VALUES[index % VALUES.length]!, other: { [name]: 1 } } },
        }),
      );
      const locations = (await insertAll(storage, map.id, inserts)).map((outcome) => locationOf(outcome));
      for (const [index, name] of NAMES.entries()) {
        const eq = VALUES[index % VALUES.length]!;
        for (const test of [{ eq }, { eq: 'none' }, { exists: true }, { exists: false }]) {
          const input: FilterInput = { property: { name, ...test } };
          const filter = readFilter(input, 'filter');
          const order: OrderInput = index % 2 === 0 ? { by: 'list' } : { by: 'property', property: name };
          const search = { maps: [map], filter, order: readOrder(order, filter, 'orderBy') };
          const expected = idsOf(referenceSearch([map], locations, input, order));
          expectResult(
            { filter: input, order },
            idsOfHits(await storage.findLocations(search, WHOLE)),
            expected,
          );
        }
      }
    },
  },
  {
    name: 'nearly all, few or none of thousands are found, in every order',
    async run({ storage }) {
      const { map, locations } = await seedMany(storage);
      for (const [index, filter] of MANY_FILTERS.entries()) {
        const read = readFilter(filter, 'filter');
        const order = ORDERS[index % ORDERS.length]!;
        const search = { maps: [map], filter: read, order: readOrder(order, read, 'orderBy') };
        const expected = idsOf(referenceSearch([map], locations, filter, order));
        const question = { filter, order };
        expectResult(question, idsOfHits(await storage.findLocations(search, WHOLE)), expected);
        const head = await storage.findLocations(search, { ...WHOLE, limit: 10 });
        expectResult({ ...question, first: 10 }, idsOfHits(head), expected.slice(0, 10));
        const tail = await storage.findLocations(search, { ...WHOLE, limit: 10, fromEnd: true });
        expectResult({ ...question, last: 10 }, idsOfHits(tail), expected.slice(-10));
        const walk = { limit: 700, fromEnd: index % 2 === 0 };
        expectResult({ ...question, walk }, idsOfHits(await walkHits(storage, search, walk)), expected);
        expectResult({ ...question, counted: true }, await storage.countMatches(search), expected.length);
      }
    },
  },
  {
    name: 'nearly all, few or none of thousands are found in order of creation, each once while others move',
    async run({ storage }) {
      const { map, locations } = await seedMany(storage);
      const created = locations.toSorted((a, b) => a.sequence - b.sequence);
      for (const [index, filter] of MANY_FILTERS.entries()) {
        const read = readFilter(filter, 'filter');
        const isDescending = index % 3 === 2;
        const order = { ...SEQUENCE_ORDER, direction: isDescending ? 'desc' : 'asc' } as const;
        const matching = new Set(idsOf(referenceSearch([map], locations, filter, { by: 'list' })));
        const matches = idsOf(created).filter((id) => matching.has(id));
        const expected = isDescending ? matches.toReversed() : matches;
        const question = { filter, order };
        const search = { maps: [map], filter: read, order };
        expectResult(question, idsOfHits(await storage.findLocations(search, WHOLE)), expected);
        const tail = await storage.findLocations(search, { ...WHOLE, limit: 10, fromEnd: true });
        expectResult({ ...question, last: 10 }, idsOfHits(tail), expected.slice(-10));
        const head = await storage.findLocationsJson(search, { ...WHOLE, limit: 10 }, ID_TEMPLATE);
        expectResult({ ...question, first: 10 }, JSON.parse(head.json.text), expected.slice(0, 10));
        const walk = { limit: 400, fromEnd: index % 2 === 0 };
        let moved = 0;
        const seen = await walkHits(storage, search, walk, async () => {
          moved += 1;
          const ids = [created.at(-moved)!.id, created[moved]!.id];
          await storage.moveLocations(
            map.id,
            { ids, position: { kind: moved % 2 === 0 ? 'start' : 'end' } },
            NOW,
          );
        });
        expectResult({ ...question, walk }, idsOfHits(seen), expected);
      }
    },
  },
  {
    name: 'a thousand ids find the existing locations once each',
    async run({ storage }) {
      const { map, locations } = await seedMany(storage);
      const wanted = locations.filter((_, index) => index % 6 === 0);
      const absent = Array.from({ length: 500 }, (_, index) => `nobody ${index}`);
      const listed = (filter: FilterInput) =>
        idsOf(referenceSearch([map], locations, filter, { by: 'list' }));
      for (const filter of [
        { ids: [...idsOf(wanted), ...absent] },
        { externalIds: [...wanted.map(({ externalId }) => externalId ?? ''), ...absent] },
      ]) {
        const search = { maps: [map], filter: readFilter(filter, 'filter'), order: LIST_ORDER };
        expect(listed(filter)).toHaveLength(500);
        expectResult(
          filter,
          idsOfHits(await walkHits(storage, search, { limit: 99, fromEnd: false })),
          listed(filter),
        );
        expect(await storage.countMatches(search)).toBe(500);
      }
    },
  },
];

/** Few or no locations, and aborted searches. */
export const EDGE_CASES: readonly StorageCase[] = [
  {
    name: 'moves and changes leave the order of creation as it is',
    async run({ storage }) {
      const map = await seedMap(storage);
      const created = [];
      for (let index = 0; index < 6; index += 1) created.push(await append(storage, map.id));
      const ids = idsOf(created);
      const move = { ids: [ids[4]!, ids[0]!], position: { kind: 'start' } } as const;
      await storage.moveLocations(map.id, move, NOW);
      await updateOne(storage, map.id, anUpdate(created[2]!, { name: 'Changed' }));
      for (const direction of ['asc', 'desc'] as const) {
        const search = { maps: [map], filter: EVERYTHING, order: { ...SEQUENCE_ORDER, direction } };
        const expected = direction === 'asc' ? ids : ids.toReversed();
        for (const fromEnd of [false, true]) {
          const walk = { limit: 2, fromEnd };
          expectResult({ direction, walk }, idsOfHits(await walkHits(storage, search, walk)), expected);
        }
      }
    },
  },
  {
    name: 'no map, an unknown map and an empty map have no hits',
    async run({ storage }) {
      const empty = await seedMap(storage);
      const full = await seedMap(storage);
      const location = await append(storage, full.id);
      const unknown = { id: 'zzzzzzzzzzzzzzzz', createdAt: 0, fields: [] };
      for (const filter of [
        {},
        { search: 'place' },
        { ids: [location.id] },
        { bbox: { south: -90, west: -180, north: 90, east: 180 } },
      ]) {
        const read = readFilter(filter, 'filter');
        for (const maps of [[], [unknown], [empty], [unknown, empty]]) {
          expectResult(
            filter,
            await storage.findLocations({ maps, filter: read, order: LIST_ORDER }, WHOLE),
            [],
          );
          expectResult(filter, await storage.countMatches({ maps, filter: read }), 0);
        }
        for (const map of [unknown, empty]) {
          expectResult(filter, await storage.findVersions({ map, filter: read }, 10), []);
          const grid = gridOf({ south: -90, west: -180, north: 90, east: 180 }, 0);
          expectResult(filter, await storage.findClusters({ map, filter: read, grid, limit: 10 }), []);
        }
        const maps = [unknown, empty, full];
        expectResult(
          filter,
          idsOfHits(await storage.findLocations({ maps, filter: read, order: LIST_ORDER }, WHOLE)),
          [location.id],
        );
      }
    },
  },
  {
    name: 'found locations are deleted only in the found version',
    async run({ storage }) {
      const map = await seedMap(storage);
      const [a, b, c] = await Promise.all([
        append(storage, map.id),
        append(storage, map.id),
        append(storage, map.id),
      ]);
      const found = await storage.findVersions({ map, filter: EVERYTHING }, 2);
      expect(found).toHaveLength(2);
      const all = await storage.findVersions({ map, filter: EVERYTHING }, 10);
      expect(new Set(idsOf(all))).toEqual(new Set(idsOf([a, b, c])));
      const [first, second, third] = all;
      const items = [third!, { ...second!, version: 2 }, { id: 'nobody', version: 1 }, first!, first!];
      expect(await storage.deleteVersions(map.id, items)).toEqual({
        kind: 'done',
        deletedIds: [third!.id, first!.id],
      });
      expect(await storage.findVersions({ map, filter: EVERYTHING }, 10)).toEqual([second]);
    },
  },
  {
    name: 'a search is aborted when its caller disconnects',
    async run({ storage }) {
      const { map } = await seedMany(storage, 2 * CALL);
      for (const call of callsOf(storage, map)) await rejectionOf(call({ signal: AbortSignal.abort() }));
    },
  },
  {
    name: 'a search is aborted at its timeout with STORAGE_UNAVAILABLE',
    async run({ storage }) {
      const { map } = await seedMany(storage, 2 * CALL);
      for (const call of callsOf(storage, map)) {
        const deadline = new Deadline({ totalMs: 0, storageMs: 60_000, searchMs: 0 });
        await expectUnavailable(call({ deadline }));
      }
    },
  },
  {
    name: 'searches use their own time budget, not that of other calls',
    async run({ storage }) {
      const { map } = await seedMany(storage, 2 * CALL);
      const deadline = new Deadline({ totalMs: 0, storageMs: 0, searchMs: 60_000 });
      for (const call of callsOf(storage, map)) await call({ deadline });
      expect(deadline.storage.leftMs).toBe(0);
      expect(deadline.searches.leftMs).toBeLessThan(60_000);
    },
  },
];

/** A call of each search method that no index supports. */
function callsOf(storage: Storage, map: MapRecord): readonly ((scope: StorageScope) => Promise<unknown>)[] {
  const filter = readFilter({ not: { search: 'nobody' } }, 'filter');
  const grid = gridOf({ south: -90, west: -180, north: 90, east: 180 }, 3);
  return [
    (scope) =>
      storage.findLocations({ maps: [map], filter, order: { by: 'name', direction: 'asc' } }, WHOLE, scope),
    (scope) => storage.countMatches({ maps: [map], filter }, scope),
    (scope) => storage.findVersions({ map, filter }, 10_000, scope),
    (scope) => storage.findClusters({ map, filter, grid, limit: 2_000 }, scope),
  ];
}
