import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Environment } from '../../src/app/config.ts';
import type { Parts } from '../../src/app/composition/application.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import {
  createMap,
  deleteMap,
  expectError,
  fieldsOf,
  withServer,
  PER_REQUEST_HEADERS,
} from '../support/v0.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BODY = JSON.stringify({
  fields: { ...fieldsOf('A'), n: 1, deep: { a: [1, { x: 1, y: 2 }], b: null } },
  order: '5',
});

type Post = (key: string, body?: string, options?: { map?: string; token?: string }) => Promise<TestResponse>;

/** Posts with a key; `stored` returns the names on the map, and `asked` the number of geocoder calls. */
function withKeys(
  run: (
    post: Post,
    context: { server: TestServer; map: string; stored: () => Promise<string[]> },
  ) => Promise<void>,
  environment: Environment = {},
  replacements: Parts = {},
) {
  return withServer(
    environment,
    async (server) => {
      const map = await createMap(server);
      const post: Post = (key, body = BODY, { map: mapId = map, token } = {}) =>
        server.request('POST', `/v0/map/${mapId}/location`, {
          body,
          token,
          headers: { 'idempotency-key': key },
        });
      const stored = async () => {
        const { json } = await server.request('GET', `/v0/map/${map}/locations`);
        return (json as { name: string }[]).map(({ name }) => name);
      };
      await run(post, { server, map, stored });
    },
    replacements,
  );
}

describe('the same Idempotency-Key and body', () => {
  it('get the first response again, byte for byte, and store and geocode nothing', () =>
    withKeys(async (post, { server, stored }) => {
      const first = await post('key');
      expect(first.status).toBe(200);
      for (let again = 0; again < 3; again += 1) {
        const response = await post('key');
        expect({ ...response.headers, ...PER_REQUEST_HEADERS }).toEqual({
          ...first.headers,
          ...PER_REQUEST_HEADERS,
        });
        expect(response.text).toBe(first.text);
      }
      expect(await stored()).toEqual(['A']);
      expect(server.geocoder.asked.length).toBe(1);
    }));

  it('get it also after the location was deleted', () =>
    withKeys(async (post, { server, map, stored }) => {
      const first = await post('key');
      await server.request('DELETE', `/v0/map/${map}/location/${first.json.data.id}`);
      expect((await post('key')).text).toBe(first.text);
      expect(await stored()).toEqual([]);
    }));

  it('get it also after the fields of the map changed so that the body no longer fits', () =>
    withKeys(async (post, { server, map, stored }) => {
      const first = await post('key');
      const { json } = await server.graphql(
        `mutation ($id: ID!) {
          updateMap(input: { id: $id, fields: [{ name: "Title", type: placeName }, { name: "Street", type: address }] }) {
            map { id }
          }
        }`,
        { id: map },
      );
      expect(json.errors).toBeUndefined();
      expect((await post('key')).text).toBe(first.text);
      expect(await stored()).toEqual(['A']);
      expectError(await post('another key'), 400, 400);
      // A misfit is reported before a used key.
      expectError(await post('key', JSON.stringify({ fields: fieldsOf('B') })), 400, 400);
    }));

  it('get it also from another process on the same store', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'idempotency-'));
    const environment = { DATABASE_URL: `sqlite:${join(folder, 'test.db')}` };
    try {
      const first = { text: '', map: '', token: '' };
      await withKeys(async (post, { server, map }) => {
        const token = await server.createToken();
        const { text } = await post('key', BODY, { token });
        Object.assign(first, { text, map, token });
      }, environment);
      await withKeys(async (post, { server }) => {
        expect((await post('key', BODY, first)).text).toBe(first.text);
        expect(server.geocoder.asked).toEqual([]);
      }, environment);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are the same in any order of keys and any spelling of the JSON', () =>
    withKeys(async (post, { stored }) => {
      const first = await post('key');
      for (const body of [
        '{"order":"5","fields":{"deep":{"b":null,"a":[1,{"y":2,"x":1}]},"n":1,"Address":"A Street 1","Name":"A"}}',
        BODY.replaceAll(':', ' :\n '),
        BODY.replace('"n":1', '"n":1.0e0'),
        BODY.replace('"A"', '"\\u0041"'),
        BODY.replace('"n":1', '"n":2,"n":1'),
        BODY.replace('{', '{"ignored":[1,2],'),
      ]) {
        expect((await post('key', body)).text).toBe(first.text);
      }
      expect(await stored()).toEqual(['A']);
    }));

  it('are the same without order and with null', () =>
    withKeys(async (post, { stored }) => {
      const fields = JSON.stringify(fieldsOf('A'));
      const first = await post('key', `{"fields":${fields}}`);
      expect((await post('key', `{"fields":${fields},"order":null}`)).text).toBe(first.text);
      expect(await stored()).toEqual(['A']);
    }));
});

describe('the same Idempotency-Key and another body', () => {
  for (const [name, change] of [
    ['a field more', ['"n":1', '"n":1,"m":1']],
    ['a field less', ['"n":1,', '']],
    ['another value', ['"n":1', '"n":2']],
    ['a string for a number', ['"n":1', '"n":"1"']],
    ['null for nothing', ['"n":1', '"n":1,"m":null']],
    ['another order of a list', ['[1,{"x":1,"y":2}]', '[{"x":1,"y":2},1]']],
    ['another order', ['"order":"5"', '"order":"6"']],
    ['an equal number written otherwise', ['"order":"5"', '"order":"5.0"']],
    ['no order', [',"order":"5"', '']],
    ['an accent composed otherwise', ['"A"', '"A\\u0301"']],
  ] as const) {
    it(`is a CONFLICT: ${name}`, () =>
      withKeys(async (post, { stored, server }) => {
        const first = await post('key');
        const changed = BODY.replace(change[0], change[1]);
        expect(changed).not.toBe(BODY);
        expectError(await post('key', changed), 400, 409, /idempotency key/);
        expect(await stored()).toEqual(['A']);
        expect(server.geocoder.asked.length).toBe(1);
        expect((await post('key')).text).toBe(first.text);
      }));
  }
});

describe('an Idempotency-Key', () => {
  it('belongs to its token and its map', () =>
    withKeys(async (post, { server, map }) => {
      const other = { map: await createMap(server), token: await server.createToken() };
      const responses = [
        await post('key'),
        await post('key', BODY, { map: other.map }),
        await post('key', BODY, { token: other.token }),
        await post('key', BODY.replace('"n":1', '"n":3'), other),
      ];
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(responses.map(({ json }) => json.data.id as string)).size).toBe(4);
      expect((await server.request('GET', `/v0/map/${map}/locations`)).json.length).toBe(2);
    }));

  it('is any printable ASCII text, compared exactly', () =>
    withKeys(async (post, { stored }) => {
      const keys = [
        'a',
        'A',
        'a b',
        '!',
        '~',
        '"a"',
        'a,b',
        '0',
        '00',
        '__proto__',
        'x'.repeat(255),
        `${'x'.repeat(254)}y`,
      ];
      for (const key of keys) expect((await post(key)).status).toBe(200);
      expect((await stored()).length).toBe(keys.length);
    }));

  for (const [name, key] of [
    ['empty', ''],
    ['256 characters', 'x'.repeat(256)],
    ['outside ASCII', 'é'],
    ['with a tab', 'a\tb'],
    ['with DEL', 'a\x7fb'],
  ] as const) {
    it(`is rejected, and nothing is stored: ${name}`, () =>
      withKeys(async (post, { stored }) => {
        expectError(await post(key), 400, 400, /255 printable ASCII/);
        expect(await stored()).toEqual([]);
      }));
  }

  it('is optional: without it, the same body is stored again', () =>
    withKeys(async (_post, { server, map, stored }) => {
      for (let count = 0; count < 2; count += 1) {
        const { status } = await server.request('POST', `/v0/map/${map}/location`, { body: BODY });
        expect(status).toBe(200);
      }
      expect(await stored()).toEqual(['A', 'A']);
    }));

  it('is remembered for 24 hours, to the millisecond, from its first use', async () => {
    let now = Date.UTC(2026, 0, 1);
    await withKeys(
      async (post, { stored }) => {
        const first = await post('key');
        now += DAY_MS - 1;
        expect((await post('key')).text).toBe(first.text);
        expectError(await post('key', BODY.replace('"n":1', '"n":2')), 400, 409);
        now += 1;
        const second = await post('key', BODY.replace('"n":1', '"n":2'));
        expect(second.status).toBe(200);
        expect((await stored()).length).toBe(2);
        now += DAY_MS - 1;
        expect((await post('key', BODY.replace('"n":1', '"n":2'))).text).toBe(second.text);
      },
      {},
      { clock: () => now },
    );
  });

  it('is shared with GraphQL, in both directions', () =>
    withKeys(async (post, { server, map, stored }) => {
      const create = async (key: string, order: string) => {
        const { json } = await server.graphql(
          'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }',
          { input: { mapId: map, fields: JSON.parse(BODY).fields, order, idempotencyKey: key } },
        );
        return (json.data?.createLocation?.location?.id ?? json.errors[0].extensions.code) as string;
      };
      const fromRest = (await post('rest')).json.data.id as string;
      expect(await create('rest', '5')).toBe(fromRest);
      expect(await create('rest', '6')).toBe('CONFLICT');

      const fromGraphql = await create('graphql', '5');
      expect((await post('graphql')).json.data.id).toBe(fromGraphql);
      expectError(await post('graphql', BODY.replace('"5"', '"6"')), 400, 409);
      expect((await stored()).length).toBe(2);
    }));
});

describe('an error', () => {
  it('is not remembered: the key is free for another body', () =>
    withKeys(async (post, { server, map, stored }) => {
      const at = (address: string) => BODY.replace('A Street 1', address);
      for (const [body, status, error] of [
        [at('unknown:'), 400, 422],
        [at('refused:'), 400, 424],
        [at('limited:'), 429, 429],
        [at('down:'), 503, 503],
        [at('bug:'), 500, 500],
        [at(' '), 400, 400],
        [BODY.replace('"5"', '5'), 400, 400],
        ['{', 400, 400],
      ] as const) {
        expectError(await post('key', body), status, error);
      }
      const reader = await server.createToken({ scope: 'read' });
      expectError(await post('key', BODY, { token: reader }), 403, 403);
      expect(await stored()).toEqual([]);
      expect((await post('key')).status).toBe(200);
      expect(map).not.toBe('');
    }));

  it('of an earlier check takes precedence over a known key', () =>
    withKeys(async (post, { server, map }) => {
      await post('key');
      await deleteMap(server, map);
      expectError(await post('key'), 400, 410);
    }));
});

describe('several requests with one key at once', () => {
  it('store one location, and all get the same bytes', () =>
    withKeys(async (post, { stored }) => {
      for (const [round, count] of [2, 2, 2, 20].entries()) {
        const responses = await Promise.all(Array.from({ length: count }, () => post(`key ${round}`)));
        expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
        expect(responses[0]!.status).toBe(200);
        expect((await stored()).length).toBe(round + 1);
      }
    }));

  it('store one location, and the other body is a CONFLICT', () =>
    withKeys(async (post, { stored }) => {
      const other = BODY.replace('"n":1', '"n":2');
      const responses = await Promise.all([post('key'), post('key', other), post('key'), post('key', other)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400]);
      for (const response of responses.filter(({ status }) => status === 400))
        expectError(response, 400, 409);
      expect((await stored()).length).toBe(1);
    }));

  it('store one location even if they use both endpoints', () =>
    withKeys(async (post, { server, map, stored }) => {
      const { fields, order } = JSON.parse(BODY) as { fields: object; order: string };
      const query =
        'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }';
      const variables = { input: { mapId: map, fields, order, idempotencyKey: 'key' } };
      const [rest, graphql] = await Promise.all([post('key'), server.graphql(query, variables)]);
      expect(graphql.json.data.createLocation.location.id).toBe(rest.json.data.id);
      expect((await stored()).length).toBe(1);
    }));
});
