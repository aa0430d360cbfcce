import type { FilterInput } from '../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import type { Filtered } from '../../../src/domain/filter/matcher.ts';
import { locationMatcher } from '../../../src/domain/filter/matcher.ts';
import { expectRefused } from '../refused.ts';
import { literally } from './literally.ts';

const HERE: Filtered = {
  id: 'm.1',
  externalId: 'ours-1',
  name: 'Café Paris',
  latitude: 64.1466,
  longitude: -21.9426,
  properties: { Name: 'Café Paris', City: 'Reykjavík', Seats: 40, Open: true },
  createdAt: Date.UTC(2026, 0, 1),
  updatedAt: Date.UTC(2026, 5, 1),
  geocoding: { provider: 'offline', precision: 'street', isAmbiguous: false, isChecked: false },
};
const passes = (filter: FilterInput, location: Partial<Filtered> = {}) =>
  locationMatcher(readFilter(filter, 'filter'), [])({ ...HERE, ...location });
const near = (radius: number) => ({ latitude: HERE.latitude, longitude: HERE.longitude, radius });
const box = (south: number, west: number, north: number, east: number) => ({ south, west, north, east });
const nested = (depth: number): FilterInput => (depth === 1 ? {} : { not: nested(depth - 1) });

describe('a filter of locations', () => {
  it.each<[string, FilterInput, Partial<Filtered>, boolean]>([
    ['nothing', {}, {}, true],
    ['nulls', { and: null, bbox: null, ids: null, createdAt: null }, {}, true],
    ['a condition that holds and one that does not', { ids: ['m.1'], search: 'london' }, {}, false],
    ['one of two', { or: [{ search: 'london' }, { search: 'paris' }] }, {}, true],
    ['both of two', { and: [{ search: 'london' }, { search: 'paris' }] }, {}, false],
    ['the negation of a condition', { not: { search: 'london' } }, {}, true],
    ['not nothing', { not: {} }, {}, false],
    ['a word of a property', { search: 'reykj' }, {}, true],
    ['a number of a property', { search: '40' }, {}, false],
    ['a box around it', { bbox: box(64, -22, 65, -21) }, {}, true],
    ['a box with it on the corner', { bbox: box(64.1466, -21.9426, 65, -21) }, {}, true],
    ['a box next to it', { bbox: box(64, -21.9425, 65, -21) }, {}, false],
    [
      'a box across the antimeridian',
      { bbox: box(-1, 179, 1, -179) },
      { latitude: 0, longitude: -180 },
      true,
    ],
    ['a box across the antimeridian', { bbox: box(-1, 179, 1, -179) }, { latitude: 0, longitude: 0 }, false],
    ['a circle of no radius at the point', { near: near(0) }, {}, true],
    ['a circle of no radius next to it', { near: near(0) }, { latitude: 64.1467 }, false],
    [
      'a circle as large as the globe',
      { near: near(20_037_509) },
      { latitude: -64.1466, longitude: 158.0574 },
      true,
    ],
    ['another id', { ids: ['m.2'] }, {}, false],
    ['its external id', { externalIds: ['theirs', 'ours-1'] }, {}, true],
    ['external ids, when it has none', { externalIds: ['ours-1'] }, { externalId: null }, false],
    [
      'its creation time as both bounds',
      { createdAt: { from: new Date(HERE.createdAt), to: new Date(HERE.createdAt) } },
      {},
      true,
    ],
    ['a time before its update', { updatedAt: { to: new Date(HERE.updatedAt - 1) } }, {}, false],
    [
      'the time of its update or later',
      { updatedAt: { from: new Date(HERE.updatedAt), to: null } },
      {},
      true,
    ],
    ['its geocoder', { geocoding: { provider: ['manual', 'offline'] } }, {}, true],
    ['another geocoder', { geocoding: { provider: ['Offline'] } }, {}, false],
    ['its precision, unchecked', { geocoding: { precision: ['street'], isChecked: false } }, {}, true],
    ['its precision, checked', { geocoding: { precision: ['street'], isChecked: true } }, {}, false],
    ['other precisions', { geocoding: { precision: ['rooftop', 'region'] } }, {}, false],
    ['an ambiguous point', { geocoding: { isAmbiguous: true, isChecked: null } }, {}, false],
    ['the negation of ambiguous points', { not: { geocoding: { isAmbiguous: true } } }, {}, true],
  ])('that asks for %s', (_what, filter, location, expected) => {
    expect(passes(filter, location)).toBe(expected);
  });

  it('may nest five levels and hold fifty filters in all', () => {
    expect(passes(nested(5))).toBe(true);
    expect(passes({ or: Array.from({ length: 49 }, () => ({})) })).toBe(true);
  });

  it.each<[string, FilterInput, string]>([
    ['six deep', nested(6), 'filter.not.not.not.not.not'],
    ['with 51 filters', { or: Array.from({ length: 50 }, () => ({})) }, 'filter holds more than the 50'],
    ['with an empty and', { and: [] }, 'filter.and'],
    ['with an empty or', { not: { or: [] } }, 'filter.not.or'],
    ['without ids', { ids: [] }, 'filter.ids'],
    ['with over 1,000 ids', { externalIds: Array.from({ length: 1001 }, String) }, 'filter.externalIds'],
    ['with a box upside down', { and: [{}, { bbox: box(2, 0, 1, 0) }] }, 'filter.and[1].bbox.south'],
    ['with a box out of range', { bbox: box(0, -181, 1, 0) }, 'filter.bbox.west'],
    ['with a negative radius', { near: near(-1) }, 'filter.near.radius'],
    ['with too large a radius', { near: near(20_037_510) }, 'filter.near.radius'],
    ['with a centre out of range', { near: { ...near(1), latitude: 91 } }, 'filter.near.latitude'],
    ['with an empty range of time', { createdAt: {} }, 'filter.createdAt'],
    ['with no condition on geocoding', { geocoding: { isChecked: null } }, 'filter.geocoding must have'],
    ['without precisions', { geocoding: { precision: [] } }, 'filter.geocoding.precision has 0 items'],
    [
      'with over 100 geocoders',
      { geocoding: { provider: Array.from({ length: 101 }, String) } },
      'filter.geocoding.provider has 101',
    ],
    ['with an invalid polygon', { polygon: {} }, 'filter.polygon.type'],
    ['with an empty search', { search: '' }, 'filter.search'],
    ['with a property and no condition', { property: { name: 'p' } }, 'filter.property'],
  ])('is refused %s, naming the input', (_what, filter, named) => {
    expectRefused(() => readFilter(filter, 'filter'), literally(named));
  });
});
