import fc from 'fast-check';

import type { TestServer } from '../support/server.ts';
import { createLocation, createLocations, createMap, withServer } from '../support/v0.ts';

interface Seen {
  readonly id: string;
  readonly name: string;
}

/** Follows Link from page to page as a client does, with other work between pages. */
async function walk(
  server: TestServer,
  map: string,
  limit: number,
  between: (page: number, seen: readonly Seen[]) => Promise<void> = () => Promise.resolve(),
): Promise<Seen[]> {
  const seen: Seen[] = [];
  let path: string | undefined = `/v0/map/${map}/locations?limit=${limit}`;
  for (let page = 1; path !== undefined; page += 1) {
    const { status, json, headers } = await server.request('GET', path);
    expect(status).toBe(200);
    expect(json.length).toBeLessThanOrEqual(limit);
    // Guards against an endless walk.
    expect(page).toBeLessThan(500);
    seen.push(...(json as Seen[]).map(({ id, name }) => ({ id, name })));
    const target = /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1];
    path = target === undefined ? undefined : target.slice(target.indexOf('/v0/'));
    if (path !== undefined) await between(page, seen);
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  return seen;
}

const namesOf = (seen: readonly Seen[]) => seen.map(({ name }) => name);
const numbered = (count: number, order: (index: number) => string | undefined) =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index}`, order: order(index) }));

describe('walking a list by its Links', () => {
  it('visits each of thousands of equal orders once, in creation order', () =>
    withServer({}, async (server) => {
      const map = await createMap(server);
      const items = numbered(2_500, () => 'same');
      await createLocations(server, map, items);
      expect(namesOf(await walk(server, map, 100))).toEqual(items.map(({ name }) => name));
    }));

  it('visits equal numbers once each, however they are written', () =>
    withServer({}, async (server) => {
      const map = await createMap(server);
      const forms = ['7', '007', '7.0', '07.000', '0000000000007'];
      const items = numbered(333, (index) => forms[index % forms.length]);
      await createLocations(server, map, items);
      for (const limit of [1, 7, 100]) {
        expect(namesOf(await walk(server, map, limit))).toEqual(items.map(({ name }) => name));
      }
    }));

  const needsEncoding = [
    '&',
    '+',
    ' ',
    'a b',
    '%',
    '%41',
    '=',
    '#',
    '?',
    '/',
    '<',
    '>',
    '"',
    "'",
    '\\',
    ';',
    ',',
    'é',
    '😀',
  ];
  it('visits orders that need encoding, single and repeated', () =>
    withServer({}, async (server) => {
      const map = await createMap(server);
      await createLocations(
        server,
        map,
        [...needsEncoding, ...needsEncoding].map((order) => ({ name: `name ${order}`, order })),
      );
      const all = namesOf(await walk(server, map, 100));
      expect(all.length).toBe(2 * needsEncoding.length);
      for (const limit of [1, 2, 3]) expect(namesOf(await walk(server, map, limit))).toEqual(all);
    }));

  it('visits any orders, at any page size', () =>
    withServer({}, async (server) => {
      const number = fc.tuple(fc.constantFrom('', '-'), fc.stringMatching(/^[0-9]{1,4}(\.[0-9]{1,3})?$/));
      const order = fc.oneof(
        number.map((parts) => parts.join('')),
        fc.constantFrom('7', '007', 'a', 'A', '٣', '1e1', '+5'),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
      );
      const isOrder = (text: string) => !/\p{Cc}/u.test(text) && text.isWellFormed();
      await fc.assert(
        fc.asyncProperty(
          fc.array(order.filter(isOrder), { minLength: 1, maxLength: 40 }),
          fc.integer({ min: 1, max: 10 }),
          async (orders, limit) => {
            const map = await createMap(server);
            await createLocations(
              server,
              map,
              orders.map((text, index) => ({ name: `n${index}`, order: text })),
            );
            const whole = await server.request('GET', `/v0/map/${map}/locations`);
            expect(whole.json.length).toBe(orders.length);
            expect(namesOf(await walk(server, map, limit))).toEqual(namesOf(whole.json));
          },
        ),
        { numRuns: 60 },
      );
    }));

  it('visits each location that exists throughout exactly once, despite concurrent inserts and deletions', () =>
    withServer({}, async (server) => {
      const map = await createMap(server);
      // Long runs of equal orders, so that most pages end within one.
      const stay = numbered(300, (index) => String(Math.floor(index / 60)));
      await createLocations(
        server,
        map,
        stay.map(({ name, order }) => ({ name: `stay ${name}`, order })),
      );
      const seen = await walk(server, map, 7, async (page, visited) => {
        const last = visited.at(-1)!;
        // Before, at and after the current position of the walk.
        for (const order of ['-1', '0', String(page % 5), '4', 'zzz'])
          await createLocation(server, map, `new ${page}`, order);
        // Also the last location of the previous page: the next page begins after its former position.
        const targets = visited.filter(({ name }) => name.startsWith('new')).slice(-2);
        if (!last.name.startsWith('stay')) targets.push(last);
        for (const { id } of new Set(targets))
          await server.request('DELETE', `/v0/map/${map}/location/${id}`);
      });
      const kept = namesOf(seen).filter((name) => name.startsWith('stay'));
      expect(kept).toEqual(stay.map(({ name }) => `stay ${name}`));
    }));

  it('continues if the last location of a page and the next one are deleted', () =>
    withServer({}, async (server) => {
      for (const order of [() => 'same', (index: number) => String(index)]) {
        const map = await createMap(server);
        await createLocations(server, map, numbered(12, order));
        const { json } = await server.request('GET', `/v0/map/${map}/locations`);
        const ids = (json as Seen[]).map(({ id }) => id);
        const seen = await walk(server, map, 4, async (_page, visited) => {
          const last = ids.indexOf(visited.at(-1)!.id);
          for (const id of [ids[last], ids[last + 1]]) {
            expect((await server.request('DELETE', `/v0/map/${map}/location/${id}`)).status).toBe(200);
          }
        });
        expect(namesOf(seen)).toEqual(['n0', 'n1', 'n2', 'n3', 'n5', 'n6', 'n7', 'n8', 'n10', 'n11']);
      }
    }));

  it('ends, even if locations are appended as fast as they are read', () =>
    withServer({}, async (server) => {
      const map = await createMap(server);
      await createLocations(
        server,
        map,
        numbered(20, () => undefined),
      );
      let appended = 0;
      const seen = await walk(server, map, 5, async () => {
        if (appended < 30) await createLocation(server, map, `late ${appended}`);
        appended += 1;
      });
      expect(namesOf(seen).slice(0, 20)).toEqual(numbered(20, () => undefined).map(({ name }) => name));
    }));
});
