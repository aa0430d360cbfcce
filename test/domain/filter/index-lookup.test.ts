import fc from 'fast-check';

import { cellOf } from '../../../src/domain/filter/cell.ts';
import type { IndexLookup } from '../../../src/domain/filter/index-lookup.ts';
import { lookupsOf, isExactLookup, namesNeedingPresence } from '../../../src/domain/filter/index-lookup.ts';
import type { FilterInput, LocationFilter } from '../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import type { Filtered } from '../../../src/domain/filter/matcher.ts';
import { locationMatcher } from '../../../src/domain/filter/matcher.ts';
import { UNSEEN } from '../../../src/domain/filter/members.ts';
import type { PropertyPresence } from '../../../src/domain/filter/property-presence.ts';
import { presenceOf, presenceWith } from '../../../src/domain/filter/property-presence.ts';
import { termsOf } from '../../../src/domain/filter/terms.ts';
import {
  filterInput,
  geocoding,
  latitude,
  locationName,
  longitude,
  properties,
  SEARCHED_FIELDS,
} from '../../support/search-arbitraries.ts';
import { propertyRuns } from '../../support/scope.ts';

const RUNS = propertyRuns(3_000);

const IDS = ['m.1', 'm.2', 'm.3'];
const EXTERNAL_IDS = ['a', 'b'];

const location: fc.Arbitrary<Filtered> = fc.record({
  id: fc.constantFrom(...IDS),
  externalId: fc.constantFrom(null, ...EXTERNAL_IDS),
  name: locationName,
  latitude,
  longitude,
  properties,
  createdAt: fc.constantFrom(1_000, 1_001, 1_002),
  updatedAt: fc.constantFrom(1_000, 1_001, 1_002),
  geocoding,
});

function isFound(lookup: IndexLookup, found: Filtered): boolean {
  const terms = termsOf(found);
  const cell = cellOf(found);
  return (
    lookup.ids.includes(found.id) ||
    (found.externalId !== null && lookup.externalIds.includes(found.externalId)) ||
    lookup.cells.some(({ first, last }) => cell >= first && cell <= last) ||
    lookup.presences.includes(presenceOf(found.properties)) ||
    lookup.terms.some(({ text, isPrefix }) =>
      isPrefix ? terms.some((term) => term.startsWith(text)) : terms.includes(text),
    )
  );
}

/** The presences of these locations, each computed from one sample, as a store does. */
function presencesOf(filter: LocationFilter, locations: readonly Filtered[]): readonly PropertyPresence[] {
  const samples = new Map(locations.map(({ properties }) => [presenceOf(properties), properties]));
  return [...samples].map(([id, sample]) => presenceWith(id, sample, namesNeedingPresence(filter)));
}

const lookupsFor = (input: FilterInput) => lookupsOf(readFilter(input, 'filter'), SEARCHED_FIELDS);

describe('the index lookups of a filter', () => {
  it('each include every location that the filter matches', () => {
    let passed = 0;
    fc.assert(
      fc.property(
        filterInput(IDS, EXTERNAL_IDS),
        fc.array(location, { maxLength: 20 }),
        (input, locations) => {
          const filter = readFilter(input, 'filter');
          const matches = locationMatcher(filter, SEARCHED_FIELDS);
          const presences = presencesOf(filter, locations);
          const lookups = [null, presences].flatMap((known) => lookupsOf(filter, SEARCHED_FIELDS, known));
          for (const each of locations.filter(matches)) {
            passed += 1;
            expect(lookups.every((lookup) => isFound(lookup, each))).toBe(true);
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(passed).toBeGreaterThan(RUNS / 3);
  });

  it.each<[string, FilterInput, Partial<Filtered>]>([
    ['a box far away', { bbox: { south: 10, west: 10, north: 20, east: 20 } }, {}],
    ['a circle far away', { near: { latitude: 0, longitude: 0, radius: 1e6 } }, {}],
    [
      'a polygon far away',
      {
        polygon: {
          type: 'Polygon',
          coordinates: [
            [
              [1, 1],
              [2, 1],
              [2, 2],
              [1, 1],
            ],
          ],
        },
      },
      {},
    ],
    ['another word', { search: 'london' }, {}],
    ['another value', { property: { name: 'City', eq: 'London' } }, {}],
    ['a value of another property', { property: { name: 'Other', eq: 'Reykjavík' } }, {}],
    ['a number nearby', { property: { name: 'Seats', from: 41, to: 42 } }, {}],
    ['a smaller number', { property: { name: 'Seats', to: 39 } }, {}],
    ['a later day', { property: { name: 'Opened', from: '2026-01-02' } }, {}],
    ['strings beyond', { property: { name: 'City', from: 'S' } }, {}],
    ['another prefix', { property: { name: 'City', prefix: 'reykh' } }, {}],
    ['an empty range', { property: { name: 'Seats', from: 2, to: 1 } }, {}],
  ])('exclude a location that does not match %s', (_what, input, overrides) => {
    const here: Filtered = {
      id: 'm.1',
      externalId: null,
      name: 'Café Paris',
      latitude: 64.1466,
      longitude: -21.9426,
      properties: { Name: 'Café Paris', City: 'Reykjavík', Seats: 40, Opened: '2026-01-01' },
      createdAt: 0,
      updatedAt: 0,
      geocoding: UNSEEN.geocoding,
      ...overrides,
    };
    const lookups = lookupsFor(input);
    expect(lookups.length).toBeGreaterThan(0);
    expect(lookups.some((lookup) => isFound(lookup, here))).toBe(false);
  });

  it.each<[string, FilterInput]>([
    ['nothing', {}],
    ['a negation', { not: { search: 'paris' } }],
    ['geocoding', { geocoding: { isChecked: false } }],
    ['times', { createdAt: { from: new Date(0) } }],
    ['alternatives of which one has none', { or: [{ search: 'paris' }, { not: { search: 'paris' } }] }],
    ['a missing property, if presences are unknown', { property: { name: 'City', exists: false } }],
  ])('do not exist for %s', (_what, input) => {
    expect(lookupsFor(input)).toEqual([]);
  });
});

describe('the index lookups of property presence', () => {
  const here = (properties: Filtered['properties']): Filtered => ({
    id: 'm.1',
    externalId: null,
    name: '',
    latitude: 0,
    longitude: 0,
    properties,
    createdAt: 0,
    updatedAt: 0,
    geocoding: UNSEEN.geocoding,
  });
  const known = [here({ City: 'Paris' }), here({ City: '', Seats: 40 }), here({ Seats: null })];
  const found = (input: FilterInput, locations = known) => {
    const filter = readFilter(input, 'filter');
    const lookups = lookupsOf(filter, [], presencesOf(filter, locations));
    return lookups.map((lookup) => locations.filter((each) => isFound(lookup, each)));
  };

  it('include exactly the locations with or without a property', () => {
    expect(found({ property: { name: 'City', exists: false } })).toEqual([known.slice(1)]);
    expect(found({ property: { name: 'City', exists: true } })).toEqual([known.slice(0, 1)]);
    expect(
      found({
        property: { name: 'City', exists: false },
        and: [{ property: { name: 'Seats', exists: true } }],
      }),
    ).toEqual([known.slice(1), [known[1]]]);
  });

  it('include the matches of both alternatives', () => {
    const [noCity, seats] = [
      { name: 'City', exists: false },
      { name: 'Seats', exists: true },
    ];
    expect(found({ or: [{ property: seats }, { property: noCity }] })).toEqual([known.slice(1)]);
  });

  it('are empty if nothing can match, and do not exist if everything can', () => {
    expect(found({ property: { name: 'Other', exists: true } })).toEqual([[]]);
    expect(found({ property: { name: 'Other', exists: false } })).toEqual([]);
    expect(found({ property: { name: 'City', exists: true } }, known.slice(0, 1))).toEqual([]);
  });
});

describe('the terms of a location', () => {
  it('are unique words to SQLite, and few for a long text without spaces', () => {
    fc.assert(
      fc.property(location, (each) => {
        const terms = termsOf(each);
        for (const term of terms) expect(term).toMatch(/^[a-z0-9\u0080-\u{10ffff}]+$/u);
        expect(new Set(terms).size).toBe(terms.length);
      }),
    );
    expect(termsOf({ name: 'a b a', properties: {} })).toEqual(['wa', 'wb']);
    expect(termsOf({ name: '', properties: {} })).toEqual([]);
    const text = '東京都庁'.repeat(500);
    expect(termsOf({ name: text, properties: {} }).length).toBeLessThan(10);
  });
});

describe('an exact lookup', () => {
  const character = fc.constantFrom('a', 'b', 'ß', '東', '京', 'ก', '1', ' ');
  const words = fc.string({ unit: character, minLength: 1, maxLength: 20 });
  const query = words.filter((text) => text.trim() !== '');

  it('finds exactly the matches', () => {
    fc.assert(
      fc.property(words, words, fc.tuple(query, fc.nat(20)), (name, value, [search, begin]) => {
        // Often a part of the text.
        const part = name.slice(begin % name.length).trim();
        const filter = readFilter({ search: begin < 15 && part !== '' ? part : search }, 'filter');
        if (!isExactLookup(filter)) return;
        const location = { ...UNSEEN, name, properties: { value } };
        const terms = termsOf(location);
        const isFound = lookupsOf(filter, []).every((lookup) =>
          lookup.terms.some(({ text }) => terms.some((term) => term.startsWith(text))),
        );
        expect(isFound).toBe(locationMatcher(filter, [])(location));
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });

  it('consists of whole words only', () => {
    const isExact = (input: FilterInput) => isExactLookup(readFilter(input, 'filter'));
    expect(isExact({ search: 'donaudampfschiff' })).toBe(true);
    expect(isExact({ search: 'donaudampfschiffe' })).toBe(false);
    expect(isExact({ and: [{ search: '東京' }, { search: 'a b' }] })).toBe(true);
    expect(isExact({ search: '東京駅' })).toBe(false);
    expect(isExact({ not: { search: 'a' } })).toBe(false);
    expect(isExact({ or: [{ search: 'a' }] })).toBe(false);
    expect(isExact({ property: { name: 'a', eq: 'a' } })).toBe(false);
    expect(isExact({})).toBe(false);
  });
});
