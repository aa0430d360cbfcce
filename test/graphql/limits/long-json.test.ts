/** Long JSON is serialized in chunks: the same bytes, without blocking the event loop. */

import { setImmediate as turn } from 'node:timers/promises';

import fc from 'fast-check';

import { JsonText } from '../../../src/domain/json/json-text.ts';
import { LongJson } from '../../../src/graphql/limits/long-json.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { makeMap } from '../../support/graphql.ts';
import { createTestServer } from '../../support/server.ts';

/** Longer than a chunk, as single values or only together. */
const LENGTHS = [10, 3_000, 20_000, 70_000];

/** Any value, and the same without JsonText. */
const values = fc.letrec<{ readonly pair: readonly [unknown, unknown] }>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue().map((value) => [value, value] as const),
    fc.tuple(fc.string({ unit: anyCharacter }), fc.constantFrom(...LENGTHS)).map(([text, length]) => {
      const long = text.padEnd(length, `${text}ä"`);
      return [long, long] as const;
    }),
    fc.jsonValue().map((value) => [new JsonText(JSON.stringify(value)), value] as const),
    fc
      .array(tie('pair'), { maxLength: 6 })
      .map((pairs) => [pairs.map(([left]) => left), pairs.map(([, right]) => right)] as const),
    // Repeated, as under aliases.
    fc.tuple(tie('pair'), fc.integer({ min: 2, max: 30 })).map(([[left, right], times]) => {
      const [lefts, rights] = [left, right].map((value) => Array.from({ length: times }, () => value));
      return [{ ...lefts, none: undefined }, { ...rights }] as const;
    }),
    fc
      .dictionary(fc.string({ unit: anyCharacter }), tie('pair'), { maxKeys: 6 })
      .map(
        (pairs) =>
          [
            Object.fromEntries(Object.entries(pairs).map(([key, [left]]) => [key, left])),
            Object.fromEntries(Object.entries(pairs).map(([key, [, right]]) => [key, right])),
          ] as const,
      ),
  ),
})).pair;

describe('long JSON', () => {
  it('equals JSON.stringify of the value, to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(values, async ([given, plain]) => {
        const expected = Buffer.from(JSON.stringify(plain));
        const json = await LongJson.measure(given, expected.length);
        expect(json?.bytes).toBe(expected.length);
        expect((await json?.write())?.bytes.equals(expected)).toBe(true);
        expect(await LongJson.measure(given, expected.length - 1)).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('reports how much of it is unwritten', async () => {
    const text = new JsonText(JSON.stringify('x'.repeat(100_000)));
    expect((await LongJson.measure({ a: [text, 1] }, 1_000_000))?.unwritten).toBe('{"a":[,1]}'.length);
  });

  it('yields to the event loop while it is measured and written', async () => {
    const rows = Array.from({ length: 600 }, (_, index) => ({ index, text: 'ä"'.repeat(20_000) }));
    const [measureTurns, json] = await turnsDuring(LongJson.measure(rows, Number.POSITIVE_INFINITY));
    expect(measureTurns).toBeGreaterThanOrEqual(4);
    const [writeTurns] = await turnsDuring(Promise.resolve(json?.write()));
    expect(writeTurns).toBeGreaterThanOrEqual(4);
  });
});

async function turnsDuring<T>(work: Promise<T>): Promise<[turns: number, result: T]> {
  const done = new AbortController();
  void work.then(() => done.abort());
  let turns = 0;
  for (; !done.signal.aborted; turns += 1) await turn();
  return [turns, await work];
}

describe('a long response of objects', () => {
  it('equals JSON.stringify, whether the operation is known or not', async () => {
    const server = await createTestServer();
    try {
      const map = await makeMap(server);
      const fields = {
        Name: 'N "ä"',
        Address: 'A',
        text: 'ä"\u2028😀'.repeat(2_000),
        none: null,
        list: [1, [{}]],
      };
      await server.graphql(
        'mutation ($mapId: ID!, $locations: [CreateLocationsItemInput!]!) { createLocations(input: { mapId: $mapId, locations: $locations }) { map { id } } }',
        { mapId: map.id, locations: Array.from({ length: 40 }, () => ({ fields })) },
      );
      const query = `{ map(id: "${map.id}") { a: locations { edges { cursor node { id properties } } } b: locations { edges { node { p: properties } } } c: locations { edges { node { properties } } } } }`;
      const known = [await server.graphql(query), await server.graphql(query), await server.graphql(query)];
      const fresh = await server.request('GET', `/graphql?${new URLSearchParams({ query }).toString()}`);
      expect(fresh.text.length).toBeGreaterThan(1024 * 1024);
      expect(fresh.text).toBe(JSON.stringify(fresh.json));
      expect(fresh.json.data.map.b.edges[39].node.p).toEqual(fields);
      for (const { text } of known) expect(text === fresh.text).toBe(true);
    } finally {
      await server.close();
    }
  });
});
