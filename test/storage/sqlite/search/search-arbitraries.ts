/** Small maps, and searches that often match something in them. */

import fc from 'fast-check';

import type { FilterInput } from '../../../../src/domain/filter/location-filter.ts';
import type { OrderInput } from '../../../../src/domain/filter/location-order.ts';
import type { JsonValue } from '../../../../src/domain/json/json.ts';
import type { NewLocation } from '../../../../src/domain/location.ts';
import type { FieldDefinition } from '../../../../src/domain/map.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { degrees, geocoding, geocodingInput } from '../../../support/search-arbitraries.ts';

export const FIELDS: readonly FieldDefinition[] = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Beds', type: 'number' },
  { name: 'Opened', type: 'date' },
];

const LATITUDES = [-90, -85.1, -45, -0.001, 0, 0.001, 45, 45.0000001, 64.1466, 85.1, 90];
const LONGITUDES = [-180, -179.9, -45, -0.001, 0, 0.001, 45, 45.0000001, 179.9, 180];
const latitude = fc.oneof(fc.constantFrom(...LATITUDES), degrees(90));
const longitude = fc.oneof(fc.constantFrom(...LONGITUDES), degrees(180));
const point = fc.record({ latitude, longitude });

const WORDS = [
  'Straße',
  'strasse',
  'BERLIN',
  'bern',
  'Ærø',
  '東京駅',
  '東',
  'กรุงเทพ',
  'e\u0301cole',
  'x1',
  'ÅB',
  // They share their first 16 characters.
  'Donaudampfschiffahrt',
  'Donaudampfschiffer',
];
const text = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS)).map(([a, b]) => `${a}-${b}`),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 4 }),
);
const NUMBERS = ['1', '01.0', '-0', '0', '7.5', '9'.repeat(30), '-3', 'seven'];
const DAYS = [
  '2024-02-29',
  '2024-02-29T12:00:00Z',
  '2024-02-29t23:59:59.9999+01:00',
  '1999-12-31',
  '0001-01-01',
  'soon',
];
const scalar = fc.oneof(
  text,
  fc.constantFrom(...NUMBERS, ...DAYS, ''),
  fc.constantFrom(0, -0, 1, 1.5, 7.5, -3, 1e300, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 9, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constantFrom<JsonValue>([], ['Berlin'], { a: 1 }) },
);
const PROPERTY_NAMES = ['Beds', 'Opened', 'kind', '__proto__', 'Ünï côde'];
const propertyName = fc.constantFrom(...PROPERTY_NAMES);
const properties = fc.dictionary(propertyName, value, { maxKeys: 4 });

const EXTERNAL_IDS = ['a', 'b', 'A', 'ü', 'a b', '"'];

/** Without the id, which the map assigns. */
export const contents: fc.Arbitrary<Partial<NewLocation>> = fc
  .record({
    name: text,
    point,
    properties,
    createdAt: fc.integer({ min: 1_000, max: 1_005 }),
    externalId: fc.option(fc.constantFrom(...EXTERNAL_IDS)),
    geocoding,
  })
  .map(({ point: at, ...rest }) => ({ ...rest, ...at }));

const order = fc.constantFrom('1', '1.0', '2', '-1', 'a', 'b', '\u{10000}', '\uffff');
export interface OrderedContents {
  readonly contents: Partial<NewLocation>;
  /** Null appends it. */
  readonly order: string | null;
}

export const orderedContents: fc.Arbitrary<OrderedContents> = fc.record({
  contents,
  order: fc.option(order),
});

export const bbox = fc
  .tuple(latitude, latitude, longitude, longitude)
  .map(([a, b, west, east]) => ({ south: Math.min(a, b), north: Math.max(a, b), west, east }));
const near = fc.record({
  latitude,
  longitude,
  radius: fc.oneof(fc.constantFrom(0, 1, 111, 20_037_509), fc.double({ min: 0, max: 2e7, noNaN: true })),
});
const polygon = fc
  .array(point, { minLength: 3, maxLength: 5 })
  .map((points) => points.map((each) => [each.longitude, each.latitude]))
  .map((ring) => ({ type: 'Polygon', coordinates: [[...ring, ring[0] as number[]]] }));
const time = fc.integer({ min: 1_000, max: 1_005 }).map((ms) => new Date(ms));
const times = fc.record({ from: time, to: fc.option(time) });
const query = fc.oneof(
  fc.constantFrom(
    'str',
    'STRASSE b',
    'ber',
    'bern',
    '京',
    '東京',
    'เทพ',
    'aero',
    'ecole',
    'x',
    '1',
    'donaudampfschiffer',
  ),
  text.filter((each) => /[\p{L}\p{N}]/u.test(each.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC'))),
);
const bounds = fc.oneof(
  fc.constantFrom({ from: 0 }, { from: -3, to: 7.5 }, { to: 1 }, { from: 7.5, to: 7.5 }, { from: 1, to: 0 }),
  fc.record({ from: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
);
const test = fc.oneof(
  scalar.map((eq) => ({ eq })),
  fc.array(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ in: values })),
  fc.constantFrom('s', 'ber', 'BERLIN', '7', '東', '2024', '-').map((prefix) => ({ prefix })),
  fc.boolean().map((exists) => ({ exists })),
);
const property = fc.oneof(
  fc.record({ name: propertyName, test }).map(({ name, test: rest }) => ({ name, ...rest })),
  fc
    .record({ name: fc.constantFrom('Beds', 'kind'), bounds })
    .map(({ name, bounds: rest }) => ({ name, ...rest })),
  fc
    .record({ name: fc.constant('Opened'), from: fc.constantFrom(...DAYS.slice(0, -1)) })
    .map(({ name, from }) => ({ name, from })),
  fc
    .record({ name: fc.constant('kind'), from: text, to: fc.option(text) })
    .map(({ name, from, to }) => ({ name, from, to })),
);

/** @param ids of existing or deleted locations */
export function anyFilter(ids: readonly string[]): fc.Arbitrary<FilterInput> {
  const someIds = fc.subarray([...ids, 'nothing'], { minLength: 1 });
  const leaf: fc.Arbitrary<FilterInput> = fc.oneof(
    bbox.map((each) => ({ bbox: each })),
    near.map((each) => ({ near: each })),
    polygon.map((each) => ({ polygon: each })),
    query.map((search) => ({ search })),
    property.map((each) => ({ property: each })),
    someIds.map((each) => ({ ids: each })),
    fc.subarray(EXTERNAL_IDS, { minLength: 1 }).map((externalIds) => ({ externalIds })),
    times.map((createdAt) => ({ createdAt })),
    times.map((updatedAt) => ({ updatedAt })),
    geocodingInput.map((each) => ({ geocoding: each })),
  );
  const several = fc.array(leaf, { minLength: 1, maxLength: 3 });
  const branch = fc.oneof(
    several.map((and) => ({ and })),
    several.map((or) => ({ or })),
    leaf.map((not) => ({ not })),
  );
  return fc.oneof(
    { weight: 6, arbitrary: leaf },
    { weight: 3, arbitrary: branch },
    { weight: 1, arbitrary: fc.tuple(leaf, branch).map(([a, b]) => ({ ...a, ...b })) },
    { weight: 1, arbitrary: fc.tuple(branch, branch).map(([a, b]) => ({ and: [a, { or: [b, a] }] })) },
    { weight: 1, arbitrary: fc.constant({}) },
  );
}

export const anyOrder: fc.Arbitrary<OrderInput> = fc.oneof(
  ...(['list', 'name', 'createdAt', 'updatedAt', 'distance'] as const).map((by) =>
    fc.record({ by: fc.constant(by), direction: fc.constantFrom('asc' as const, 'desc' as const) }),
  ),
  fc.record({
    by: fc.constant('property' as const),
    property: propertyName,
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  }),
);
