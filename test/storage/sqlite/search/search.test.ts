/** Searches by index have the same hits as brute force. */

import fc from 'fast-check';

import { readFilter } from '../../../../src/domain/filter/location-filter.ts';
import type { SearchSortKey } from '../../../../src/domain/filter/location-order.ts';
import {
  centerOf,
  compareSearchKeys,
  LIST_ORDER,
  readOrder,
} from '../../../../src/domain/filter/location-order.ts';
import type {
  SearchHit,
  LocationSearch,
  SearchedMap,
} from '../../../../src/domain/filter/location-search.ts';
import { hitMatcher } from '../../../../src/domain/filter/location-search.ts';
import type { LocationRecord } from '../../../../src/domain/location.ts';
import type { PageRequest } from '../../../../src/domain/paging/paging.ts';
import type { Database } from '../../../../src/storage/sqlite/database.ts';
import { countMatches } from '../../../../src/storage/sqlite/search/counts.ts';
import { findPage } from '../../../../src/storage/sqlite/search/pages.ts';
import { runToCompletion } from '../../../../src/storage/sqlite/threads/long-reads.ts';
import { sqliteStorage } from '../../../../src/storage/sqlite/storage.ts';
import {
  anInsert,
  anUpdate,
  insertAll,
  listPage,
  seedMap,
  seedOwner,
  updateAll,
} from '../../../contract/storage/fixtures.ts';
import type { OrderedContents } from './search-arbitraries.ts';
import { anyFilter, anyOrder, contents, FIELDS, orderedContents } from './search-arbitraries.ts';
import { openConnection } from '../temporary.ts';

type Store = ReturnType<typeof sqliteStorage>;

async function allOf(storage: Store, search: LocationSearch): Promise<SearchHit[]> {
  const found: SearchHit[] = [];
  for (const map of search.maps) {
    const match = hitMatcher(search, map);
    for (const location of await listPage(storage, map.id)) {
      const hit = match(location);
      if (hit !== null) found.push(hit);
    }
  }
  const compare = compareSearchKeys(search.order);
  return found.sort((a, b) => compare(a.key, b.key));
}

function cut(
  found: readonly SearchHit[],
  { order }: LocationSearch,
  { after, before, limit, fromEnd }: PageRequest<SearchSortKey>,
): readonly SearchHit[] {
  const compare = compareSearchKeys(order);
  const within = found.filter(
    ({ key }) => (after === null || compare(key, after) > 0) && (before === null || compare(key, before) < 0),
  );
  return fromEnd ? within.slice(-limit) : within.slice(0, limit);
}

interface World {
  readonly connection: Database;
  readonly storage: Store;
  readonly maps: readonly SearchedMap[];
  /** Of all existing and some deleted locations. */
  readonly ids: readonly string[];
  readonly deleted: readonly LocationRecord[];
}

/** Inserts, updates and deletes locations, so that the indexes have to follow. */
async function makeWorld(
  lists: readonly (readonly OrderedContents[])[],
  changes: readonly OrderedContents['contents'][],
): Promise<World> {
  const connection = await openConnection(':memory:');
  const storage = sqliteStorage(connection);
  const owner = await seedOwner(storage);
  const maps: SearchedMap[] = [];
  const ids: string[] = [];
  const deleted: LocationRecord[] = [];
  for (const [index, list] of lists.entries()) {
    const fields = index === 1 ? FIELDS.slice(0, 2) : FIELDS;
    const map = await seedMap(storage, { ownerId: owner.id, fields, createdAt: Math.floor(index / 2) });
    maps.push(map);
    const inserts = list.map(({ contents: location, order }) => anInsert(map.id, { order, location }));
    await insertAll(storage, map.id, inserts);
    const locations = await listPage(storage, map.id);
    ids.push(...locations.map(({ id }) => id));
    const changed = locations.slice(0, changes.length);
    await updateAll(
      storage,
      map.id,
      changed.map((location, at) =>
        anUpdate(location, { ...changes[at], externalId: location.externalId }, at % 2 === 0 ? null : '1.5'),
      ),
    );
    const removed = (await listPage(storage, map.id)).filter((_, at) => at % 5 === 4);
    deleted.push(...removed);
    await storage.deleteLocations(
      map.id,
      removed.map(({ id }) => id),
    );
  }
  maps.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  return { connection, storage, maps, ids, deleted };
}

/** Large enough that indexes are used, and read in batches. */
const oneMap = fc.array(orderedContents, { minLength: 600, maxLength: 700 }).map((list) => [list]);
const severalMaps = fc.array(fc.array(orderedContents, { maxLength: 60 }), { minLength: 1, maxLength: 3 });
const world = fc.record({
  lists: fc.oneof(oneMap, severalMaps),
  changes: fc.array(contents, { maxLength: 6 }),
});

describe('a search', () => {
  it('has the hits of brute force, with every filter and order', async () => {
    await fc.assert(
      fc.asyncProperty(world, fc.gen(), async ({ lists, changes }, gen) => {
        const { connection, storage, maps, ids, deleted } = await makeWorld(lists, changes);
        for (let searches = 0; searches < 15; searches += 1) {
          const search = searchOf(gen, maps, ids);
          const found = await allOf(storage, search);
          expect(await storage.countMatches(search)).toBe(found.length);
          expect(runToCompletion(countMatches(connection, search))).toBe(found.length);
          const page = pageOf(gen, search, found, deleted, maps);
          const expected = cut(found, search, page);
          expect(await storage.findLocations(search, page)).toEqual(expected);
          expect(runToCompletion(findPage(connection, { search, page }))).toEqual(expected);
          const [map] = maps;
          const versions = await storage.findVersions({ map: map!, filter: search.filter }, 5);
          const ofMap = await allOf(storage, { ...search, maps: [map!], order: LIST_ORDER });
          expect(versions).toEqual(
            ofMap.slice(0, 5).map(({ location: { id, version } }) => ({ id, version })),
          );
        }
        await connection.close();
      }),
      // Shrinking a failing world would take far longer than reading it.
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});

const RUNS = Number(process.env.SEARCH_RUNS ?? 25);

type Gen = fc.GeneratorValue;

function searchOf(gen: Gen, maps: readonly SearchedMap[], ids: readonly string[]): LocationSearch {
  const filter = readFilter(gen(anyFilter, ids), 'filter');
  const input = gen(() => anyOrder);
  const isPossible = input.by !== 'distance' || centerOf(filter) !== null;
  const order = isPossible ? readOrder(input, filter, 'orderBy') : LIST_ORDER;
  return { maps: gen(() => fc.subarray([...maps], { minLength: 1 })), filter, order };
}

/** A page between sort keys of hits and of deleted locations. */
function pageOf(
  gen: Gen,
  search: LocationSearch,
  found: readonly SearchHit[],
  deleted: readonly LocationRecord[],
  maps: readonly SearchedMap[],
): PageRequest<SearchSortKey> {
  const matchers = new Map(maps.map((map) => [map.id, hitMatcher({ ...search, filter: EVERYTHING }, map)]));
  const keys = [
    ...found.map(({ key }) => key),
    ...deleted.flatMap((location) => matchers.get(location.mapId)?.(location)?.key ?? []),
  ];
  const bound = () => (keys.length === 0 ? null : gen(() => fc.option(fc.constantFrom(...keys))));
  return {
    after: bound(),
    before: bound(),
    limit: gen(() => fc.constantFrom(1, 2, 5, 101)),
    fromEnd: gen(() => fc.boolean()),
  };
}

const EVERYTHING = { kind: 'and', filters: [] } as const;
