/** Any map, exported and imported into a new map, is the same list, in each format and on each store. */

import fc from 'fast-check';

import type { JsonValue } from '../../../src/domain/json/json.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MapFormat } from '../../../src/transfer/formats.ts';
import { MAP_FORMATS } from '../../../src/transfer/formats.ts';
import type { FieldInput, MapRecord } from '../../../src/domain/map.ts';
import type { Caller } from '../../../src/services/caller.ts';
import { importStream } from '../../../src/transfer/import/import-rows.ts';
import type { RejectedRow } from '../../../src/transfer/import/report.ts';
import type { LocationInput } from '../../../src/services/locations/new-location.ts';
import type { Services } from '../../../src/services/services.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { createFakeGeocoder } from '../../support/fake-geocoder.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { servicesOver, testerOf } from '../../support/services.ts';
import { isBlank } from '../../../src/domain/text.ts';
import { describeUnless } from '../../support/skip.ts';

/** Names with a meaning in some format, and any others. */
const fieldName = fc.oneof(
  fc.constantFrom(
    ...[
      'id',
      '$id',
      '$$id',
      'externalId',
      'order',
      'lat',
      '$lat',
      'lng',
      'placeId',
      'more',
      '$more',
      '$$more',
    ],
    ...['latitude', 'longitude', 'lon', 'long', 'line', 'code', 'reason', '__proto__', 'constructor', ''],
    ...[
      'a,b',
      'a;b',
      'a\tb',
      '"',
      'two\nlines',
      '\ufeffmark',
      '=1+1',
      ' ',
      '0',
      '7',
      '<a b="c">',
      '\u0001',
      '\ufffe',
      'name',
      'rejected',
    ],
  ),
  storable(8),
);

/** Text that stores accept: no NUL, no lone surrogates. */
function storable(maxLength: number) {
  const any = fc.string({ unit: 'grapheme', maxLength });
  const nasty = fc.constantFrom(
    '',
    ' ',
    '"',
    '\r',
    '\n',
    '\r\n',
    '=1',
    '\ufeff',
    '\u2028',
    '\u0001',
    '\ufffe',
    '\uffff',
    ']]>',
    '<a>&amp;',
    ' \n<',
    "'",
    '1e5',
    'true',
    'null',
  );
  return fc.oneof(any, nasty).map((text) => text.replaceAll('\0', ''));
}

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  storable(20),
  number,
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(storable(5), number), { maxLength: 3 }),
  fc.dictionary(fieldName, fc.oneof(storable(5), number, fc.constant(null)), { maxKeys: 3 }),
);

const order = fc.oneof(
  fc.constant(null),
  fc.constantFrom(
    '1',
    '01',
    '1.0',
    '-2',
    '-2.50',
    '0',
    '9'.repeat(256),
    'text',
    '=x',
    ' ',
    '2,5',
    '"',
    '\ufffe<',
  ),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
);
const degrees = (limit: number) =>
  fc.oneof(fc.double({ min: -limit, max: limit, noNaN: true }), fc.constantFrom(0, 5e-324, 1e-7, 0.1 + 0.2));

const aMap = fc.record({
  fields: fc
    .uniqueArray(fieldName, { maxLength: 8 })
    // Maps refuse blank field names.
    .map((names) => names.filter((name) => !isBlank(name) && !/^(Name|Address)$/i.test(name))),
  locations: fc.array(
    fc.record({
      values: fc.array(fc.tuple(fc.nat(30), value), { maxLength: 6 }),
      extra: fc.array(fc.tuple(fieldName, value), { maxLength: 3 }),
      isFirst: fc.boolean(),
      order,
      hasExternalId: fc.boolean(),
      point: fc.option(
        fc.record({
          latitude: degrees(90),
          longitude: degrees(180),
          placeId: fc.option(fc.constantFrom('p:1', '@x', ' y ', 'ü"', '"ü"', '\u0001', '\ufffe')),
        }),
      ),
    }),
    { maxLength: 12 },
  ),
  seed: fc.string({
    unit: fc.constantFrom('a', 'ß', '😀', ',', '"', '=', '<', '\ufffe'),
    minLength: 1,
    maxLength: 4,
  }),
});
type AnyMap = typeof aMap extends fc.Arbitrary<infer T> ? T : never;

function inputsOf({ fields, locations, seed }: AnyMap): readonly LocationInput[] {
  return locations.map(({ values, extra, isFirst, order: wanted, hasExternalId, point }, index) => {
    const own: [string, JsonValue][] = [
      ['Name', `N${index}`],
      ['Address', 'somewhere'],
    ];
    const others = values.flatMap(([at, each]): [string, JsonValue][] => {
      const name = fields[at];
      return name === undefined ? [] : [[name, each]];
    });
    const all = isFirst ? [...own, ...others, ...extra] : [...extra, ...others, ...own];
    return {
      // Object.fromEntries also accepts __proto__.
      fields: Object.fromEntries(all.filter(([key]) => isFirst || !/^(Name|Address)$/.test(key)).concat(own)),
      order: wanted,
      externalId: hasExternalId ? `${seed}${index}` : null,
      position: point,
    };
  });
}

const TABLES: readonly MapFormat[] = ['csv', 'xlsx', 'kml'];
/** GPX has only what devices show. */
const FORMATS = MAP_FORMATS.filter((format) => format !== 'gpx');

/** The parts of a location that an import restores. */
function kept(location: LocationRecord, format: MapFormat) {
  const { properties, order: rank, placeId, latitude, longitude, externalId, name } = location;
  return {
    // A table restores fields in the order of its columns.
    properties: TABLES.includes(format) ? sorted(properties) : JSON.stringify(properties),
    ...{ order: rank, placeId, latitude, longitude, externalId, name },
  };
}

function sorted(properties: LocationRecord['properties']): string {
  return JSON.stringify(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const server = await testServer();
const STORES: [name: string, url: string | null, runs: number][] = [
  ['SQLite', 'sqlite::memory:', 150],
  ['MongoDB', server === null ? null : ownDatabase(server), 8],
];

for (const [name, url, runs] of STORES) {
  describeUnless(url === null && NO_MONGODB, `a map exported and imported, on ${name}`, () => {
    let storage: Storage;
    let services: Services;
    let caller: Caller;
    const geocoder = createFakeGeocoder();

    beforeAll(async () => {
      storage = await openStorage(url ?? '', { timeoutMs: 5000 });
      services = servicesOver(storage, geocoder);
      caller = await testerOf(services);
    });
    afterAll(() => storage.close());

    const all = (mapId: string) =>
      storage.listLocations(mapId, { limit: 10_000, fromEnd: false, after: null, before: null });

    const exported = async (mapId: string, format: MapFormat) => {
      const { read } = await services.exports.openExport(
        { caller },
        { mapId, format, isForSpreadsheet: false },
      );
      const pieces = [];
      for await (const piece of read()) pieces.push(piece);
      return pieces;
    };

    const imported = async (
      map: MapRecord,
      format: MapFormat,
      bytes: readonly Buffer[],
      isUpsert: boolean,
    ) => {
      const rejected: RejectedRow[] = [];
      const options = { isUpsert, onRejected: (row: RejectedRow) => void rejected.push(row) };
      const scope = { caller };
      const chunks = inPieces(bytes);
      const gateway = { services, storage };
      const summary = await importStream(gateway, scope, map, chunks, { ...options, format, isUpsert });
      expect([summary.end, rejected]).toEqual([{ kind: 'complete' }, []]);
    };

    for (const format of FORMATS) {
      it(`restores the same list: ${format}`, async () => {
        await fc.assert(
          fc.asyncProperty(aMap, fc.boolean(), async (given, isUpsert) => {
            const fields: FieldInput[] = [
              { name: 'Name', type: 'placeName' },
              // KML exports have styles for categories.
              ...given.fields.map((field, index) => ({
                name: field,
                type: index === 0 ? ('category' as const) : ('text' as const),
              })),
              { name: 'Address', type: 'address' },
            ];
            const [from, to] = [
              await services.maps.createMap({ caller }, { name: 'from', fields }),
              await services.maps.createMap({ caller }, { name: 'to', fields }),
            ];
            const inputs = inputsOf(given);
            if (inputs.length > 0) {
              const { results } = await services.locationBatches.createLocations({ caller }, from.id, inputs);
              expect(results.filter((result) => result instanceof Error)).toEqual([]);
            }
            const asked = geocoder.asked.length;
            await imported(to, format, await exported(from.id, format), isUpsert);
            expect(geocoder.asked.length).toBe(asked);
            const [before, after] = [await all(from.id), await all(to.id)];
            const expected = before.map((location) => kept(location, format));
            // In an upsert, a Feature's id replaces a missing external id.
            if (isUpsert && format === 'geojson') {
              expected.forEach((location, index) => (location.externalId ??= before[index]?.id ?? null));
            }
            expect(after.map((location) => kept(location, format))).toEqual(expected);
            for (const [index, { id, properties }] of after.entries()) {
              expect(id).not.toBe(before[index]?.id);
              expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
            }
          }),
          { numRuns: runs },
        );
      });
    }
  });
}

/** Cuts the bytes into pieces of one byte and of many. */
async function* inPieces(bytes: readonly Buffer[]) {
  const all = Buffer.concat(bytes);
  for (let start = 0, size = 1; start < all.length; start += size, size = (size * 7) % 101 || 1) {
    yield all.subarray(start, start + size);
  }
}
