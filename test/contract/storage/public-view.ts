/**
 * The public view of a map (capabilities §12) through the services, compared with the oracles' results for locations that
 * have only public data.
 */

import fc from 'fast-check';

import { gridOf } from '../../../src/domain/clusters.ts';
import type { FilterInput } from '../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import type { SearchSortKey, OrderInput } from '../../../src/domain/filter/location-order.ts';
import { readOrder } from '../../../src/domain/filter/location-order.ts';
import type { JsonObject } from '../../../src/domain/json/json.ts';
import { createTemplate } from '../../../src/domain/location-template.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import { publicMap } from '../../../src/domain/public-view.ts';
import type { SearchHitView } from '../../../src/services/search/search-service.ts';
import { SearchService } from '../../../src/services/search/search-service.ts';
import { NO_AUDIT } from '../../../src/services/audit/audit.ts';
import { referenceClusters } from '../../domain/filter/reference-clusters.ts';
import { referencePasses, referenceSearch } from '../../domain/filter/reference-search.ts';
import { box } from '../../support/search-arbitraries.ts';
import { expectResult, anyQuestion, change, plain, plan, WHOLE, World } from './search-world.ts';
import { anInsert, idsOf, insertAll, rejectionOf, seedMap } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

const ANYBODY = { caller: null };
const REFUSED = {
  code: 'BAD_USER_INPUT',
  message: 'Locations of a public map can only be filtered and ordered by its public fields.',
};
const TEMPLATE = createTemplate([
  { text: '{"id":' },
  { value: 'id' },
  { text: ',"properties":' },
  { value: 'properties' },
  { text: ',"externalId":' },
  { value: 'externalId' },
  { text: '}' },
]);

/** The public view of a location. The geocoder's label is as public as the address. */
function seen(
  { properties, ...location }: LocationRecord,
  { fields }: MapRecord,
  shown: readonly string[],
): LocationRecord {
  const address =
    fields.find(({ type }) => type === 'address') ?? fields.find(({ name }) => /^address$/i.test(name));
  const label = shown.includes(address?.name ?? '') ? location.geocoding.label : null;
  const left = Object.keys(properties).filter((key) => shown.includes(key));
  const json = left.map((key) => `${JSON.stringify(key)}:${JSON.stringify(properties[key])}`).join(',');
  return {
    ...location,
    externalId: null,
    properties: JSON.parse(`{${json}}`) as JsonObject,
    geocoding: { ...location.geocoding, label },
  };
}

function propertiesIn({ and, or, not, property }: FilterInput): readonly string[] {
  const branches = [...(and ?? []), ...(or ?? []), ...(not ? [not] : [])];
  return [...(property ? [property.name] : []), ...branches.flatMap(propertiesIn)];
}

/** The filter with public fields in place of its properties. */
function aimed(input: FilterInput, shown: readonly string[]): FilterInput {
  const { and, or, not, property } = input;
  const nameOf = (name: string) =>
    shown.includes(name) ? name : (shown[name.length % shown.length] ?? name);
  return {
    ...input,
    ...(and && { and: and.map((each) => aimed(each, shown)) }),
    ...(or && { or: or.map((each) => aimed(each, shown)) }),
    ...(not && { not: aimed(not, shown) }),
    ...(property && { property: { ...property, name: nameOf(property.name) } }),
  };
}

const questions = fc.array(
  fc.record({
    question: anyQuestion,
    isAimed: fc.boolean(),
    limit: fc.constantFrom(1, 2, 7, 50),
    fromEnd: fc.boolean(),
    view: box,
    zoom: fc.nat({ max: 8 }),
  }),
  { minLength: 10, maxLength: 20 },
);
type Question = (typeof questions extends fc.Arbitrary<infer T> ? T : never) extends readonly (infer Q)[]
  ? Q
  : never;

async function check(world: World, map: MapRecord, hidden: readonly string[], asking: Question) {
  const searchService = new SearchService({ storage: world.storage, audit: NO_AUDIT });
  const { question, isAimed, limit, fromEnd, view, zoom } = asking;
  const fields = map.fields.map((field) => ({ ...field, isPublic: !hidden.includes(field.name) }));
  const publicly = publicMap({ ...map, fields });
  const left = map.fields.filter(({ name }) => !hidden.includes(name));
  const shown = left.map(({ name }) => name);
  const input = isAimed ? aimed(world.named(question.filter), shown) : world.named(question.filter);
  const orderInput: OrderInput =
    isAimed && question.order.by === 'property'
      ? { ...question.order, property: shown[0] ?? '' }
      : question.order;
  const context = { filter: input, order: orderInput, shown, fields: map.fields };

  const filter = readFilter(input, 'filter');
  const search = { maps: [publicly] as const, filter, order: readOrder(orderInput, filter, 'orderBy') };
  const named = [
    ...propertiesIn(input),
    ...(orderInput.by === 'property' ? [orderInput.property ?? ''] : []),
  ];
  if (named.some((name) => !shown.includes(name))) {
    for (const verb of [
      async () => searchService.assertSearch(search),
      () => searchService.findLocations(ANYBODY, search, WHOLE),
      () => searchService.findLocationsJson(ANYBODY, search, WHOLE, TEMPLATE),
      () => searchService.hasLocations(ANYBODY, search, WHOLE),
      () => searchService.countLocations(ANYBODY, search),
      ...(propertiesIn(input).some((name) => !shown.includes(name))
        ? [() => searchService.findClusters(ANYBODY, { map: publicly, filter, grid: gridOf(view, zoom) })]
        : []),
    ]) {
      expectResult(context, await rejectionOf(verb()), expect.objectContaining(REFUSED));
    }
    return;
  }

  const own = world.locations.filter(({ mapId }) => mapId === map.id).map((each) => seen(each, map, shown));
  const expected = referenceSearch([{ ...map, fields: left }], own, input, orderInput);
  const { items } = await searchService.findLocations(ANYBODY, search, WHOLE);
  const asPublic = (location: LocationRecord) => plain({ ...location, view: 'public' });
  expectResult(
    context,
    items.map(({ location }) => plain(location)),
    expected.map(asPublic),
  );
  expectResult(
    { ...context, counted: true },
    await searchService.countLocations(ANYBODY, search),
    expected.length,
  );

  const walked: SearchHitView[] = [];
  for (let edge: SearchSortKey | null = null, isMore = true; isMore;) {
    const page = { ...WHOLE, limit, fromEnd, ...(fromEnd ? { before: edge } : { after: edge }) };
    const { items: some, next, first, last } = await searchService.findLocations(ANYBODY, search, page);
    const { json } = await searchService.findLocationsJson(ANYBODY, search, page, TEMPLATE);
    const expectedJson = some.map(({ location: { id, properties } }) => ({
      id,
      properties,
      externalId: null,
    }));
    expectResult({ ...context, page, as: 'JSON' }, json.text, JSON.stringify(expectedJson));
    if (fromEnd) walked.unshift(...some);
    else walked.push(...some);
    edge = (fromEnd ? first : last)?.key ?? null;
    isMore = next !== null;
    const range = fromEnd ? { after: null, before: edge } : { after: edge, before: null };
    if (edge !== null) expect(await searchService.hasLocations(ANYBODY, search, range)).toBe(isMore);
  }
  expectResult(
    { ...context, limit, fromEnd },
    idsOf(walked.map(({ location }) => location)),
    idsOf(expected),
  );

  const passing = own.filter((location) => referencePasses(input, location, { ...map, fields: left }));
  const inView = referenceClusters(passing, view, zoom);
  const clusters = await searchService
    .findClusters(ANYBODY, { map: publicly, filter, grid: gridOf(view, zoom) })
    .catch((error: unknown) => error);
  // The service refuses a bound of the wrong kind; above it matches nothing.
  if (!Array.isArray(clusters)) return expect(clusters).toMatchObject({ code: 'BAD_USER_INPUT' });
  const positionsOf = (some: readonly { row: number; column: number; count: number; location: unknown }[]) =>
    some
      .map(({ row, column, count, location }) => plain({ row, column, count, location }))
      .sort((a, b) => a.row - b.row || a.column - b.column);
  expectResult(
    { ...context, view, zoom },
    positionsOf(clusters),
    positionsOf(inView.map((each) => ({ ...each, location: each.location && asPublic(each.location) }))),
  );
}

export const publicView: StorageTopic = {
  name: 'public view',
  cases: [
    {
      name: 'a public map is searched, sorted, paged, counted and clustered as if it held only its public data',
      run: ({ storage }) =>
        fc.assert(
          fc.asyncProperty(
            plan,
            fc.subarray(['Name', 'Address', 'City', 'Seats', 'Opened', 'Other', '__proto__']),
            questions,
            fc.array(change, { maxLength: 3 }),
            async (planned, hidden, some, changes) => {
              const world = await World.of(storage, planned);
              for (const each of some) for (const map of world.maps) await check(world, map, hidden, each);
              for (const each of changes) await world.change(each);
              // A new choice of fields applies to the next query.
              for (const each of some.slice(0, 3)) {
                for (const map of world.maps) await check(world, map, ['City'], each);
              }
            },
          ),
          { numRuns: 12 },
        ),
    },
    {
      name: 'words of hidden properties match nothing in a large map, where indexes are used',
      async run({ storage }) {
        const fields = [
          { name: 'Name', type: 'placeName' },
          { name: 'Notes', type: 'text', isPublic: false },
          { name: 'Kind', type: 'category' },
        ] as const;
        const map = await seedMap(storage, { fields });
        const inserts = Array.from({ length: 1_500 }, (_, index) => {
          const properties = {
            Notes: `secret n${index} d’Arc`,
            Kind: index % 500 === 0 ? 'secret' : 'plain',
          };
          return anInsert(map.id, {
            location: { name: `Place ${index}`, properties, externalId: `e${index}` },
          });
        });
        await insertAll(storage, map.id, inserts);
        const searchService = new SearchService({ storage, audit: NO_AUDIT });
        const shown = publicMap(map);
        const countOf = (input: FilterInput) => {
          const filter = readFilter(input, 'filter');
          return searchService.countLocations(ANYBODY, {
            maps: [shown],
            filter,
            order: { by: 'list', direction: 'asc' },
          });
        };
        expect(await countOf({ search: 'secret' })).toBe(3);
        expect(await countOf({ search: 'n7' })).toBe(0);
        expect(await countOf({ or: [{ search: 'darc' }, { search: 'arc' }] })).toBe(0);
        expect(await countOf({ search: 'place plain' })).toBe(1_497);
        expect(await countOf({ not: { search: 'secret' } })).toBe(1_497);
        expect(await countOf({ or: [{ search: 'n7' }, { search: 'n8 secret' }] })).toBe(0);
        expect(await countOf({ externalIds: ['e1', 'e2'] })).toBe(0);
        expect(await countOf({ or: [{ externalIds: ['e1'] }, { search: 'place 77' }] })).toBe(11);
        expect(await countOf({ property: { name: 'Kind', eq: 'secret' } })).toBe(3);
      },
    },
  ],
};
