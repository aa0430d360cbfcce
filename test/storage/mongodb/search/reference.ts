/** Arbitrary filters, points and properties, and a reference search that checks every location. */

import fc from 'fast-check';

import type { ClusterGrid } from '../../../../src/domain/clusters.ts';
import { cellAt, gridOf, inReadingOrder, isWithinGrid } from '../../../../src/domain/clusters.ts';
import type { FilterInput } from '../../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../../src/domain/filter/location-filter.ts';
import type {
  SearchSortKey,
  LocationOrder,
  OrderInput,
} from '../../../../src/domain/filter/location-order.ts';
import {
  centerOf,
  compareSearchKeys,
  readOrder,
  sortValues,
} from '../../../../src/domain/filter/location-order.ts';
import type { SearchHit, LocationSearch } from '../../../../src/domain/filter/location-search.ts';
import { locationMatcher } from '../../../../src/domain/filter/matcher.ts';
import type { JsonObject, JsonValue } from '../../../../src/domain/json/json.ts';
import type { LocationRecord } from '../../../../src/domain/location.ts';
import type { FieldDefinition, MapRecord } from '../../../../src/domain/map.ts';
import type { PageRequest } from '../../../../src/domain/paging/paging.ts';
import type { Cluster } from '../../../../src/storage/search.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { listPage } from '../../../contract/storage/fixtures.ts';
import { degrees } from '../../../support/search-arbitraries.ts';

export const FIELDS: readonly FieldDefinition[] = [
  { name: 'Name', type: 'placeName' },
  { name: 'seats', type: 'number' },
  { name: 'opened', type: 'date' },
];

const LATITUDES = [-90, -85.1, -33.5, -1e-9, 0, 0.5, 51.5, 51.500001, 64.1466, 85.2, 90];
const LONGITUDES = [-180, -179.99, -21.9426, -1e-9, 0, 0.5, 12.25, 12.250001, 151, 179.99, 180];
const WORDS = ['Café', 'cafe', 'Straße', 'Łódź', '東京駅', '東京', 'Tower of London', 'x1', 'ﬁnca', '-', ''];
const NUMBERS = [-1e300, -2.5, -0, 0, 1, 2, 2.5, 10, 1e21, 123456789.5];
const DATES = ['2026-01-01', '2026-01-01T00:00:00Z', '2025-12-31T23:59:59.999-01:00', '0001-01-01'];
const SCALARS: readonly JsonValue[] = [
  ...NUMBERS,
  ...NUMBERS.map(String),
  ...WORDS,
  ...DATES,
  true,
  false,
  null,
];
const PROPERTIES = ['seats', 'opened', 'note', 'Name', '__proto__'];

const latitude = fc.oneof(fc.constantFrom(...LATITUDES), degrees(90));
const longitude = fc.oneof(fc.constantFrom(...LONGITUDES), degrees(180));
const scalar = fc.constantFrom(...SCALARS);
const word = fc.constantFrom(...WORDS);

export interface GeneratedLocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly name: string;
  readonly properties: JsonObject;
  readonly externalId: string | null;
  readonly order: string | null;
}

export const locationArbitrary: fc.Arbitrary<GeneratedLocation> = fc.record({
  latitude,
  longitude,
  name: fc.tuple(word, word).map((words) => words.join(' ')),
  properties: fc
    .array(fc.tuple(fc.constantFrom(...PROPERTIES), fc.oneof(scalar, fc.constant([1]))), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
  externalId: fc.constant(null),
  order: fc.option(fc.constantFrom('1', '1.0', '2', '-3', 'a', 'b')),
});

const box = fc
  .tuple(latitude, latitude, longitude, longitude)
  .map(([a, b, west, east]) => ({ south: Math.min(a, b), north: Math.max(a, b), west, east }));

const near = fc.record({
  latitude,
  longitude,
  radius: fc.constantFrom(0, 0.1, 1_000, 250_000, 5_000_000, 20_037_509),
});

const polygon = box.map(({ south, west, north, east }) => ({
  type: 'Polygon',
  coordinates: [
    [
      [Math.min(west, east), south],
      [Math.max(west, east), south],
      [Math.max(west, east), north],
      [(west + east) / 2, (south + north) / 2],
      [Math.min(west, east), south],
    ],
  ],
}));

const time = fc.constantFrom(0, 1, 2, 50, 100).map((milliseconds) => new Date(milliseconds));
const range = fc.oneof(
  fc.record({ name: fc.constant('opened'), from: fc.constantFrom(...DATES), to: fc.constantFrom(...DATES) }),
  fc.record({ name: fc.constantFrom('seats', 'note'), from: fc.constantFrom(...NUMBERS) }),
  fc.record({ name: fc.constantFrom('seats', 'note'), to: fc.constantFrom(...NUMBERS) }),
  fc.record({
    name: fc.constantFrom('seats', 'note'),
    from: fc.constantFrom(...NUMBERS),
    to: fc.constantFrom(...NUMBERS),
  }),
  fc.record({ name: fc.constantFrom('note', 'Name'), from: word, to: word }),
  fc.record({ name: fc.constantFrom('note', 'Name'), from: word }),
);
const property = fc.oneof(
  fc.record({ name: fc.constantFrom(...PROPERTIES), eq: scalar }),
  fc.record({ name: fc.constantFrom(...PROPERTIES), in: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
  fc.record({
    name: fc.constantFrom(...PROPERTIES),
    prefix: fc.constantFrom('c', 'CAFE', 'str', '東', '-', 'Tower o'),
  }),
  fc.record({ name: fc.constantFrom(...PROPERTIES), exists: fc.boolean() }),
  range,
);

/** @param ids some of them exist */
export function filterArbitrary(
  ids: readonly string[],
  externalIds: readonly string[],
): fc.Arbitrary<FilterInput> {
  const leaf: fc.Arbitrary<FilterInput> = fc.oneof(
    box.map((bbox) => ({ bbox })),
    near.map((circle) => ({ near: circle })),
    polygon.map((geometry) => ({ polygon: geometry })),
    fc
      .constantFrom('caf', 'STRASSE', 'lodz', '京', '東京', 'of', 'fin', 'cafe tower', 'x')
      .map((search) => ({ search })),
    property.map((asked) => ({ property: asked })),
    fc.subarray([...ids], { minLength: 1, maxLength: 5 }).map((some) => ({ ids: some })),
    fc.subarray([...externalIds], { minLength: 1 }).map((some) => ({ externalIds: some })),
    fc.record({ from: time }).map((createdAt) => ({ createdAt })),
    fc.record({ to: time }).map((updatedAt) => ({ updatedAt })),
  );
  const some = (filter: fc.Arbitrary<FilterInput>) => fc.array(filter, { minLength: 1, maxLength: 3 });
  const inner = fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: some(leaf).map((and) => ({ and })) },
    { weight: 1, arbitrary: some(leaf).map((or) => ({ or })) },
    { weight: 1, arbitrary: leaf.map((not) => ({ not })) },
  );
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 2, arbitrary: some(inner).map((and) => ({ and })) },
    { weight: 2, arbitrary: some(inner).map((or) => ({ or })) },
    { weight: 1, arbitrary: fc.constant({}) },
  );
}

const ORDERS: readonly OrderInput[] = [
  { by: 'list' },
  { by: 'name' },
  { by: 'createdAt' },
  { by: 'updatedAt' },
  { by: 'distance' },
  ...PROPERTIES.map((name) => ({ by: 'property', property: name }) as const),
];

export const orderArbitrary: fc.Arbitrary<OrderInput> = fc
  .tuple(fc.constantFrom(...ORDERS), fc.constantFrom('asc' as const, 'desc' as const))
  .map(([order, direction]) => ({ ...order, direction }));

/** A distance order needs a center in the filter. */
export function searchOf(
  maps: readonly MapRecord[],
  filterInput: FilterInput,
  orderInput: OrderInput,
): LocationSearch {
  const filter = readFilter(filterInput, 'filter');
  const isRefused = orderInput.by === 'distance' && centerOf(filter) === null;
  const order: LocationOrder = readOrder(isRefused ? { by: 'list' } : orderInput, filter, 'orderBy');
  return { maps, filter, order };
}

const viewport = fc.tuple(latitude, latitude, longitude, longitude, fc.integer({ min: 0, max: 22 }));

export const gridArbitrary: fc.Arbitrary<ClusterGrid> = viewport.map(([a, b, west, east, zoom]) =>
  gridOf({ south: Math.min(a, b), north: Math.max(a, b), west, east }, zoom),
);

/** The clusters of these locations, by row and column. */
export function clustersOf(locations: readonly LocationRecord[], grid: ClusterGrid): readonly Cluster[] {
  const cells = new Map<string, { column: number; row: number; locations: LocationRecord[] }>();
  for (const location of locations) {
    const cell = cellAt(location, grid.bits);
    if (!isWithinGrid(grid, cell)) continue;
    const key = `${cell.row} ${cell.column}`;
    cells.set(key, { ...cell, locations: [...(cells.get(key)?.locations ?? []), location] });
  }
  const clusters = [...cells.values()].map(({ column, row, locations: own }) => {
    const [latitudes, longitudes] = [own.map((each) => each.latitude), own.map((each) => each.longitude)];
    return {
      column,
      row,
      count: own.length,
      latitudes: latitudes.reduce((sum, each) => sum + each, 0),
      longitudes: longitudes.reduce((sum, each) => sum + each, 0),
      box: {
        south: Math.min(...latitudes),
        west: Math.min(...longitudes),
        north: Math.max(...latitudes),
        east: Math.max(...longitudes),
      },
      location: own.length === 1 ? own[0]! : null,
    };
  });
  return clusters.sort(inReadingOrder(grid));
}

/** All results of a search, in order, by checking every location. */
export async function findAll(
  storage: Storage,
  { maps, filter, order }: LocationSearch,
): Promise<readonly SearchHit[]> {
  const found: SearchHit[] = [];
  for (const { id, createdAt, fields } of maps) {
    const matches = locationMatcher(filter, fields);
    const valueOf = sortValues(order, fields);
    for (const location of await listPage(storage, id)) {
      if (!matches(location)) continue;
      const { orderKey, sequence } = location;
      const key = { value: valueOf(location), map: { id, createdAt }, sortKey: { orderKey, sequence } };
      found.push({ location, key });
    }
  }
  const compare = compareSearchKeys(order);
  return found.sort((a, b) => compare(a.key, b.key));
}

export function pageOf(
  all: readonly SearchHit[],
  order: LocationOrder,
  { after, before, limit, fromEnd }: PageRequest<SearchSortKey>,
): readonly SearchHit[] {
  const compare = compareSearchKeys(order);
  const within = all.filter(
    ({ key }) => (after === null || compare(key, after) > 0) && (before === null || compare(key, before) < 0),
  );
  return fromEnd ? within.slice(-limit) : within.slice(0, limit);
}
