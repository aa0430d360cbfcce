import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { createLocation, createMap, expectError, fieldsOf } from '../support/v0.ts';

let server: TestServer;
let map: string;

beforeAll(async () => {
  server = await createTestServer();
  map = await createMap(server);
});
afterAll(() => server.close());

const GOOD = JSON.stringify({ fields: fieldsOf('A') });

function post(body: string | Buffer, headers: Record<string, string> = {}): Promise<TestResponse> {
  return server.request('POST', `/v0/map/${map}/location`, { body, headers });
}

/** A body whose fields hold this JSON text under `x`. */
function withValue(json: string): string {
  return `{"fields":{"Name":"A","Address":"B","x":${json}}}`;
}

async function count(): Promise<number> {
  const { json } = await server.graphql('query ($id: ID!) { map(id: $id) { locations { totalCount } } }', {
    id: map,
  });
  return json.data.map.locations.totalCount as number;
}

describe('the type of a body', () => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
    'Application/Json; charset="utf-8"',
    'application/json ; a=b; c=d',
    'application/json;',
  ]) {
    it(`may be ${type}`, async () => {
      expect((await post(GOOD, { 'content-type': type })).status).toBe(200);
    });
  }

  for (const type of [
    '',
    ' ',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/graphql-response+json',
    'application/json, text/plain',
    'application/ json',
    'json',
    '*/*',
    'application/*',
  ]) {
    it(`may not be ${JSON.stringify(type)}`, async () => {
      expectError(await post(GOOD, { 'content-type': type }), 415, 415, /application\/json/);
    });
  }

  it('is required, with a body or without one', async () => {
    for (const payload of [GOOD, '', undefined]) {
      const url = `/v0/map/${map}/location`;
      const { statusCode, headers, body } = await server.app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${await server.createToken()}` },
        ...(payload === undefined ? {} : { payload }),
      });
      expect([statusCode, JSON.parse(body).error]).toEqual([415, 415]);
      await server.expectDescribed('POST', url, { status: statusCode, headers, text: body });
    }
  });
});

describe('a body that is not a JSON object in UTF-8', () => {
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
  for (const [name, body] of [
    ['empty', Buffer.alloc(0)],
    ['white space', ' \n\t'],
    ['cut short', GOOD.slice(0, -1)],
    ['followed by more', `${GOOD}x`],
    ['two', `${GOOD}${GOOD}`],
    ['with a comment', `/**/${GOOD}`],
    ['with a trailing comma', GOOD.replace(/}$/, ',}')],
    ['in single quotes', GOOD.replaceAll('"', "'")],
    ['with NaN', withValue('NaN')],
    ['with a leading zero', withValue('01')],
    ['with a raw control character', withValue('"\n"')],
    ['with a raw NUL', withValue('"\0"')],
    ['with a byte order mark', bytes([0xef, 0xbb, 0xbf], GOOD)],
    ['in UTF-16LE', Buffer.from(GOOD, 'utf16le')],
    ['in UTF-16LE with its mark', bytes([0xff, 0xfe], [...Buffer.from(GOOD, 'utf16le')])],
    ['in latin1', Buffer.from(withValue('"é"'), 'latin1')],
    ['with a byte that is never UTF-8', bytes('{"fields":{"Name":"', [0xff], '","Address":"B"}}')],
    ['with an overlong form', bytes('{"fields":{"Name":"', [0xc0, 0xaf], '","Address":"B"}}')],
    ['with a surrogate in UTF-8', bytes('{"fields":{"Name":"', [0xed, 0xa0, 0x80], '","Address":"B"}}')],
    ['with a character cut short', bytes('{"fields":{"Name":"', [0xf0, 0x9f, 0x98], '","Address":"B"}}')],
    ['compressed', bytes([0x1f, 0x8b, 8, 0])],
  ] as const) {
    it(`is rejected: ${name}`, async () => {
      expectError(await post(body), 400, 400, /JSON|UTF-8/);
    });
  }

  for (const json of ['null', 'true', '0', '""', '"{}"', '[]', `[${GOOD}]`]) {
    it(`is rejected: ${json.slice(0, 20)}`, async () => {
      expectError(await post(json), 400, 400, /JSON object/);
    });
  }

  it('stores nothing', async () => {
    const before_ = await count();
    await post('{');
    await post('[]');
    expect(await count()).toBe(before_);
  });
});

describe('the members of a body', () => {
  for (const fields of ['null', '[]', '"x"', '1', 'true', '{}', '[{"Name":"A","Address":"B"}]']) {
    it(`fields may not be ${fields}`, async () => {
      expectError(await post(`{"fields":${fields}}`), 400, 400, /fields/);
    });
  }

  for (const order of [
    '1',
    'true',
    '[]',
    '{}',
    '""',
    '"\\u0000"',
    '"\\n"',
    '"\\u0085"',
    '"\\ud800"',
    `"${'a'.repeat(257)}"`,
  ]) {
    it(`order may not be ${order.slice(0, 20)}`, async () => {
      expectError(
        await post(`{"fields":${JSON.stringify(fieldsOf('A'))},"order":${order}}`),
        400,
        400,
        /order/,
      );
    });
  }

  it('order may be null, which means absent', async () => {
    const { status, json } = await post(`{"fields":${JSON.stringify(fieldsOf('A'))},"order":null}`);
    expect(status).toBe(200);
    const { text } = await server.request('GET', `/v0/map/${map}/locations`);
    expect(text.endsWith(`${JSON.stringify(json.data)}]`)).toBe(true);
  });

  it('other members are ignored', async () => {
    const { status, text } = await post(
      `{"id":"mine","name":{},"limit":0,"mapId":"other","idempotencyKey":7,"__proto__":{"order":1},"toString":1,` +
        `"a":"\\ud800\\u0000","b":1e999,"fields":${JSON.stringify(fieldsOf('A'))}}`,
    );
    expect(status).toBe(200);
    expect(text).not.toContain('mine');
  });

  it('the last of equal keys wins, at every depth', async () => {
    const body =
      '{"fields":{},"order":1,"fields":{"Name":"no","Address":"B","Name":"yes","o":{"k":1,"k":2}},"order":"5"}';
    const { json } = await post(body);
    expect(JSON.stringify(json.data.properties)).toBe('{"Name":"yes","Address":"B","o":{"k":2}}');
    expectError(await post(`{"fields":${JSON.stringify(fieldsOf('A'))},"fields":null}`), 400, 400, /fields/);
  });

  it('fields inherited from a __proto__ member do not count', async () => {
    expectError(await post(`{"__proto__":${GOOD}}`), 400, 400, /fields/);
    expectError(await post('{"fields":{"__proto__":{"Name":"A","Address":"B"}}}'), 400, 400, /Name/);
  });
});

describe('values in fields', () => {
  for (const [sent, given] of [
    ['"\\u0041\\/\\ud83d\\ude00"', '"A/😀"'],
    [
      '"\\b\\f\\n\\r\\t\\u001f\\u007f\\u0080\\u2028\\ufeff\\uffff"',
      '"\\b\\f\\n\\r\\t\\u001f\u007f\u0080\u2028\ufeff\uffff"',
    ],
    ['1.0', '1'],
    ['1e2', '100'],
    ['1E-7', '1e-7'],
    ['12345678901234567890.0', '12345678901234567000'],
    ['9007199254740993.0', '9007199254740992'],
    ['9007199254740991', '9007199254740991'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ['5e-324', '5e-324'],
    ['1e-400', '0'],
    ['0.1', '0.1'],
    ['[]', '[]'],
    ['{}', '{}'],
    ['[null,true,false,"",{"":{"":[]}}]', '[null,true,false,"",{"":{"":[]}}]'],
    ['{"__proto__":{"a":1},"constructor":{"prototype":null},"$where":1,"a.b":2,"":3,"toJSON":4}', undefined],
    ['{"hasOwnProperty":1,"then":2,"valueOf":null,"length":-1}', undefined],
    ['{"b":1,"10":2,"a":3,"9":4}', '{"9":4,"10":2,"b":1,"a":3}'],
  ] as const) {
    it(`come back as JSON.parse reads them: ${sent.slice(0, 50)}`, async () => {
      const created = await post(withValue(sent));
      expect(created.status).toBe(200);
      const expected = `"properties":{"Name":"A","Address":"B","x":${given ?? sent}}}`;
      expect(created.text).toContain(expected);
      const got = await server.request('GET', `/v0/map/${map}/location/${created.json.data.id}`);
      expect(got.text).toContain(expected);
    });
  }

  it('come back under any key at the top', async () => {
    const keys = ['__proto__', 'constructor', '$where', 'a.b', '', 'toString', '$ref', '_id', 'é', '😀', ' '];
    const text = keys.map((key, index) => `${JSON.stringify(key)}:${index}`).join(',');
    const { status, text: response } = await post(`{"fields":{${text},"Name":"A","Address":"B"}}`);
    expect(status).toBe(200);
    expect(response).toContain(`"properties":{${text},"Name":"A","Address":"B"}`);
  });

  for (const [name, json, message] of [
    ['1e400', '1e400', /double/],
    ['-1e400 deep inside', '[{"a":[-1e400]}]', /double/],
    ['a number of 400 digits', `${'9'.repeat(400)}.0`, /double/],
    ['an integer beyond 2^53 - 1', '9007199254740993', /fields\.x is an integer beyond/],
    ['a NUL', '"a\\u0000"', /NUL/],
    ['a NUL in a key', '{"\\u0000":1}', /NUL/],
    ['a high surrogate alone', '"\\ud800"', /surrogate/],
    ['a low surrogate alone', '"\\udc00"', /surrogate/],
    ['surrogates the wrong way round', '"\\udc00\\ud800"', /surrogate/],
    ['a lone surrogate in a key', '{"\\ud800":1}', /surrogate/],
    ['9 levels', '[[[[[[[[]]]]]]]]', /deep/],
    ['500,000 levels', `${'['.repeat(500_000)}${']'.repeat(500_000)}`, /deep/],
    ['100,000 objects in one another', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, /deep/],
    ['over 64 KiB', JSON.stringify('é'.repeat(33_000)), /bytes/],
  ] as const) {
    it(`are rejected: ${name}`, async () => {
      expectError(await post(withValue(json)), 400, 400, message);
    });
  }

  it('may nest 8 levels, including fields itself', async () => {
    expect((await post(withValue('[[[[[[[]]]]]]]'))).status).toBe(200);
  });

  it('have up to 200 keys', async () => {
    const keys = (more: number) => Array.from({ length: more }, (_, index) => `"k${index}":0`).join(',');
    expect((await post(`{"fields":{"Name":"A","Address":"B",${keys(198)}}}`)).status).toBe(200);
    expectError(await post(`{"fields":{"Name":"A","Address":"B",${keys(199)}}}`), 400, 400, /201 keys/);
  });

  it('may nest arbitrarily deep where they are ignored', async () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    const { status } = await post(`{"ignored":${deep},"fields":${JSON.stringify(fieldsOf('A'))}}`);
    expect(status).toBe(200);
  });
});

describe('the name and the address', () => {
  for (const value of ['null', '1', 'true', '""', '" \\t\\n\\u00a0\\u3000"', '[]', '{}', '["A"]']) {
    it(`may not be ${value}`, async () => {
      expectError(await post(`{"fields":{"Name":${value},"Address":"B"}}`), 400, 400, /Name/);
      expectError(await post(`{"fields":{"Name":"A","Address":${value}}}`), 400, 400, /Address/);
    });
  }

  it('are required under the names that the map defines', async () => {
    expectError(await post('{"fields":{"name":"A","Address":"B"}}'), 400, 400, /Name/);
    expectError(await post('{"fields":{"Name":"A","address":"B"}}'), 400, 400, /Address/);
  });
});

describe('a body where none is expected', () => {
  it('is ignored, whatever its type and form', async () => {
    const id = await createLocation(server, map, 'gone');
    const path = `/v0/map/${map}/location/${id}`;
    for (const [body, type] of [
      ['not json', 'text/plain'],
      ['{', 'application/json'],
      [Buffer.from([0xff]), 'application/json; charset=utf-16'],
      [' '.repeat(2_000_000), 'application/json'],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const { status } = await server.request(method, path, { body, headers: { 'content-type': type } });
        expect(status).toBe(200);
      }
    }
    const headers = { 'content-type': 'nonsense' };
    expect((await server.request('DELETE', path, { body: '{', headers })).status).toBe(200);
  });
});
