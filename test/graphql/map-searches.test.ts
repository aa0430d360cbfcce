/**
 * `viewer.maps` with a filter and an order, on each store, compared with a reference that filters, sorts and slices.
 */

import fc from 'fast-check';

import type { MapRecord } from '../../src/domain/map.ts';
import { aMap } from '../contract/storage/fixtures.ts';
import { isFound, normalized } from '../domain/filter/reference.ts';
import type { Connection, Page, PageArguments } from '../support/connections.ts';
import { ARGUMENTS, DEFINITIONS, expectedPage, PAGE, readAll, seenPage } from '../support/connections.ts';
import { codesOf, dataOf, makeMap, messageOf } from '../support/graphql.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { describeUnless } from '../support/skip.ts';

interface Filter {
  readonly isDeleted?: boolean | null;
  readonly isPublished?: boolean | null;
  readonly search?: string | null;
}

interface Order {
  readonly by: 'created' | 'name' | 'updated';
  readonly direction?: 'asc' | 'desc' | null;
}

interface Search {
  readonly filter?: Filter | null;
  readonly orderBy?: Order | null;
}

const QUERY = `query (${DEFINITIONS}, $filter: MapFilter, $orderBy: MapOrderInput) {
  viewer { maps(${ARGUMENTS}, filter: $filter, orderBy: $orderBy) { ${PAGE} } }
}`;

const pageOf = (response: TestResponse): Page => dataOf(response).viewer.maps;

/** An owner's maps as the reference lists them. */
function expectedIds(maps: readonly MapRecord[], { filter, orderBy }: Search): string[] {
  const { isDeleted, isPublished, search } = filter ?? {};
  const { by, direction } = orderBy ?? { by: 'created' };
  const byCreation = (a: MapRecord, b: MapRecord) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
  const byValue = (a: MapRecord, b: MapRecord) => {
    if (by === 'created') return a.createdAt - b.createdAt;
    if (by === 'updated') return a.updatedAt - b.updatedAt;
    return byCodePoint(normalized(a.name), normalized(b.name)) || byCodePoint(a.name, b.name);
  };
  return maps
    .filter((map) => (isDeleted ?? map.isDeleted) === map.isDeleted)
    .filter((map) => (isPublished ?? map.isPublished) === map.isPublished)
    .filter((map) => typeof search !== 'string' || isFound(search, [map.name]))
    .toSorted((a, b) => (direction === 'desc' ? byValue(b, a) : byValue(a, b)) || byCreation(a, b))
    .map(({ id }) => id);
}

function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (const [index, character] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (character !== other) return (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  }
  return left.length - right.length;
}

const WORDS = [
  'a',
  'A',
  'ä',
  'a\u0308',
  'ab',
  'Straße',
  'strasse',
  'Σ',
  'ς',
  '東京',
  '\u{1f600}',
  '\ue000',
  'z 1',
  "a'b",
  'b’a',
];
const anyName = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 })
  .map((words) => words.join(' '));
// Few instants, so that many are equal.
const anyMoment = fc.integer({ min: 1, max: 4 });
const anyMaps = fc.array(
  fc.record({
    name: anyName,
    isDeleted: fc.boolean(),
    isPublished: fc.boolean(),
    createdAt: anyMoment,
    updatedAt: anyMoment,
  }),
  { maxLength: 14 },
);
const anyFlag = fc.constantFrom(undefined, undefined, null, true, false);
const anySearch: fc.Arbitrary<Search> = fc.record({
  filter: fc.option(
    fc.record({
      isDeleted: anyFlag,
      isPublished: anyFlag,
      search: fc.constantFrom(
        undefined,
        undefined,
        null,
        'a',
        'Ä',
        'STRASSE',
        'σ',
        '京',
        'b',
        '1 Z',
        'ab',
        "a'b",
      ),
    }),
  ),
  orderBy: fc.option(
    fc.record({
      by: fc.constantFrom('created' as const, 'name' as const, 'updated' as const),
      direction: fc.constantFrom(undefined, null, 'asc' as const, 'desc' as const),
    }),
  ),
});
const anySize = fc
  .tuple(fc.constantFrom('first', 'last'), fc.integer({ min: 1, max: 6 }))
  .map(([name, size]): PageArguments => ({ [name]: size }));

function suite(store: string, url: string, numRuns: number): void {
  describe(`viewer.maps with a filter and an order, on ${store}`, () => {
    let server: TestServer;
    let now = Date.now();
    let owners = 0;
    beforeAll(async () => {
      server = await createTestServer({ DATABASE_URL: url }, { clock: () => (now += 1) });
    });
    afterAll(() => server.close());

    const newOwner = async () => {
      const name = `owner ${(owners += 1)}`;
      const { owner } = await server.gateway.services.tokens.findOrCreateOwner(name);
      return { ownerId: owner.id, name, token: await server.createToken({ owner: name }) };
    };

    const insert = async (ownerId: string, maps: readonly Partial<MapRecord>[]): Promise<MapRecord[]> => {
      const records = maps.map((overrides) => aMap(ownerId, overrides));
      for (const map of records) await server.gateway.storage.insertMap(map);
      return records;
    };

    const executorFor =
      (token: string, search: Search): Connection['execute'] =>
      (args) =>
        server.graphql(QUERY, { ...search, ...args }, token);

    it('lists what the reference lists, from either end, page by page', async () => {
      const cut = fc.option(fc.nat(), { nil: undefined });
      const anyPage = fc.record({ size: fc.oneof(fc.constant({}), anySize), after: cut, before: cut });
      await fc.assert(
        fc.asyncProperty(
          anyMaps,
          fc.array(fc.record({ search: anySearch, pages: fc.array(anyPage, { maxLength: 3 }) }), {
            minLength: 1,
            maxLength: 4,
          }),
          async (maps, searches) => {
            const { ownerId, token } = await newOwner();
            const records = await insert(ownerId, maps);
            for (const { search, pages } of searches) {
              const execute = executorFor(token, search);
              const all = await readAll(execute, pageOf);
              expect(all.map(({ id }) => id)).toEqual(expectedIds(records, search));
              for (const { size, after, before } of pages) {
                const at = (index: number | undefined) =>
                  index === undefined ? undefined : all[index % all.length]?.cursor;
                const args: PageArguments = { ...size, after: at(after), before: at(before) };
                expect({ args, ...seenPage(pageOf(await execute(args))) }).toEqual({
                  args,
                  ...expectedPage(all, args),
                });
              }
            }
          },
        ),
        { numRuns },
      );
    });

    it('visits each unchanged map exactly once while others change', async () => {
      const anyChange = fc.record({
        index: fc.nat(),
        change: fc.oneof(
          fc.record({ isDeleted: fc.boolean() }),
          fc.record({ isPublished: fc.boolean() }),
          fc.record({ name: anyName, updatedAt: anyMoment }),
          fc.constant(null),
        ),
      });
      await fc.assert(
        fc.asyncProperty(
          anyMaps,
          anySearch,
          anySize,
          fc.array(fc.array(anyChange, { maxLength: 2 }), { maxLength: 8 }),
          async (maps, search, size, changes) => {
            const { ownerId, token } = await newOwner();
            const records = await insert(ownerId, maps);
            const execute = executorFor(token, search);
            const changed = new Set<string>();
            const seen: string[] = [];
            for (let cursor: string | null = null, turn = 0; ; turn += 1) {
              const args = 'last' in size ? { ...size, before: cursor } : { ...size, after: cursor };
              const { nodes, pageInfo }: Page = pageOf(await execute(args));
              const ids = nodes.map(({ id }) => id);
              if ('last' in size) seen.unshift(...ids);
              else seen.push(...ids);
              if (!('last' in size ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) break;
              cursor = 'last' in size ? pageInfo.startCursor : pageInfo.endCursor;
              for (const { index, change } of changes[turn] ?? []) {
                const map = records[index % records.length];
                if (change === null || map === undefined) {
                  const [added] = await insert(ownerId, [{ ...maps[0], updatedAt: 2 }]);
                  changed.add(added?.id ?? '');
                } else {
                  changed.add(map.id);
                  await server.gateway.storage.updateMap(map.id, change, { evenIfDeleted: true });
                }
              }
            }
            const kept = (ids: readonly string[]) => ids.filter((id) => !changed.has(id));
            expect(kept(seen)).toEqual(kept(expectedIds(records, search)));
          },
        ),
        { numRuns },
      );
    });

    it('continues from the former position of a map that was renamed and deleted', async () => {
      const { ownerId, token } = await newOwner();
      const [a, b, c] = await insert(ownerId, [{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
      const execute = executorFor(token, { filter: { isDeleted: false }, orderBy: { by: 'name' } });
      const cursor = pageOf(await execute({ first: 2 })).edges[1]?.cursor;
      const change = { name: 'x', isDeleted: true };
      await server.gateway.storage.updateMap(b?.id ?? '', change, { evenIfDeleted: false });
      expect(seenPage(pageOf(await execute({ after: cursor })))).toMatchObject({
        ids: [c?.id],
        totalCount: 2,
        hasPreviousPage: true,
      });
      expect(seenPage(pageOf(await execute({ last: 5, before: cursor })))).toMatchObject({
        ids: [a?.id],
        hasNextPage: true,
      });
    });

    it('treats null and an empty filter as absent: they share cursors', async () => {
      const { ownerId, token } = await newOwner();
      const maps = await insert(ownerId, [{ createdAt: 1 }, { createdAt: 2 }, { createdAt: 3 }]);
      const ids = maps.map(({ id }) => id);
      const plain = await readAll(executorFor(token, {}), pageOf);
      const nothing: Search[] = [
        { filter: {} },
        { filter: null, orderBy: null },
        { filter: { isDeleted: null, isPublished: null, search: null } },
        { orderBy: { by: 'created', direction: null } },
        { filter: {}, orderBy: { by: 'created', direction: 'asc' } },
      ];
      for (const search of nothing) {
        expect(await readAll(executorFor(token, search), pageOf)).toEqual(plain);
      }
      const named = { by: 'name', direction: 'asc' } as const;
      const byName = await readAll(executorFor(token, { orderBy: named }), pageOf);
      for (const filter of [{}, null, { search: null }]) {
        const search: Search = { filter, orderBy: { by: 'name', direction: null } };
        expect(await readAll(executorFor(token, search), pageOf)).toEqual(byName);
      }
      expect(plain.map(({ id }) => id)).toEqual(ids);
    });

    it('refuses a cursor of another filter, order or owner, naming the argument', async () => {
      const searches: Search[] = [
        {},
        { orderBy: { by: 'name' } },
        { orderBy: { by: 'name', direction: 'desc' } },
        { orderBy: { by: 'updated' } },
        { orderBy: { by: 'created', direction: 'desc' } },
        { filter: { isDeleted: false } },
        { filter: { isPublished: false } },
        { filter: { isDeleted: false, isPublished: false } },
        { filter: { search: 'a' } },
        { filter: { search: 'map' } },
        { filter: { search: 'a' }, orderBy: { by: 'name' } },
      ];
      const [mine, theirs] = [await newOwner(), await newOwner()];
      for (const { ownerId } of [mine, theirs]) await insert(ownerId, [{ name: 'A map' }]);
      const cursors = [];
      for (const search of searches) {
        const [own] = await readAll(executorFor(mine.token, search), pageOf);
        const [foreign] = await readAll(executorFor(theirs.token, search), pageOf);
        cursors.push({ search, own: own?.cursor, foreign: foreign?.cursor });
      }
      const [plain] = cursors;
      expect(new Set(cursors.flatMap(({ own, foreign }) => [own, foreign])).size).toBe(2 * searches.length);
      for (const { search, own } of cursors) {
        const execute = executorFor(mine.token, search);
        expect(pageOf(await execute({ after: own })).nodes).toEqual([]);
        const others = cursors.flatMap((other) => (other.search === search ? [other.foreign] : [other.own]));
        for (const cursor of [...others, 'x', `${own}=`]) {
          for (const argument of ['after', 'before']) {
            const response = await execute({ [argument]: cursor });
            expect([search, cursor, codesOf(response)]).toEqual([search, cursor, ['BAD_USER_INPUT']]);
            expect(messageOf(response)).toMatch(new RegExp(`^${argument} must be a cursor`));
          }
        }
      }
      expect(plain?.own).not.toBe(plain?.foreign);
    });

    it('shows a token limited to one map that map, if it matches', async () => {
      const { ownerId, name } = await newOwner();
      const [one] = await insert(ownerId, [{ name: 'one' }, { name: 'two', createdAt: 1 }]);
      const token = await server.createToken({ owner: name, mapId: one?.id ?? null });
      const seen = async (search: Search) => seenPage(pageOf(await executorFor(token, search)({})));
      expect(await seen({ orderBy: { by: 'name', direction: 'desc' } })).toMatchObject({
        ids: [one?.id],
        totalCount: 1,
      });
      expect(await seen({ filter: { search: 'two' } })).toMatchObject({ ids: [], totalCount: 0 });
      expect(await seen({ filter: { search: 'one' } })).toMatchObject({ ids: [one?.id], totalCount: 1 });
    });

    it('reflects the changes that mutations make', async () => {
      const { token } = await newOwner();
      const [a, b] = [
        await makeMap(server, { name: 'A' }, token),
        await makeMap(server, { name: 'B' }, token),
      ];
      const ids = async (search: Search) =>
        (await readAll(executorFor(token, search), pageOf)).map(({ id }) => id);
      const newest: Search = { orderBy: { by: 'updated', direction: 'desc' } };
      expect(await ids(newest)).toEqual([b.id, a.id]);
      dataOf(
        await server.graphql(
          'mutation ($id: ID!) { updateMap(input: { id: $id, isPublished: true, name: "Ç" }) { map { id } } }',
          { id: a.id },
          token,
        ),
      );
      expect(await ids(newest)).toEqual([a.id, b.id]);
      expect(await ids({ orderBy: { by: 'name' } })).toEqual([b.id, a.id]);
      expect(await ids({ filter: { isPublished: true, search: 'c' } })).toEqual([a.id]);
    });
  });
}

suite('SQLite', 'sqlite::memory:', 150);

const mongodb = await testServer();
if (mongodb === null)
  describeUnless(NO_MONGODB, 'viewer.maps with a filter and an order, on MongoDB', () => {});
else suite('MongoDB', ownDatabase(mongodb), 40);

describe('the arguments filter and orderBy of viewer.maps', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer({ GRAPHQL_MAX_ROWS: '150' });
  });
  afterAll(() => server.close());

  it('are refused, naming the member', async () => {
    const searches: [unknown, RegExp][] = [
      ['', /^filter\.search must be 1 to 256 characters/],
      ['x'.repeat(257), /^filter\.search must be 1 to 256 characters/],
      ['- !', /^filter\.search must contain 1 to 10 words/],
      ['a b c d e f g h i j k', /^filter\.search must contain 1 to 10 words/],
      ['x'.repeat(65), /^filter\.search contains a word of more than 64 characters/],
      [1, /filter\.search/],
    ];
    for (const [search, message] of searches) {
      const response = await server.graphql(QUERY, { filter: { search } });
      expect([search, codesOf(response)]).toEqual([search, ['BAD_USER_INPUT']]);
      expect(messageOf(response)).toMatch(message);
    }
    for (const orderBy of [{}, { by: 'secret-order' }, { by: 'name', direction: 'secret-order' }]) {
      const response = await server.graphql(QUERY, { orderBy });
      expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
      expect(messageOf(response)).toMatch(/orderBy/);
      expect(response.text).not.toContain('secret-order');
    }
  });

  it('count rows per page, as the plain list does', async () => {
    const page = (size: number) => `maps(first: ${size}, filter: { isDeleted: false }) { totalCount }`;
    expect(codesOf(await server.graphql(`{ viewer { a: ${page(75)} b: ${page(75)} } }`))).toEqual([]);
    const over = await server.graphql(`{ viewer { a: ${page(100)} b: ${page(51)} } }`);
    expect(codesOf(over)).toEqual(['BAD_USER_INPUT']);
    expect(messageOf(over)).toMatch(/150 maps and locations/);
  });
});
