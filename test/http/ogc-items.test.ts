/** The locations that /ogc finds and pages, on each store, compared with an oracle that filters a list. */

import fc from 'fast-check';

import { createPublishedMap } from '../support/published-map.ts';
import { propertyRuns } from '../support/scope.ts';
import * as arbitraries from '../support/search-arbitraries.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { describeOnStores } from '../support/stores.ts';

type Value = string | number | boolean | null;

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Text', type: 'text' },
  { name: 'Number', type: 'number' },
  { name: 'Ünï &=%+ 東京', type: 'text' },
  { name: 'limit', type: 'text' },
];
/** `limit` is a parameter of the standard. */
const FILTERS = ['Name', 'Text', 'Number', 'Ünï &=%+ 東京'];

const VALUES: readonly Value[] = [
  ...[
    '',
    ' ',
    'a',
    'A',
    ' a ',
    '\u00e9',
    'e\u0301',
    '東京',
    '😀',
    'a&b=c+d%20',
    "'; --",
    'null',
    'true',
    'false',
  ],
  ...[
    '0',
    '-0',
    '1',
    '01',
    '1.0',
    '1.50',
    '1e3',
    '1000',
    '.5',
    '9007199254740991',
    '9007199254740993',
    'NaN',
    'Infinity',
  ],
  ...[0, 1, 1.5, -1.5, 1000, 0.5, 9007199254740991, true, false, null],
];

interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly fields: Readonly<Record<string, Value>>;
}

interface Feature {
  readonly id: string;
  readonly updatedAt: string;
  readonly geometry: { readonly coordinates: readonly [number, number] };
  readonly properties: Readonly<Record<string, Value>>;
}

/** A parameter, and the locations that it selects. */
interface Parameter {
  readonly name: string;
  readonly text: string;
  readonly selects: (feature: Feature) => boolean;
}

const anyValue = fc.constantFrom(...VALUES);
const anyPlace: fc.Arbitrary<Place> = fc.record({
  latitude: arbitraries.latitude,
  longitude: arbitraries.longitude,
  fields: fc.dictionary(fc.constantFrom('Text', 'Number', 'Ünï &=%+ 東京', 'limit'), anyValue, {
    maxKeys: 4,
  }),
});
/** Groups that are stored at different times. */
const anyGroups = fc.array(
  fc.record({
    after: fc.integer({ min: 1, max: 3 }),
    places: fc.array(anyPlace, { minLength: 1, maxLength: 5 }),
  }),
  { maxLength: 4 },
);

const anyBbox: fc.Arbitrary<Parameter> = fc
  .record({ box: arbitraries.box, heights: fc.option(fc.tuple(fc.integer(), fc.integer())) })
  .map(({ box: { south, west, north, east }, heights }) => ({
    name: 'bbox',
    text:
      heights === null
        ? [west, south, east, north].join(',')
        : [west, south, Math.min(...heights), east, north, Math.max(...heights)].join(', '),
    selects: ({ geometry: { coordinates } }) => {
      const [longitude, latitude] = coordinates;
      const isWest = longitude >= west;
      const isEast = longitude <= east;
      return latitude >= south && latitude <= north && (west > east ? isWest || isEast : isWest && isEast);
    },
  }));

/** Before, at and after the times at which a map's locations are stored, in the forms that RFC 3339 allows. */
const anyEnd = fc.record({
  after: fc.integer({ min: -1, max: 13 }),
  write: fc.constantFrom(
    (time: number) => new Date(time).toISOString(),
    (time: number) => new Date(time).toISOString().toLowerCase(),
    (time: number) => new Date(time).toISOString().replace('Z', '999Z'),
    (time: number) => new Date(time + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30'),
    (time: number) => new Date(time - 3_600_000).toISOString().replace('Z', '-01:00'),
  ),
});
const anyOpenEnd = fc.constantFrom('', '..');

/** @returns the parameter for a map that was made at a time */
const anyDatetime: fc.Arbitrary<(begun: number) => Parameter> = fc
  .oneof(
    anyEnd.map((end) => [end]),
    fc.tuple(anyEnd, anyEnd).map((ends) => ends.toSorted((a, b) => a.after - b.after)),
    fc.tuple(anyEnd, anyOpenEnd),
    fc.tuple(anyOpenEnd, anyEnd),
  )
  .map((ends) => (begun) => {
    const texts = ends.map((end) => (typeof end === 'string' ? end : end.write(begun + end.after)));
    const [from = -Infinity, to = Infinity] = [ends[0], ends.at(-1)].map((end) =>
      typeof end === 'object' ? begun + end.after : undefined,
    );
    return {
      ...{ name: 'datetime', text: texts.join('/') },
      selects: ({ updatedAt }) => Date.parse(updatedAt) >= from && Date.parse(updatedAt) <= to,
    };
  });

/** Texts that are numbers in a number field. */
const DECIMAL = /^-?\d+(\.\d+)?$/;

/** @returns the parameter for a map with these locations: mostly a value that one has */
const anyField = fc
  .record({ name: fc.constantFrom(...FILTERS), value: anyValue, like: fc.option(fc.nat()) })
  .map(({ name, value, like }) => (features: readonly Feature[]): Parameter => {
    const stored = features.flatMap(({ properties }) => properties[name] ?? []);
    const text = String(like === null || stored.length === 0 ? value : stored[like % stored.length]);
    /** A value as text, and what a number field takes it for. */
    const readings = (each: Value): readonly unknown[] => {
      const isNumber = typeof each === 'number' || (name === 'Number' && DECIMAL.test(String(each)));
      return [each, ...(isNumber ? [Number(each)] : [])];
    };
    const isJsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?(e\d+)?$/.test(text);
    const wanted = [
      ...readings(text),
      ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
      ...(isJsonNumber ? [Number(text)] : []),
    ];
    return {
      ...{ name, text },
      selects: ({ properties }) =>
        Object.hasOwn(properties, name) &&
        readings(properties[name]!).some((reading) => wanted.some((each) => each === reading)),
    };
  });

const encode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+');

function suite(url: string, numRuns: number): void {
  let server: TestServer;
  let now = Date.parse('2026-01-31T12:00:00.000Z');
  beforeAll(async () => {
    server = await createTestServer({ DATABASE_URL: url }, { clock: () => now });
  });
  afterAll(() => server.close());

  const get = async (path: string) => {
    const { status, json } = await server.request('GET', path, { token: null });
    expect([path, status]).toEqual([path, 200]);
    return json;
  };

  /** A published map whose locations are stored at different times. */
  async function makeMap(groups: readonly { after: number; places: readonly Place[] }[]): Promise<string> {
    const { mapId } = await createPublishedMap(server, { fields: FIELDS });
    for (const { after, places } of groups) {
      now += after;
      const locations = places.map(({ latitude, longitude, fields }, index) => ({
        fields: { ...fields, Name: `P${index % 3}`, Address: 'x' },
        position: { latitude, longitude },
      }));
      const { json } = await server.graphql(
        'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { results { error { message } } } }',
        { input: { mapId, locations } },
      );
      expect(
        json.data?.createLocations.results.filter(({ error }: { error: unknown }) => error !== null),
      ).toEqual([]);
    }
    return mapId;
  }

  /** The ids of all pages. Checks what each page says of itself. */
  async function readPages(
    mapId: string,
    parameters: readonly Parameter[],
    limit: number | null,
    count: number,
  ) {
    const ids: string[] = [];
    const query = [
      ...parameters.map(({ name, text }) => `${encode(name)}=${encode(text)}`),
      ...(limit === null ? [] : [`limit=${limit}`]),
    ];
    let path: string | undefined = `/ogc/collections/${mapId}/items?${query.join('&')}`;
    for (let pages = 1; path !== undefined; pages += 1) {
      const page = await get(path);
      const { features, links, numberReturned, numberMatched } = page;
      expect(numberReturned).toBe(features.length);
      expect(numberReturned).toBeLessThanOrEqual(limit ?? 10);
      const next: { href: string } | undefined = links.find(({ rel }: { rel: string }) => rel === 'next');
      const isCounted = parameters.length === 0 || (pages === 1 && next === undefined);
      expect([path, numberMatched]).toEqual([path, isCounted ? count : undefined]);
      ids.push(...features.map(({ id }: Feature) => id));
      path = next?.href.slice(next.href.indexOf('/ogc/'));
      expect(pages).toBeLessThanOrEqual(count + 2);
    }
    return ids;
  }

  const anyQuery = fc.record({
    bbox: fc.option(anyBbox),
    datetime: fc.option(anyDatetime),
    fields: fc.array(anyField, { maxLength: 2 }),
    limit: fc.constantFrom(1, 2, 5, null, 10_000),
  });

  it('are those that match all parameters, each once, and are counted', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyGroups,
        fc.array(anyQuery, { minLength: 1, maxLength: 4 }),
        async (groups, queries) => {
          const begun = (now += 1);
          const mapId = await makeMap(groups);
          const features: readonly Feature[] = (await get(`/maps/${mapId}/locations.geojson`)).features;
          for (const { bbox, datetime, fields, limit } of queries) {
            const all = [bbox, datetime?.(begun) ?? null, ...fields.map((field) => field(features))];
            // A name stands once in a query.
            const byName = new Map(all.flatMap((each) => (each === null ? [] : [[each.name, each]])));
            const parameters = [...byName.values()];
            const expected = features
              .filter((feature) => parameters.every(({ selects }) => selects(feature)))
              .map(({ id }) => id);
            const found = await readPages(mapId, parameters, limit, expected.length);
            expect({ parameters, ids: found.sort() }).toEqual({ parameters, ids: expected.sort() });
          }
        },
      ),
      { numRuns },
    );
  });
}

describeOnStores('the locations of /ogc', (url, store) =>
  suite(url, propertyRuns(store === 'SQLite' ? 150 : 40)),
);
