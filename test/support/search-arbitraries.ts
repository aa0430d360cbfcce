/** Locations, filters and orders that often match: few values, many of them difficult. */

import fc from 'fast-check';

import type { GeocodingInput } from '../../src/domain/filter/geocoding-test.ts';
import type { FilterInput } from '../../src/domain/filter/location-filter.ts';
import type { OrderInput } from '../../src/domain/filter/location-order.ts';
import type { PropertyInput } from '../../src/domain/filter/property.ts';
import type { JsonObject, JsonValue } from '../../src/domain/json/json.ts';
import type { LocationGeocoding } from '../../src/domain/location.ts';
import type { FieldDefinition } from '../../src/domain/map.ts';

export const SEARCHED_FIELDS: readonly FieldDefinition[] = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'City', type: 'text' },
  { name: 'Seats', type: 'number' },
  { name: 'Opened', type: 'date' },
];

/** The fields of a map: the usual, none, or the same names with other types. */
export const mapFields: fc.Arbitrary<readonly FieldDefinition[]> = fc.constantFrom(
  SEARCHED_FIELDS,
  [],
  [
    { name: 'City', type: 'number' },
    { name: 'Seats', type: 'date' },
    { name: 'Other', type: 'number' },
    { name: '__proto__', type: 'number' },
  ],
);

const LATITUDES = [
  -90, -85.05112878, -85.06, -66.5, -1e-9, -1e-15, 0, 1e-270, 1e-15, 1e-9, 48.1, 48.1000001, 66.5, 85.1, 90,
];
const LONGITUDES = [-180, -179.9999, -120, -1e-9, -1e-270, 0, 1e-9, 11.5, 11.5000001, 120, 179.9999, 180];

/** Not smaller, since products would underflow even when scaled. Never negative zero. */
export const degrees = (limit: number) =>
  fc.double({ min: -limit, max: limit, noNaN: true }).map((each) => (Math.abs(each) < 1e-280 ? 0 : each));

export const latitude = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...LATITUDES) }, degrees(90));
export const longitude = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...LONGITUDES) }, degrees(180));

const TEXTS = [
  'Café Paris',
  'cafe\u0301',
  'CAFÉ-Bar, no. 7',
  'straße',
  'Strasse 12b',
  'Ærø',
  'İstanbul',
  'istanbul',
  'Σίσυφος',
  '東京都庁',
  '京都',
  'カフェ・ガ',
  'か\u3099',
  'ร้านกาแฟ',
  'مقهى باريس',
  '🍕 pizza 🍕pizzeria',
  '𠮷野家',
  'ﬁsh & chips',
  '½ price',
  'x'.repeat(70),
  `${'y '.repeat(1_005)}late`,
  'a\u0000b',
  'O’Neill’s',
  "Guy's",
  'guys',
  "L'E\u0301toile d＇Or",
  'Oʼneil ʼn',
  "東'京",
];
const VALUES: readonly JsonValue[] = [
  ...TEXTS,
  '',
  '7',
  '007',
  '7.0',
  '-0',
  '1e3',
  '1'.repeat(400),
  7,
  7.5,
  -7,
  0,
  -0,
  1e300,
  5e-324,
  true,
  false,
  null,
  '2024-02-29',
  '2024-02-29T00:00:00Z',
  '2024-02-29T01:30:00.1239+02:00',
  '0001-01-01',
  '2023-02-29',
  ['7'],
  { City: 'Café Paris' },
];
const NAMES = ['Name', 'City', 'Seats', 'Opened', 'Other', '__proto__', ''];

export const value = fc.constantFrom(...VALUES);

export const properties: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 6 })
  .map((entries) => Object.fromEntries(entries));

/** A name holds no control characters. */
export const locationName = fc.constantFrom(...TEXTS.filter((text) => !text.includes('\u0000')));

const scalar = value.filter((each) => each === null || typeof each !== 'object');
const bound = scalar.filter((each) => typeof each === 'string' || typeof each === 'number');
const name = fc.constantFrom(...NAMES);

const propertyInput: fc.Arbitrary<PropertyInput> = fc.oneof(
  fc.record({ name, eq: scalar }),
  fc.record({ name, in: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
  fc.record({ name, from: bound }),
  fc.record({ name, to: bound }),
  fc.record({ name, from: bound, to: bound }),
  fc.record({
    name,
    prefix: fc.constantFrom('caf', 'STRASS', 'x'.repeat(50), '7', '東', '🍕', 'a', "guy'", "l'e"),
  }),
  fc.record({ name, exists: fc.boolean() }),
);

export const box = fc
  .record({ south: latitude, north: latitude, west: longitude, east: longitude })
  .map(({ south, north, west, east }) => ({
    south: Math.min(south, north),
    north: Math.max(south, north),
    west,
    east,
  }));

const near = fc.record({
  latitude,
  longitude,
  radius: fc.constantFrom(0, 0.001, 0.011, 1, 11.132, 5_000, 1e6, 1e7, 20_037_509),
});

const polygon = fc.array(fc.tuple(longitude, latitude), { minLength: 3, maxLength: 6 }).map((positions) => ({
  type: 'Polygon',
  coordinates: [[...positions, positions[0]]] as unknown as JsonValue,
}));

const search = fc.constantFrom(
  'caf',
  'café paris',
  'strasse',
  'STRASSE 12',
  'aero',
  'istanbul',
  'σισυφοσ',
  '京',
  '京都',
  '東京都庁',
  'か',
  'が',
  'กาแฟ',
  'แฟ',
  'باريس',
  'pizza',
  '野',
  'fish',
  '1',
  'x'.repeat(64),
  'y',
  'late',
  'b',
  'neill s',
  'guys',
  "guy's",
  'oneill',
  "o'n",
  'etoile',
  'dor',
  "東'京",
  '京',
  'ʼn',
);

export const geocoding: fc.Arbitrary<LocationGeocoding> = fc.record({
  provider: fc.constantFrom('offline', 'manual', 'a.b$c'),
  precision: fc.constantFrom('rooftop', 'street', 'locality'),
  label: fc.constantFrom(null, 'Somewhere 1'),
  isAmbiguous: fc.boolean(),
  isChecked: fc.boolean(),
});

export const geocodingInput: fc.Arbitrary<GeocodingInput> = fc.oneof(
  fc.record({ isChecked: fc.boolean() }),
  fc.record({ isAmbiguous: fc.boolean() }),
  fc.record({ precision: fc.subarray(['rooftop', 'street', 'region'], { minLength: 1 }) }),
  fc.record({ provider: fc.subarray(['offline', 'a.b$c', 'nobody'], { minLength: 1 }) }),
  fc.record({
    precision: fc.constantFrom(['street'], ['locality', 'rooftop']),
    provider: fc.constantFrom(null, ['offline', 'manual']),
    isChecked: fc.boolean(),
    isAmbiguous: fc.constantFrom(null, true, false),
  }),
);

const timeRange = fc.constantFrom(
  { from: new Date(1_000) },
  { to: new Date(1_001) },
  { from: new Date(1_001), to: new Date(1_001) },
);

/** @param ids of locations, some of which a filter selects */
export function filterInput(
  ids: readonly string[],
  externalIds: readonly string[],
): fc.Arbitrary<FilterInput> {
  const some = (known: readonly string[]) =>
    fc.array(fc.constantFrom(...known, 'nobody'), { minLength: 1, maxLength: 3 });
  const leaf: fc.Arbitrary<FilterInput> = fc.oneof(
    fc.record({ bbox: box }),
    fc.record({ near }),
    fc.record({ polygon }),
    fc.record({ search }),
    fc.record({ property: propertyInput }),
    fc.record({ ids: some(ids) }),
    fc.record({ externalIds: some(externalIds) }),
    fc.record({ createdAt: timeRange }),
    fc.record({ updatedAt: timeRange }),
    fc.record({ geocoding: geocodingInput }),
    fc.constant({}),
  );
  const { filter } = fc.letrec<{ filter: FilterInput }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      fc.tuple(leaf, leaf).map(([a, b]) => ({ ...a, ...b })),
      fc.record({ not: tie('filter') }),
      fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    ),
  }));
  return filter;
}

const direction = fc.constantFrom(undefined, 'asc' as const, 'desc' as const);

/** An order by distance is refused if the filter has no circle. */
export const orderInput: fc.Arbitrary<OrderInput> = fc.oneof(
  fc.record({
    by: fc.constantFrom('list', 'name', 'distance', 'createdAt', 'updatedAt'),
    direction,
  }) as fc.Arbitrary<OrderInput>,
  fc.record({ by: fc.constant('property' as const), property: name, direction }) as fc.Arbitrary<OrderInput>,
);
