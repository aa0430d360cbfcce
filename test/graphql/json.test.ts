/** `fields` as JSON: as a variable, a literal or a mixture of both, returned unchanged. */

import fc from 'fast-check';

import { codesOf, createLocation, dataOf, makeMap, messageOf } from '../support/graphql.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

describe('JSON in GraphQL', () => {
  let server: TestServer;
  let mapId: string;
  beforeAll(async () => {
    server = await createTestServer();
    mapId = (await makeMap(server)).id;
  });
  afterAll(() => server.close());

  /** Sends `fields` as the text of a literal, together with a name and an address. */
  const createLiteral = (
    members: string,
    definitions = '',
    variables: Record<string, unknown> = {},
  ): Promise<TestResponse> =>
    server.graphql(
      `mutation ${definitions} { createLocation(input: {
        mapId: "${mapId}", fields: { Name: "N", Address: "A", ${members} }
      }) { location { properties } } }`,
      variables,
    );

  /** The raw JSON of the properties: shows the order of keys, and what JSON.parse would hide. */
  const propertiesText = (response: TestResponse): string => {
    dataOf(response);
    return /"properties":(.*)\}\}\}\}\s*$/.exec(response.text)?.[1] ?? response.text;
  };

  it('a literal is kept as written', async () => {
    const response = await createLiteral(
      'z: 1, a: [1, 2.5, -0.1, 1e3, "x", true, null, [], {}], deep: { b: { c: """block "text" """ } }, e: ""',
    );
    expect(propertiesText(response)).toBe(
      '{"Name":"N","Address":"A","z":1,"a":[1,2.5,-0.1,1000,"x",true,null,[],{}],' +
        '"deep":{"b":{"c":"block \\"text\\" "}},"e":""}',
    );
  });

  it('a literal takes variables at any depth; an absent one omits its member, and is null in a list', async () => {
    const response = await createLiteral(
      'a: $a, b: [$a, $absent, $b], c: { absent: $absent, d: $b }, absent: $absent, n: $null, f: $default',
      '($a: String, $b: JSONObject, $absent: Int, $null: Int, $default: Int = 2)',
      { a: 'text', b: { x: [1] }, null: null },
    );
    expect(propertiesText(response)).toBe(
      '{"Name":"N","Address":"A","a":"text","b":["text",null,{"x":[1]}],"c":{"d":{"x":[1]}},"n":null,"f":2}',
    );
  });

  it('an absent variable is absent, even if it is named like a member of every object', async () => {
    const response = await createLiteral(
      'a: $constructor, b: $toString, c: $hasOwnProperty, d: [$valueOf]',
      '($constructor: Int, $toString: Int, $hasOwnProperty: Int, $valueOf: Int)',
    );
    expect(propertiesText(response)).toBe('{"Name":"N","Address":"A","d":[null]}');
    // Not only because JSON has no functions: an idempotency key sees the same content for both.
    const idOf = async (fields: string, definitions = ''): Promise<unknown> => {
      const keyed = await server.graphql(
        `mutation ${definitions} { createLocation(input: {
          mapId: "${mapId}", idempotencyKey: "absent", fields: { Name: "N", Address: "A", ${fields} }
        }) { location { id } } }`,
      );
      return dataOf(keyed).createLocation.location.id;
    };
    const id = await idOf('d: [null]');
    expect(await idOf('a: $toString, d: [$valueOf]', '($toString: Int, $valueOf: Int)')).toBe(id);
  });

  it('any key is data, in a literal and in a variable', async () => {
    const literal = await createLiteral(
      '__proto__: { polluted: 1 }, constructor: 2, hasOwnProperty: 3, length: 4',
    );
    expect(propertiesText(literal)).toBe(
      '{"Name":"N","Address":"A","__proto__":{"polluted":1},"constructor":2,"hasOwnProperty":3,"length":4}',
    );
    const fields =
      '{"Name":"N","Address":"A","__proto__":{"__proto__":1},"constructor":{"prototype":2},"":3,"$where":4,"a.b":5,"toString":null}';
    const body = `{"query":"mutation ($f: JSONObject!) { createLocation(input: { mapId: \\"${mapId}\\", fields: $f }) { location { properties } } }","variables":{"f":${fields}}}`;
    expect(propertiesText(await server.request('POST', '/graphql', { body }))).toBe(fields);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('an unquoted name is refused, since JSON has none', async () => {
    const response = await createLiteral('a: [{ b: UNQUOTED }]');
    expect([response.status, codesOf(response)]).toEqual([400, ['GRAPHQL_VALIDATION_FAILED']]);
    expect(messageOf(response)).toMatch(/unquoted names/);
    expect(messageOf(response)).not.toMatch(/UNQUOTED/);
  });

  it('a duplicate key is refused in a literal, and in a variable the last one counts', async () => {
    expect(codesOf(await createLiteral('a: 1, a: 2'))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    const body = `{"query":"mutation ($f: JSONObject!) { createLocation(input: { mapId: \\"${mapId}\\", fields: $f }) { location { properties } } }","variables":{"f":{"Name":"N","Address":"A","a":1,"a":2}}}`;
    expect(propertiesText(await server.request('POST', '/graphql', { body }))).toBe(
      '{"Name":"N","Address":"A","a":2}',
    );
  });

  it('a number beyond the range of a double is BAD_USER_INPUT at any depth', async () => {
    for (const number of ['1e400', '-1e400']) {
      expect(codesOf(await createLiteral(`a: ${number}`))).toEqual(['BAD_USER_INPUT']);
      expect(codesOf(await createLiteral(`a: [{ b: ${number} }]`))).toEqual(['BAD_USER_INPUT']);
      const variables = `{"f":{"Name":"N","Address":"A","a":${number}}}`;
      const body = `{"query":"mutation ($f: JSONObject!) { createLocation(input: { mapId: \\"${mapId}\\", fields: $f }) { map { id } } }","variables":${variables}}`;
      expect(codesOf(await server.request('POST', '/graphql', { body }))).toEqual(['BAD_USER_INPUT']);
    }
    const digits = `1${'0'.repeat(400)}`;
    expect(codesOf(await createLiteral(`a: ${digits}`))).toEqual(['BAD_USER_INPUT']);
  });

  it('a NUL and a lone surrogate are BAD_USER_INPUT, in keys and values', async () => {
    for (const bad of ['\0', 'a\0b', '\ud800', 'x\udc00']) {
      for (const extra of [{ a: bad }, { [bad]: 1 }, { a: [{ b: bad }] }, { a: [{ [bad]: 1 }] }]) {
        const response = await createLocation(server, {
          mapId,
          fields: { Name: 'N', Address: 'A', ...extra },
        });
        expect([extra, codesOf(response)]).toEqual([extra, ['BAD_USER_INPUT']]);
      }
    }
  });

  it('anything but an object is refused, without repeating it', async () => {
    for (const fields of [[], 'hush', 5, true, null]) {
      const response = await createLocation(server, { mapId, fields });
      expect([fields, response.status, codesOf(response)]).toEqual([fields, 400, ['BAD_USER_INPUT']]);
      expect(messageOf(response)).not.toMatch(/hush/);
    }
    for (const literal of ['[]', '"hush"', '5', 'null', 'UNQUOTED']) {
      const response = await server.graphql(
        `mutation { createLocation(input: { mapId: "x", fields: ${literal} }) { map { id } } }`,
      );
      expect([literal, response.status, codesOf(response)]).toEqual([
        literal,
        400,
        ['GRAPHQL_VALIDATION_FAILED'],
      ]);
    }
  });

  it('accepts keys, levels and bytes up to the limits, and no more', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
    const createWith = (extra: Record<string, unknown>) =>
      createLocation(server, { mapId, fields: { Name: 'N', Address: 'A', ...extra } });
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
    const frame = JSON.stringify({ Name: 'N', Address: 'A', text: '' }).length;
    const good = [keys(198), { a: nested(7) }, { text: 'x'.repeat(65_536 - frame) }];
    const bad = [
      keys(199),
      { a: nested(8) },
      { text: 'x'.repeat(65_537 - frame) },
      { text: 'é'.repeat(32_768) },
    ];
    for (const extra of good) expect(codesOf(await createWith(extra))).toEqual([]);
    for (const extra of bad) expect(codesOf(await createWith(extra))).toEqual(['BAD_USER_INPUT']);
  });

  it('any JSON is returned unchanged', async () => {
    const wellFormed = (text: string) => text.isWellFormed() && !text.includes('\0');
    const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter(wellFormed);
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        text,
        fc
          .double({ noDefaultInfinity: true, noNaN: true })
          .map((number) => (Object.is(number, -0) ? 0 : number))
          // JSON.stringify would write an integer that is refused.
          .filter((number) => Math.abs(number) <= Number.MAX_SAFE_INTEGER || Math.abs(number) >= 1e21),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('json'), { maxLength: 4 }),
        fc.dictionary(text, tie('json'), { maxKeys: 4 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(text, json, { maxKeys: 5 }), async (extra) => {
        const fields = { ...extra, Name: 'N', Address: 'A' };
        const response = await createLocation(server, { mapId, fields });
        const { id, properties } = dataOf(response).createLocation.location;
        expect(JSON.stringify(properties)).toBe(JSON.stringify(fields));
        const again = dataOf(
          await server.graphql('query ($id: ID!) { node(id: $id) { ... on Location { properties } } }', {
            id,
          }),
        );
        expect(JSON.stringify(again.node.properties)).toBe(JSON.stringify(fields));
      }),
      { numRuns: 100 },
    );
  });
});
