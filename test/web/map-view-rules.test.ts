/** Rules of the map page that need no browser. */

import fc from 'fast-check';

import { clipLine, clipRing } from '../../src/web/basemap/clip.ts';
import { boxAround, longitudeNear, toBbox, wrapLongitude } from '../../src/web/basemap/box.ts';
import { CATEGORY_MARKS, marksOf, OTHER_MARK } from '../../web/shared/map/category-marks.ts';
import { valuesOf } from '../../src/domain/categories.ts';
import { readSearchQuery } from '../../src/domain/filter/search-text.ts';
import { searchOf } from '../../web/shared/text.ts';
import { filterOf, foldedOf, knownCategoryOf } from '../../web/map/filters.ts';
import { formatFragment, parseFragment } from '../../web/map/fragment.ts';
import type { MapFeature } from '../../web/shared/map/map-features.ts';
import { clusterSize, mergeOverlapping } from '../../web/shared/map/map-features.ts';
import { minZoomFor } from '../../web/shared/map/framing.ts';

describe('the URL fragment', () => {
  it('names the open location and the view, and is parsed back', () => {
    const fragment = { locationId: 'm1_a&b', view: { zoom: 9, latitude: 55.6761, longitude: -12.5683 } };
    expect(formatFragment(fragment)).toBe('#location=m1_a%26b&map=9/55.6761/-12.5683');
    expect(parseFragment(formatFragment(fragment))).toEqual(fragment);
    expect(formatFragment({ locationId: null, view: null })).toBe('');
    expect(parseFragment('')).toEqual({ locationId: null, view: null });
  });

  it('rounds a fractional zoom to a hundredth', () => {
    const view = { zoom: 0.6072, latitude: 0, longitude: 0 };
    expect(formatFragment({ locationId: null, view })).toBe('#map=0.61/0/0');
  });

  it('is ignored if it is malformed', () => {
    for (const hash of [
      '#map=9/55',
      '#map=9/55/12/1',
      '#map=x/55/12',
      '#map=/55/12',
      '#map=99/55/12',
      '#map=9/91/12',
      '#map=9/55/181',
      '#map=Infinity/0/0',
      '#%E0%A4%A',
      '#location=',
      '##',
    ]) {
      expect(parseFragment(hash)).toEqual({ locationId: null, view: null });
    }
  });
});

describe('the filter from the reader’s choices', () => {
  const choices = {
    search: '',
    categoryField: 'Kind',
    category: '',
    known: new Map([
      ['Bar', 'Bar'],
      ['cafe', 'Cafés'],
      ['roastery', 'Café roasteries'],
    ]),
    valuesOf: (category: string) => valuesOf(category, [' Bar ', 'cafe', 3, '3', true, null]),
    bbox: null,
    openAt: null,
  };

  it('matches everything if nothing is chosen, or the search has no word', () => {
    expect(filterOf(choices)).toBeNull();
    expect(filterOf({ ...choices, search: ' -! ', category: ' ' })).toBeNull();
  });

  it('matches a known category exactly, and any other as a prefix', () => {
    expect(filterOf({ ...choices, category: 'Bar' })).toEqual({
      property: { name: 'Kind', in: ['Bar', ' Bar '] },
    });
    expect(filterOf({ ...choices, category: 'pu ' })).toEqual({ property: { name: 'Kind', prefix: 'pu' } });
    expect(filterOf({ ...choices, categoryField: null, category: 'Bar' })).toBeNull();
  });

  it('matches a category by its label, or the beginning of one', () => {
    const filterBy = (category: string) => filterOf({ ...choices, category });
    expect(filterBy('Cafés')).toEqual({ property: { name: 'Kind', in: ['cafe'] } });
    expect(filterBy('cafe')).toEqual({ property: { name: 'Kind', in: ['cafe'] } });
    expect(filterBy('café ')).toEqual({
      or: [
        { property: { name: 'Kind', prefix: 'café' } },
        { property: { name: 'Kind', in: ['cafe', 'roastery'] } },
      ],
    });
    expect(filterBy('CAFE R')).toEqual({
      or: [
        { property: { name: 'Kind', prefix: 'CAFE R' } },
        { property: { name: 'Kind', in: ['roastery'] } },
      ],
    });
  });

  it('combines choices, and cuts a search to what the API accepts', () => {
    const bbox = { south: 1, west: 2, north: 1, east: 2 };
    expect(filterOf({ ...choices, search: ' caf ', category: 'Bar', bbox })).toEqual({
      and: [{ search: 'caf' }, { property: { name: 'Kind', in: ['Bar', ' Bar '] } }, { bbox }],
    });
    expect(filterOf({ ...choices, search: '😀'.repeat(200) + 'a' })).toEqual({
      search: '😀'.repeat(200) + 'a',
    });
    expect(filterOf({ ...choices, search: '😀'.repeat(300) + 'a' })).toBeNull();
    const address = '12 Rue de la Paix 75002 Paris Île de France France Europe';
    expect(filterOf({ ...choices, search: address })).toEqual({
      search: '12 Rue de la Paix 75002 Paris Île de France',
    });
    expect(filterOf({ ...choices, search: 'x'.repeat(70) })).toEqual({ search: 'x'.repeat(64) });
  });

  it('has only searches that the API accepts, whatever was typed', () => {
    const letters = fc.constantFrom(
      'a',
      'é',
      'が',
      'ß',
      'ﷺ',
      '½',
      '\u0301',
      '\u3099',
      "'",
      'ʼ',
      '’',
      ' ',
      '-',
      '😀',
    );
    const typed = fc.oneof(
      fc.string({ unit: letters, maxLength: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const search = searchOf(text);
        if (search !== null) expect(readSearchQuery(search, 'search')).not.toEqual([]);
      }),
    );
  });

  it('matches a category that is a number or a boolean, known or not', () => {
    const filterBy = (category: string, known = choices.known) => filterOf({ ...choices, known, category });
    const seen = new Map([
      ['3', '3'],
      ['true', 'true'],
    ]);
    expect(filterBy('3', seen)).toEqual({ property: { name: 'Kind', in: ['3', 3] } });
    expect(filterBy('true', seen)).toEqual({ property: { name: 'Kind', in: ['true', true] } });
    expect(filterBy('4')).toEqual({
      or: [{ property: { name: 'Kind', prefix: '4' } }, { property: { name: 'Kind', in: [4] } }],
    });
  });

  it('takes the category that an address names, whatever its case and accents', () => {
    const nearest = (text: string) => knownCategoryOf(text, choices.known, foldedOf);
    expect(['bar', 'CAFE', 'Cafés', ' cafes'].map(nearest)).toEqual(['Bar', 'cafe', 'cafe', 'cafe']);
    expect(['pub', 'ba', ''].map(nearest)).toEqual(['pub', 'ba', '']);
  });
});

describe('boxes', () => {
  const box = (south: number, west: number, north: number, east: number) => ({ south, west, north, east });

  it('enclose boxes the shorter way around the globe', () => {
    expect(boxAround([])).toBeNull();
    expect(boxAround([box(1, 2, 3, 4)])).toEqual(box(1, 2, 3, 4));
    expect(boxAround([box(0, -10, 1, -5), box(2, 20, 3, 30)])).toEqual(box(0, -10, 3, 30));
    // Across the antimeridian.
    expect(boxAround([box(0, -175, 1, -170), box(2, 170, 3, 178)])).toEqual(box(0, 170, 3, 190));
    expect(boxAround([box(0, 179, 1, -179)])).toEqual(box(0, 179, 1, 181));
    expect(boxAround([box(0, -175, 0, -175), box(0, 20, 0, 20), box(0, 175, 0, 175)])).toEqual(
      box(0, 20, 0, 185),
    );
  });

  it('are requested with longitudes in range', () => {
    expect(toBbox(box(-95, 170, 95, 190))).toEqual(box(-90, 170, 90, -170));
    expect(toBbox(box(0, -200, 1, -170))).toEqual(box(0, 160, 1, -170));
    expect(toBbox(box(0, -300, 1, 100))).toEqual(box(0, -180, 1, 180));
    // A location may be on either.
    expect([-180, 180, 190, -190, 540].map(wrapLongitude)).toEqual([-180, 180, -170, 170, -180]);
    expect(toBbox(box(0, 180, 1, 180))).toEqual(box(0, 180, 1, 180));
    expect(longitudeNear(-175, 170)).toBe(185);
  });
});

describe('the minimum zoom', () => {
  const worldIn = (width: number, height: number) => Math.round(256 * 2 ** minZoomFor({ width, height }));

  it('shows the whole world: as wide as a tall element, as high as a wide one', () => {
    expect(worldIn(390, 396)).toBe(390);
    expect(worldIn(390, 717)).toBe(390);
    expect(worldIn(880, 900)).toBe(880);
    expect(worldIn(1_600, 900)).toBe(900);
  });

  it('does not make the world narrower than a low element', () => {
    expect(worldIn(480, 256)).toBe(480);
    expect(worldIn(1_600, 300)).toBe(512);
    expect(worldIn(0, 0)).toBe(256);
  });
});

describe('markers on the map', () => {
  const spot = (longitude: number, count = 1, latitude = 0): MapFeature => ({
    latitude,
    longitude,
    count,
    box: { south: latitude, west: longitude, north: latitude, east: longitude },
    location: count === 1 ? { id: `id ${longitude}`, name: 'A' } : null,
  });
  /** A degree is a pixel. */
  const pixelOf = ({ latitude, longitude }: MapFeature) => ({
    x: longitude < 0 ? longitude + 360 : longitude,
    y: -latitude,
  });
  const joined = (...features: MapFeature[]) => mergeOverlapping(features, pixelOf);

  it('stay if nothing is near, and lose no location when merged', () => {
    const [a, b] = [spot(10), spot(36)];
    expect(joined(a, b)).toEqual([a, b]);
    expect(joined(spot(10, 3), spot(14), spot(80))).toEqual([
      expect.objectContaining({
        count: 4,
        longitude: 11,
        location: null,
        box: expect.objectContaining({ west: 10, east: 14 }),
      }),
      expect.objectContaining({ count: 1, longitude: 80 }),
    ]);
  });

  it('merge across the antimeridian on the nearer side', () => {
    const [mark] = joined(spot(179), spot(-179));
    expect(mark).toMatchObject({ count: 2, longitude: 180, box: { west: 179, east: 181 } });
  });

  it('leave no pin, neither point nor head, under a cluster', () => {
    // A pin's head is above its point, so a pin south of a cluster overlaps it from farther away than one north of it.
    expect(joined(spot(0, 5), spot(0, 1, -40))).toHaveLength(1);
    expect(joined(spot(0, 5), spot(0, 1, 40))).toHaveLength(2);
    expect(joined(spot(0, 5_000), spot(0, 1, 22))).toHaveLength(1);
  });

  it('overlap no other marker after a merge', () => {
    // Two become a cluster, which is larger than a pin and overlaps the third.
    expect(joined(spot(0), spot(20), spot(31))).toEqual([expect.objectContaining({ count: 3 })]);
  });

  it('never overlap, whatever is merged', () => {
    const anyLocation = fc.record({
      latitude: fc.integer({ min: -80, max: 80 }),
      longitude: fc.integer({ min: 0, max: 170 }),
      count: fc.constantFrom(1, 1, 1, 2, 30, 400, 5_000),
    });
    fc.assert(
      fc.property(fc.array(anyLocation, { maxLength: 60 }), (locations) => {
        const features = locations.map(({ latitude, longitude, count }) => spot(longitude, count, latitude));
        const marks = joined(...features);
        const sum = (of: readonly MapFeature[]) => of.reduce((total, { count }) => total + count, 0);
        expect(sum(marks)).toBe(sum(features));
        const clusters = marks.filter(({ location }) => location === null);
        for (const cluster of clusters) {
          const [at, radius] = [pixelOf(cluster), clusterSize(cluster.count) / 2];
          for (const other of marks) {
            if (other === cluster) continue;
            const { x, y } = pixelOf(other);
            const distance = Math.hypot(x - at.x, y - at.y);
            if (other.location === null) {
              expect(distance).toBeGreaterThan(radius + clusterSize(other.count) / 2);
            } else {
              expect(distance).toBeGreaterThan(radius);
              // The centre of its head.
              expect(Math.hypot(x - at.x, y - 21 - at.y)).toBeGreaterThan(radius + 11);
            }
          }
        }
      }),
    );
  });
});

describe('the markers of categories', () => {
  it('are assigned to the categories with the most locations, in the order of their names', () => {
    const counts = new Map(Array.from({ length: 9 }, (_, index) => [`Kind ${index}`, index < 2 ? 1 : 5]));
    const marks = marksOf(counts);
    expect([...marks]).toEqual(CATEGORY_MARKS.map((mark, index) => [`Kind ${index + 2}`, mark]));
    const [first, second] = CATEGORY_MARKS;
    expect([...marksOf(new Map([...counts].slice(0, 2)))]).toEqual([
      ['Kind 0', first],
      ['Kind 1', second],
    ]);
  });

  it('also differ in shape', () => {
    const all = [...CATEGORY_MARKS, OTHER_MARK];
    expect(new Set(all.map(({ shape }) => shape)).size).toBe(all.length);
  });
});

describe('outlines', () => {
  const square = { minX: 0, minY: 0, maxX: 1, maxY: 1 };

  it('are clipped to a square', () => {
    const area = (points: readonly number[] | Float64Array) => {
      let sum = 0;
      for (let index = 0; index < points.length; index += 2) {
        const next = (index + 2) % points.length;
        sum += points[index]! * points[next + 1]! - points[next]! * points[index + 1]!;
      }
      return Math.abs(sum) / 2;
    };
    expect(area(clipRing([-1, -1, 2, -1, 2, 2, -1, 2], square))).toBe(1);
    expect(area(clipRing([0.5, 0.5, 2, 0.5, 2, 2, 0.5, 2], square))).toBe(0.25);
    expect(clipRing([2, 2, 3, 2, 3, 3], square)).toHaveLength(0);
  });

  it('keep the segments of a line that may be visible', () => {
    expect(clipLine([-5, 0.5, -4, 0.5, 0.5, 0.5, 5, 0.5, 6, 0.5], square)).toEqual([
      [-4, 0.5, 0.5, 0.5, 5, 0.5],
    ]);
    expect(clipLine([-1, 5, 2, 5], square)).toEqual([]);
  });
});
