/** Random maps, locations and searches, with the oracle's results. */

import { inspect } from 'node:util';

import fc from 'fast-check';

import type { FilterInput } from '../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import type { SearchSortKey, OrderInput } from '../../../src/domain/filter/location-order.ts';
import { readOrder } from '../../../src/domain/filter/location-order.ts';
import type { SearchHit, LocationSearch } from '../../../src/domain/filter/location-search.ts';
import type { LocationRecord, NewLocation } from '../../../src/domain/location.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import type { PageRequest } from '../../../src/domain/paging/paging.ts';
import type { LocationUpdate, Storage } from '../../../src/storage/storage.ts';
import { centersOf, referenceSearch } from '../../domain/filter/reference-search.ts';
import {
  filterInput,
  geocoding,
  latitude,
  locationName,
  longitude,
  mapFields,
  orderInput,
  properties,
} from '../../support/search-arbitraries.ts';
import { anInsert, anUpdate, insertAll, locationOf, seedMap, updateAll, updatedOf } from './fixtures.ts';
import { compareCodePoints } from './reference.ts';

/** Placeholders for locations in filters until they have ids. */
const PLACEHOLDERS = Array.from({ length: 30 }, (_, index) => `#${index}`);
const EXTERNAL_IDS = PLACEHOLDERS.map((_, index) => `ours ${index}`);

export interface PlannedLocation {
  /** The index of the map, by remainder. */
  readonly map: number;
  readonly order: string | null;
  readonly values: Pick<
    NewLocation,
    'name' | 'latitude' | 'longitude' | 'properties' | 'createdAt' | 'geocoding'
  >;
}

export interface Change {
  readonly at: number;
  readonly kind: 'fields' | 'point' | 'geocoding' | 'order' | 'external id' | 'delete';
  readonly by: PlannedLocation;
}

export interface Plan {
  readonly maps: readonly Pick<MapRecord, 'createdAt' | 'fields'>[];
  readonly locations: readonly PlannedLocation[];
  readonly changes: readonly Change[];
}

export const order = fc.constantFrom(null, '1', '1.0', '2', '-3', '10', 'a', 'b');

export const plannedLocation: fc.Arbitrary<PlannedLocation> = fc.record({
  map: fc.nat({ max: 2 }),
  order,
  values: fc.record({
    name: locationName,
    latitude,
    longitude,
    properties,
    createdAt: fc.constantFrom(1_000, 1_001, 1_002),
    geocoding,
  }),
});

export const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat({ max: 99 }),
  kind: fc.constantFrom('fields', 'point', 'geocoding', 'order', 'external id', 'delete'),
  by: plannedLocation,
});

export const plan: fc.Arbitrary<Plan> = fc.record({
  maps: fc.array(fc.record({ createdAt: fc.constantFrom(1, 2), fields: mapFields }), {
    minLength: 1,
    maxLength: 3,
  }),
  locations: fc.array(plannedLocation, { minLength: 1, maxLength: PLACEHOLDERS.length, size: 'max' }),
  changes: fc.array(change, { maxLength: 10 }),
});

export const filter = filterInput(PLACEHOLDERS, EXTERNAL_IDS);

/** A search, with the maps by their index. */
export interface SearchQuestion {
  readonly maps: readonly number[];
  readonly filter: FilterInput;
  readonly order: OrderInput;
}

export const anyQuestion: fc.Arbitrary<SearchQuestion> = fc
  .record({
    maps: fc.subarray([0, 1, 2], { minLength: 1 }),
    filter,
    order: orderInput,
    near: fc.record({ latitude, longitude, radius: fc.constant(20_037_509) }),
  })
  .map(({ near, ...each }) => {
    if (each.order.by !== 'distance' || centersOf(each.filter).length === 1) return each;
    // An order by distance needs exactly one circle that always applies.
    return { ...each, filter: { near, not: { not: each.filter } } };
  })
  .filter(({ filter: each }) => isTaken(each));

function isTaken(input: FilterInput): boolean {
  try {
    readFilter(input, 'filter');
    return true;
  } catch {
    return false;
  }
}

/** Stored maps and locations, tracked independently of the store. */
export class World {
  readonly storage: Storage;
  /** In order of creation. */
  readonly maps: readonly MapRecord[];
  /** In order of insertion; null for a deleted one. */
  readonly #all: (LocationRecord | null)[] = [];
  readonly #ids: string[] = [];

  private constructor(storage: Storage, maps: readonly MapRecord[]) {
    this.storage = storage;
    this.maps = maps;
  }

  static async of(storage: Storage, { maps, locations, changes }: Plan): Promise<World> {
    const stored: MapRecord[] = [];
    for (const each of maps) stored.push(await seedMap(storage, each));
    stored.sort((a, b) => a.createdAt - b.createdAt || compareCodePoints(a.id, b.id));
    const world = new World(storage, stored);
    await world.insert(locations);
    for (const each of changes) await world.change(each);
    return world;
  }

  get locations(): readonly LocationRecord[] {
    return this.#all.filter((location) => location !== null);
  }

  /** Inserts a map's locations in one call. Every third one has an external id. */
  async insert(locations: readonly PlannedLocation[]): Promise<readonly string[]> {
    const inserted: string[] = [];
    for (const [number, { id: mapId }] of this.maps.entries()) {
      const own = locations.filter(({ map }) => map % this.maps.length === number);
      if (own.length === 0) continue;
      const inserts = own.map(({ order: at, values }, index) => {
        const externalId = (this.#all.length + index) % 3 === 0 ? `ours ${this.#all.length + index}` : null;
        return anInsert(mapId, { order: at, location: { ...values, externalId } });
      });
      for (const outcome of await insertAll(this.storage, mapId, inserts)) {
        const location = locationOf(outcome);
        this.#all.push(location);
        this.#ids.push(location.id);
        inserted.push(location.id);
      }
    }
    return inserted;
  }

  /** @param among ids of the locations that may change; by default all */
  async change({ at, kind, by }: Change, among: readonly string[] = this.#ids): Promise<void> {
    const location = this.locations.filter(({ id }) => among.includes(id))[at % Math.max(1, among.length)];
    if (location === undefined) return;
    const index = this.#ids.indexOf(location.id);
    if (kind === 'delete') {
      await this.storage.deleteLocation(location.mapId, location.id);
      this.#all[index] = null;
      return;
    }
    const [outcome] = await updateAll(this.storage, location.mapId, [updateOf(location, kind, by, index)]);
    this.#all[index] = updatedOf(outcome);
  }

  /** The search in the port's form. */
  searchOf(question: SearchQuestion): LocationSearch {
    const read = readFilter(this.named(question.filter), 'filter');
    const maps = this.maps.filter((_, number) => question.maps.includes(number));
    return { maps, filter: read, order: readOrder(question.order, read, 'orderBy') };
  }

  /** The oracle's result. */
  expectedOf(question: SearchQuestion): readonly LocationRecord[] {
    const maps = this.maps.filter((_, number) => question.maps.includes(number));
    return referenceSearch(maps, this.locations, this.named(question.filter), question.order);
  }

  /** The filter with ids for placeholders. */
  named(input: FilterInput): FilterInput {
    const { and, or, not, ids } = input;
    return {
      ...input,
      ...(and && { and: and.map((each) => this.named(each)) }),
      ...(or && { or: or.map((each) => this.named(each)) }),
      ...(not && { not: this.named(not) }),
      ...(ids && { ids: ids.map((id) => this.#ids[PLACEHOLDERS.indexOf(id)] ?? id) }),
    };
  }
}

function updateOf(
  location: LocationRecord,
  kind: Exclude<Change['kind'], 'delete'>,
  { order: to, values }: PlannedLocation,
  index: number,
): LocationUpdate {
  // A few distinct times make ties, like updates within one millisecond.
  const at = (update: LocationUpdate) => ({ ...update, updatedAt: 1_000 + (update.version % 3) });
  switch (kind) {
    case 'fields':
      return at(anUpdate(location, { name: values.name, properties: values.properties }));
    case 'point':
      return at(anUpdate(location, { latitude: values.latitude, longitude: values.longitude }));
    case 'geocoding':
      return at(anUpdate(location, { geocoding: values.geocoding }));
    case 'order':
      return at(anUpdate(location, {}, to ?? '7'));
    case 'external id':
      return at(anUpdate(location, { externalId: location.externalId === null ? `new ${index}` : null }));
  }
}

/** Fails with the whole question, not only with the difference. */
export function expectResult(question: unknown, response: unknown, expected: unknown): void {
  try {
    expect(response).toEqual(expected);
  } catch (error) {
    const text = inspect(question, { depth: 12, maxArrayLength: 20, maxStringLength: 200 });
    throw new Error(`question: ${text}\n${(error as Error).message}`, { cause: error });
  }
}

/** Without the difference between 0 and -0, which JSON drops. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export function idsOfHits(found: readonly SearchHit[]): readonly string[] {
  return found.map(({ location }) => location.id);
}

export const WHOLE: PageRequest<SearchSortKey> = { limit: 10_000, fromEnd: false, after: null, before: null };

/** Reads all hits page by page. */
export async function walkHits(
  storage: Storage,
  search: LocationSearch,
  { limit, fromEnd }: Pick<PageRequest<SearchSortKey>, 'limit' | 'fromEnd'>,
  between: () => Promise<void> = async () => {},
): Promise<readonly SearchHit[]> {
  const seen: SearchHit[] = [];
  let edge: SearchSortKey | null = null;
  for (let pages = 0; pages < 2_000; pages += 1) {
    const range: Partial<PageRequest<SearchSortKey>> = fromEnd ? { before: edge } : { after: edge };
    const page = await storage.findLocations(search, { ...WHOLE, limit, fromEnd, ...range });
    expect(page.length).toBeLessThanOrEqual(limit);
    if (fromEnd) seen.unshift(...page);
    else seen.push(...page);
    if (page.length < limit) return seen;
    edge = (fromEnd ? page[0] : page.at(-1))?.key ?? null;
    await between();
  }
  throw new Error('Paging does not end.');
}
