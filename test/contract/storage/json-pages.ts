/** JSON pages: the same page, written as by JSON.stringify. */

import fc from 'fast-check';

import type { FilterInput } from '../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import { LIST_ORDER } from '../../../src/domain/filter/location-order.ts';
import type { LocationTemplate, LocationValue } from '../../../src/domain/location-template.ts';
import { createTemplate, LOCATION_VALUES } from '../../../src/domain/location-template.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { PageRequest } from '../../../src/domain/paging/paging.ts';
import type { SortKey } from '../../../src/domain/list/sort-key.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { anInsert, anUpdate, insertOrders, NOW, seedMap, updateOne } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

const LIST = ['-1', '1', '2', '2', '2.0', '3', 'a', 'a', 'b', 'c'];
const ALL: PageRequest<SortKey> = { limit: 1000, fromEnd: false, after: null, before: null };
const EVERYTHING = objectOf(LOCATION_VALUES);
const EVERYWHERE: FilterInput = { bbox: { south: -90, west: -180, north: 90, east: 180 } };
const NOWHERE: FilterInput = { ids: ['nothing'] };
const IDS = createTemplate([{ value: 'id' }]);

/** `{"id":…,"name":…}` */
function objectOf(values: readonly LocationValue[]): LocationTemplate {
  return createTemplate([
    { text: '{' },
    ...values.flatMap((value, index) => [{ text: `${index === 0 ? '' : ','}"${value}":` }, { value }]),
    { text: '}' },
  ]);
}

/** The expected object of a location in {@link EVERYTHING}. */
function expectedOf({ latitude, longitude, createdAt, updatedAt, geocoding, ...location }: LocationRecord) {
  const { id, name, placeId, properties, order, externalId, version } = location;
  const decimal = (degrees: number) => degrees.toFixed(20).replace(/0+$/, '').replace(/\.$/, '');
  return {
    id,
    name,
    placeId,
    // Compared as numbers; the test of coordinates checks their text.
    lat: expect.stringMatching(/^-?[0-9]+(\.[0-9]+)?$/),
    lng: expect.stringMatching(decimal(longitude).startsWith('-') ? /^-[0-9.]+$/ : /^[0-9.]+$/),
    latitude: latitude + 0,
    longitude: longitude + 0,
    properties,
    order,
    externalId,
    version,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    ...geocoding,
  };
}

async function read(
  storage: Storage,
  mapId: string,
  template: LocationTemplate,
  page: Partial<PageRequest<SortKey>> = {},
) {
  const { json, ...rest } = await storage.listLocationsJson(mapId, { ...ALL, ...page }, template);
  return { text: json.text, items: JSON.parse(json.text) as unknown[], ...rest };
}

/** Every code point that JSON escapes, and some that it does not. */
const CHARACTERS = Array.from({ length: 0x100 }, (_, code) => String.fromCodePoint(code)).slice(1);
const NASTY = [
  ...CHARACTERS.slice(0, 0xa0),
  '\u2028\u2029\ufeff\uffff',
  '😀 \u{10ffff}',
  `' '' " \\ \\" </script> || -- %s ?`,
].join('');

export const jsonPages: StorageTopic = {
  name: 'pages as JSON',
  cases: [
    {
      name: 'every value is written as JSON.stringify writes it',
      async run({ storage }) {
        const map = await seedMap(storage);
        const properties = {
          [NASTY]: NASTY,
          __proto__x: [1, -0.5, 1e21, null, true, { deep: ['ü'] }],
          '': '',
        };
        const insert = anInsert(map.id, {
          location: { name: NASTY, placeId: NASTY, properties, createdAt: 7 },
        });
        await storage.insertLocations(map.id, [insert, { ...anInsert(map.id), order: `'"\\ü😀` }], 0);
        const stored = await storage.listLocations(map.id, ALL);
        const { text, items } = await read(storage, map.id, EVERYTHING);
        expect(items).toEqual(stored.map(expectedOf));
        const [first] = items as Record<string, unknown>[];
        expect(first?.createdAt).toBe('1970-01-01T00:00:00.007Z');
        expect(text).toBe(JSON.stringify(items));
      },
    },
    {
      name: 'every value is the same alone, in pairs and with all others',
      async run({ storage }) {
        const map = await seedMap(storage);
        const insert = anInsert(map.id, { location: { externalId: 'shop 1', createdAt: 7 } });
        await storage.insertLocations(map.id, [insert, anInsert(map.id)], 0);
        const [first] = await storage.listLocations(map.id, ALL);
        // Locations that were never updated or have no external id may be stored with fewer fields.
        await updateOne(storage, map.id, { ...anUpdate(first!), updatedAt: NOW + 1 });
        const whole = await read(storage, map.id, EVERYTHING);
        const items = whole.items as Record<LocationValue, unknown>[];
        expect(items.map(({ version, externalId }) => [version, externalId])).toEqual([
          [2, 'shop 1'],
          [1, null],
        ]);
        const search = { maps: [map], filter: readFilter(EVERYWHERE, 'filter'), order: LIST_ORDER };
        const found = { ...ALL, after: null, before: null };
        for (const values of LOCATION_VALUES.flatMap((one) =>
          LOCATION_VALUES.map((other) => [...new Set([one, other])]),
        )) {
          const label = values.join(' and ');
          const expected = items.map((item) => Object.fromEntries(values.map((name) => [name, item[name]])));
          const listed = await storage.listLocationsJson(map.id, ALL, objectOf(values));
          expect({ label, listed: JSON.parse(listed.json.text) as unknown }).toEqual({
            label,
            listed: expected,
          });
          const { json } = await storage.findLocationsJson(search, found, objectOf(values));
          expect({ label, found: JSON.parse(json.text) as unknown }).toEqual({ label, found: expected });
        }
      },
    },
    {
      name: 'coordinates are plain decimals that read back as the same doubles',
      async run({ storage }) {
        const doubles = [
          0,
          -0,
          1e-7,
          -1e-7,
          5e-324,
          0.1 + 0.2,
          64.1466,
          -21.942600000000002,
          90,
          -90,
          1 / 3,
          1e-17,
        ];
        const sample = fc.sample(fc.double({ min: -90, max: 90, noNaN: true }), { numRuns: 50, seed: 7 });
        const map = await seedMap(storage);
        for (const latitude of [...doubles, ...sample]) {
          await storage.insertLocations(
            map.id,
            [anInsert(map.id, { location: { latitude, longitude: 2 * latitude } })],
            0,
          );
        }
        const stored = await storage.listLocations(map.id, ALL);
        const { items } = await read(storage, map.id, objectOf(['lat', 'lng', 'latitude', 'longitude']));
        for (const [index, item] of (items as Record<string, unknown>[]).entries()) {
          const { latitude = 0, longitude = 0 } = stored[index] ?? {};
          expect(item.lat).toMatch(/^-?[0-9]+(\.[0-9]+)?$/);
          expect(item.lng).toMatch(/^-?[0-9]+(\.[0-9]+)?$/);
          const read4 = [Number(item.lat), Number(item.lng), item.latitude, item.longitude];
          expect(read4).toEqual([latitude + 0, longitude + 0, latitude + 0, longitude + 0]);
        }
      },
    },
    {
      name: 'a template is written in its order, also with repeated values or none',
      async run({ storage }) {
        const map = await seedMap(storage);
        await storage.insertLocations(map.id, [anInsert(map.id, { location: { name: 'A' } })], 0);
        const twice = createTemplate([
          { text: `{"it's":` },
          { value: 'name' },
          { text: ',"b":' },
          { value: 'name' },
          { text: '}' },
        ]);
        expect((await read(storage, map.id, twice)).text).toBe(`[{"it's":"A","b":"A"}]`);
        const none = createTemplate([{ text: '{"__typename":"Location"}' }]);
        expect((await read(storage, map.id, none)).text).toBe('[{"__typename":"Location"}]');
      },
    },
    {
      name: 'a search page is the page of records, with its ends and its next hit',
      async run({ storage }) {
        const map = await seedMap(storage);
        await insertOrders(storage, map.id, LIST);
        for (const order of [LIST_ORDER, { by: 'name', direction: 'desc' }] as const) {
          for (const filter of [EVERYWHERE, NOWHERE]) {
            const search = { maps: [map], filter: readFilter(filter, 'filter'), order };
            const all = await storage.findLocations(search, { ...ALL, after: null, before: null });
            const bounds = [null, ...all.filter((_, index) => index % 4 === 0).map(({ key }) => key)];
            for (const [after, before] of bounds.flatMap((a) => bounds.map((b) => [a, b] as const))) {
              for (const fromEnd of [false, true]) {
                for (const limit of [1, 3, 10]) {
                  const page = { after, before, fromEnd, limit };
                  const found = await storage.findLocations(search, { ...page, limit: limit + 1 });
                  const isMore = found.length > limit;
                  const items = fromEnd ? found.slice(-limit) : found.slice(0, limit);
                  const { json, ...ends } = await storage.findLocationsJson(search, page, IDS);
                  expect(json.text).toBe(JSON.stringify(items.map(({ location }) => location.id)));
                  expect(ends).toEqual({
                    count: items.length,
                    first: items[0]?.key ?? null,
                    last: items.at(-1)?.key ?? null,
                    next: isMore ? (fromEnd ? found[0] : found.at(-1))?.key : null,
                  });
                }
              }
            }
          }
        }
      },
    },
    {
      name: 'a list page is the page of records, with its ends and its next location, in every range',
      async run({ storage }) {
        const map = await seedMap(storage);
        const other = await seedMap(storage, { ownerId: map.ownerId });
        const list = await insertOrders(storage, map.id, LIST);
        await insertOrders(storage, other.id, LIST);
        const bounds = [null, ...list];
        for (const after of bounds) {
          for (const before of bounds) {
            for (const fromEnd of [false, true]) {
              for (const limit of [1, 3, 10]) {
                const page = { after, before, fromEnd, limit };
                const listed = await storage.listLocations(map.id, { ...page, limit: limit + 1 });
                const isMore = listed.length > limit;
                const items = fromEnd ? listed.slice(-limit) : listed.slice(0, limit);
                const beyond = isMore ? (fromEnd ? listed[0] : listed.at(-1)) : undefined;
                const found = await read(storage, map.id, IDS, page);
                expect(found.items).toEqual(items.map(({ id }) => id));
                expect(found.count).toBe(items.length);
                expect(found.first).toEqual(positionOf(items[0]));
                expect(found.last).toEqual(positionOf(items.at(-1)));
                expect(found.next).toEqual(
                  beyond === undefined ? null : { ...positionOf(beyond), order: beyond.order },
                );
              }
            }
          }
        }
      },
    },
    {
      name: 'an empty or unknown map has an empty page',
      async run({ storage }) {
        const map = await seedMap(storage);
        const empty = { text: '[]', items: [], count: 0, first: null, last: null, next: null };
        expect(await read(storage, map.id, EVERYTHING)).toEqual(empty);
        expect(await read(storage, 'abcdefghjkmnpqrs', EVERYTHING, { fromEnd: true })).toEqual(empty);
      },
    },
    {
      name: 'each location has its own times, also when others share them',
      async run({ storage }) {
        const map = await seedMap(storage);
        const times = [NOW, NOW, NOW + 1, 0, NOW, NOW + 1000, 7];
        const inserts = times.map((createdAt) => anInsert(map.id, { location: { createdAt } }));
        await storage.insertLocations(map.id, inserts, NOW);
        for (const at of [1, 3]) {
          const location = (await storage.listLocations(map.id, ALL))[at];
          await updateOne(storage, map.id, { ...anUpdate(location!), updatedAt: NOW + (at === 1 ? 5 : 0) });
        }
        const stored = await storage.listLocations(map.id, ALL);
        const expectedTimes = stored.map(({ createdAt, updatedAt }) => ({
          createdAt: new Date(createdAt).toISOString(),
          updatedAt: new Date(updatedAt).toISOString(),
        }));
        const template = objectOf(['createdAt', 'updatedAt']);
        for (const fromEnd of [false, true]) {
          expect((await read(storage, map.id, template, { fromEnd })).items).toEqual(expectedTimes);
          for (let from = 0; from < stored.length; from += 1) {
            const range = { fromEnd, after: positionOf(stored[from]) };
            expect((await read(storage, map.id, template, range)).items).toEqual(
              expectedTimes.slice(from + 1),
            );
          }
        }
      },
    },
    {
      name: 'a page changes with the list',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [first, second] = await insertOrders(storage, map.id, ['1', '2']);
        expect((await read(storage, map.id, IDS)).items).toEqual([first?.id, second?.id]);
        await storage.deleteLocation(map.id, first?.id ?? '');
        expect((await read(storage, map.id, IDS)).items).toEqual([second?.id]);
        const [third] = await insertOrders(storage, map.id, ['0']);
        expect((await read(storage, map.id, IDS)).items).toEqual([third?.id, second?.id]);
      },
    },
  ],
};

function positionOf(location: LocationRecord | undefined): SortKey | null {
  return location === undefined ? null : { orderKey: location.orderKey, sequence: location.sequence };
}
