/** Search (capabilities §10): random searches compared with the oracle, test/domain/filter/reference-search.ts. */

import fc from 'fast-check';

import type { SearchSortKey } from '../../../src/domain/filter/location-order.ts';
import { createTemplate } from '../../../src/domain/location-template.ts';
import { collect, idsOf } from './fixtures.ts';
import { SEARCH_CASES } from './search-cases.ts';
import { CHANGE_CASES } from './search-changes.ts';
import { EDGE_CASES, SCALE_CASES } from './search-scale.ts';
import { SHAPE_CASES } from './search-shapes.ts';
import { SEQUENCE_CASES } from './sequence-walk.ts';
import type { SearchQuestion, Plan } from './search-world.ts';
import {
  anyQuestion,
  change,
  expectResult,
  idsOfHits,
  plannedLocation,
  plain,
  plan,
  walkHits,
  WHOLE,
  World,
} from './search-world.ts';
import type { StorageTopic } from './harness.ts';

const TEMPLATE = createTemplate([
  { text: '{"id":' },
  { value: 'id' },
  { text: ',"properties":' },
  { value: 'properties' },
  { text: '}' },
]);

const limit = fc.constantFrom(1, 2, 7, 50);
const cut = fc.option(fc.nat({ max: 40 }));
const searches = fc.array(
  fc.record({ question: anyQuestion, limit, fromEnd: fc.boolean(), after: cut, before: cut }),
  { minLength: 12, maxLength: 24 },
);
type Search = (typeof searches extends fc.Arbitrary<infer T> ? T : never) extends readonly (infer S)[]
  ? S
  : never;

/** Checks every search method of the port. */
async function checkSearch(
  world: World,
  { question, limit: size, fromEnd, after, before }: Search,
): Promise<void> {
  const { storage } = world;
  const search = world.searchOf(question);
  const expected = world.expectedOf(question);
  const ids = idsOf(expected);
  const context = { ...question, maps: search.maps, filter: world.named(question.filter) };

  const found = await storage.findLocations(search, WHOLE);
  expectResult(context, idsOfHits(found), ids);
  expectResult(context, plain(found.map(({ location }) => location)), plain(expected));
  for (const { key, location } of found) {
    const map = search.maps.find(({ id }) => id === location.mapId);
    expect(key.map).toEqual({ id: map?.id, createdAt: map?.createdAt });
    expect(key.sortKey).toEqual({ orderKey: location.orderKey, sequence: location.sequence });
  }
  const walk = { limit: size, fromEnd };
  expectResult({ ...context, walk }, idsOfHits(await walkHits(storage, search, walk)), ids);

  const [low, high] = [after, before].map((at) => (at === null ? null : Math.min(at, found.length - 1)));
  const keyAt = (at: number | null | undefined): SearchSortKey | null => found[at ?? -1]?.key ?? null;
  const page = { limit: size, fromEnd, after: keyAt(low), before: keyAt(high) };
  const start = page.after === null ? 0 : low! + 1;
  const end = page.before === null ? ids.length : high!;
  const between = ids.slice(start, Math.max(start, end));
  const some = fromEnd ? between.slice(-size) : between.slice(0, size);
  expectResult({ ...context, page }, idsOfHits(await storage.findLocations(search, page)), some);

  const { json, ...ends } = await storage.findLocationsJson(search, page, TEMPLATE);
  const byId = new Map(expected.map((location) => [location.id, location]));
  expectResult(
    { ...context, page, as: 'JSON' },
    json.text,
    JSON.stringify(some.map((id) => ({ id, properties: byId.get(id)?.properties }))),
  );
  const keyOf = (id: string | undefined) => found.find(({ location }) => location.id === id)?.key ?? null;
  expect(ends).toEqual({
    count: some.length,
    first: keyOf(some[0]),
    last: keyOf(some.at(-1)),
    next: keyOf(fromEnd ? between.at(-size - 1) : between[size]),
  });

  expectResult({ ...context, counted: true }, await storage.countMatches(search), ids.length);
  const [map] = search.maps;
  if (map === undefined) return;
  const listed = world.expectedOf({
    filter: question.filter,
    order: { by: 'list' },
    maps: [world.maps.findIndex(({ id }) => id === map.id)],
  });
  expectResult(
    { ...context, versions: size },
    await storage.findVersions({ map, filter: search.filter }, size),
    listed.slice(0, size).map(({ id, version }) => ({ id, version })),
  );
}

function checkWorlds(
  numRuns: number,
  run: (world: World, questions: readonly Search[]) => Promise<void>,
): (harness: { readonly storage: World['storage'] }) => Promise<void> {
  return ({ storage }) =>
    fc.assert(
      fc.asyncProperty(plan, searches, async (planned: Plan, questions) => {
        await run(await World.of(storage, planned), questions);
      }),
      { numRuns },
    );
}

export const searchTopic: StorageTopic = {
  name: 'search',
  cases: [
    ...SEARCH_CASES,
    ...EDGE_CASES,
    ...CHANGE_CASES,
    ...SEQUENCE_CASES,
    {
      name: 'any search matches, sorts, pages and counts like the oracle',
      run: checkWorlds(15, async (world, questions) => {
        for (const question of questions) await checkSearch(world, question);
      }),
    },
    {
      name: 'loaded locations are found as before',
      run: ({ storage }) =>
        fc.assert(
          fc.asyncProperty(plan, searches, async (planned, questions) => {
            await storage.removeAll([]);
            const world = await World.of(storage, planned);
            const items = await collect(storage.dump(0));
            await storage.removeAll([]);
            for (const question of questions.slice(0, 3)) {
              expect(await storage.countMatches(world.searchOf(question.question))).toBe(0);
            }
            await storage.load(items);
            for (const question of questions) await checkSearch(world, question);
          }),
          { numRuns: 5 },
        ),
    },
    {
      name: 'a position outlives its location, in every order',
      run: ({ storage }) =>
        fc.assert(
          fc.asyncProperty(
            plan,
            anyQuestion,
            fc.array(change, { minLength: 1, maxLength: 12 }),
            async (planned, question: SearchQuestion, changes) => {
              const world = await World.of(storage, planned);
              const search = world.searchOf(question);
              const before = await storage.findLocations(search, WHOLE);
              for (const each of changes) await world.change({ ...each, kind: 'delete' });
              const left = new Set(idsOf(world.locations));
              for (const [index, { key, location }] of before.entries()) {
                if (left.has(location.id)) continue;
                const [earlier, later] = [before.slice(0, index), before.slice(index + 1)].map((some) =>
                  idsOfHits(some).filter((id) => left.has(id)),
                );
                const after = await storage.findLocations(search, { ...WHOLE, after: key });
                expectResult({ question, after: key }, idsOfHits(after), later);
                const ending = await storage.findLocations(search, {
                  ...WHOLE,
                  before: key,
                  fromEnd: true,
                  limit: 3,
                });
                expectResult({ question, before: key }, idsOfHits(ending), earlier!.slice(-3));
              }
            },
          ),
          { numRuns: 25 },
        ),
    },
    {
      name: 'paging visits each untouched location exactly once, whatever happens to others meanwhile',
      run: ({ storage }) =>
        fc.assert(
          fc.asyncProperty(
            plan,
            anyQuestion,
            fc.array(fc.oneof(change, plannedLocation), { minLength: 5, maxLength: 20 }),
            fc.record({ limit: fc.constantFrom(1, 2, 5), fromEnd: fc.boolean() }),
            async (planned, question, events, walk) => {
              const world = await World.of(storage, planned);
              const search = world.searchOf(question);
              const expected = idsOf(world.expectedOf(question));
              const touched = idsOf(world.locations).filter((_, index) => index % 2 === 0);
              const untouched = new Set(idsOf(world.locations).filter((id) => !touched.includes(id)));
              const left = [...events];
              const seen = await walkHits(storage, search, walk, async () => {
                const event = left.shift();
                if (event === undefined) return;
                if ('kind' in event) await world.change(event, touched);
                else touched.push(...(await world.insert([event])));
              });
              const visited = idsOfHits(seen).filter((id) => untouched.has(id));
              expectResult(
                { question, walk, events },
                visited,
                expected.filter((id) => untouched.has(id)),
              );
            },
          ),
          { numRuns: 25 },
        ),
    },
    ...SHAPE_CASES,
    ...SCALE_CASES,
  ],
};
