import fc from 'fast-check';

import { anyCharacter } from '../support/any-character.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { createLocations, createMap, expectError, withServer } from '../support/v0.ts';

const ORDERS = [
  '-10',
  '-2.5',
  '0',
  '7',
  '007',
  '7.0',
  '10',
  '😀',
  'B',
  'a',
  'a b',
  'a&b=c',
  'a+b',
  'é',
  '10 ',
];
const SORTED = [
  '-10',
  '-2.5',
  '0',
  '7',
  '007',
  '7.0',
  '10',
  '10 ',
  'B',
  'a',
  'a b',
  'a&b=c',
  'a+b',
  'é',
  '😀',
];
const NINES = '9'.repeat(256);

let server: TestServer;
let map: string;

beforeAll(async () => {
  server = await createTestServer();
  map = await createMap(server);
  await createLocations(
    server,
    map,
    ORDERS.map((order) => ({ name: order, order })),
  );
});
afterAll(() => server.close());

function list(query: string) {
  return server.request('GET', `/v0/map/${map}/locations${query}`);
}

async function names(query: string): Promise<string[]> {
  const { status, json } = await list(query);
  expect(status).toBe(200);
  return (json as { name: string }[]).map(({ name }) => name);
}

describe('the order of a list', () => {
  it('is numbers by value, then texts by code point, then creation', async () => {
    expect(await names('')).toEqual(SORTED);
  });
});

describe('limit', () => {
  for (const limit of ['1', '2', '15', '99', '100', '007', '0000000000000000000000000000000000000000001']) {
    it(`may be ${limit}`, async () => {
      expect(await names(`?limit=${limit}`)).toEqual(SORTED.slice(0, Number(limit)));
    });
  }

  for (const limit of [
    '',
    '0',
    '00',
    '101',
    '1000',
    '9'.repeat(400),
    '-1',
    '+5',
    '%2B5',
    '1.0',
    '1.5',
    '1e1',
    '0x10',
    '0b1',
    '1_0',
    '1,0',
    '%205',
    '5%20',
    '5%0A',
    '5%00',
    '%D9%A3',
    '%EF%BC%95',
    'ten',
    'null',
    'NaN',
    'Infinity',
    '5;offset=1',
    '[5]',
  ]) {
    it(`may not be ${limit.slice(0, 20)}, and is not clamped`, async () => {
      expectError(await list(`?limit=${limit}`), 400, 400, /limit.*1 to 100/);
    });
  }

  it('must have a value, and must not be repeated, even if equal', async () => {
    for (const query of [
      '?limit',
      '?limit=5&limit=5',
      '?limit=5&limit=6',
      '?limit=5&%6Cimit=5',
      '?limit=&limit=5',
    ]) {
      expectError(await list(query), 400, 400, /limit/);
    }
  });

  it('is case-sensitive', async () => {
    for (const query of [
      '?Limit=1',
      '?LIMIT=0',
      '?limit%20=1',
      '?limit[]=1',
      '?limits=1',
      '?first=1',
      '?%20limit=1',
    ]) {
      expect(await names(query)).toEqual(SORTED);
    }
  });

  it('does not depend on GraphQL’s limit on rows', () =>
    withServer({ GRAPHQL_MAX_ROWS: '1' }, async (narrow) => {
      const path = `/v0/map/${await createMap(narrow)}/locations`;
      expect((await narrow.request('GET', path)).status).toBe(200);
    }));

  it('is 100 by default', async () => {
    const large = await createMap(server);
    await createLocations(
      server,
      large,
      Array.from({ length: 101 }, (_, index) => ({ name: `n${index}` })),
    );
    const { json } = await server.request('GET', `/v0/map/${large}/locations`);
    expect(json.length).toBe(100);
  });
});

describe('offset', () => {
  for (const [offset, first] of [
    ['-99999', '-10'],
    ['-10', '-10'],
    ['-9.999', '-2.5'],
    ['-0', '0'],
    ['0.0000', '0'],
    ['6.999', '7'],
    ['7', '7'],
    ['7.000', '7'],
    ['00000007', '7'],
    ['7.0000000000000000000000000000000001', '10'],
    ['10', '10'],
    ['10.5', '10 '],
    ['+5', '10 '],
    ['1e1', 'B'],
    ['٣', '😀'],
    ['10 ', '10 '],
    ['A', 'B'],
    ['a', 'a'],
    ['a b', 'a b'],
    ['a&b=c', 'a&b=c'],
    ['a+b', 'a+b'],
    ['b', 'é'],
    ['é', 'é'],
    ['😀', '😀'],
    ['%', '10 '],
  ] as const) {
    it(`is inclusive: ${offset} begins at ${first}`, async () => {
      const found = await names(`?offset=${encodeURIComponent(offset)}`);
      expect(found).toEqual(SORTED.slice(SORTED.indexOf(first)));
    });
  }

  it('reads a plus as a space', async () => {
    expect((await names('?offset=a+b'))[0]).toBe('a b');
    expect((await names('?offset=a%2Bb'))[0]).toBe('a+b');
  });

  it('beyond the last is an empty page', async () => {
    expect(await names(`?offset=${encodeURIComponent('😀!')}`)).toEqual([]);
  });

  for (const [name, offset] of [
    ['empty', ''],
    ['257 characters', 'a'.repeat(257)],
    ['258 nines', '9'.repeat(258)],
    ['257 characters that are a fraction', `${'9'.repeat(255)}.5`],
    ['257 characters that are negative', `-${NINES}`],
    ['a NUL', '%00'],
    ['a line feed', '5%0A'],
    ['a tab', '%09'],
    ['DEL', '%7F'],
    ['C1', '%C2%85'],
  ] as const) {
    it(`may not be: ${name}`, async () => {
      expectError(await list(`?offset=${offset}`), 400, 400, /offset/);
    });
  }

  it('must have a value, and must not be repeated', async () => {
    for (const query of ['?offset', '?offset=5&offset=5', '?offset=5&o%66fset=6', '?offset=&offset=5']) {
      expectError(await list(query), 400, 400, /offset/);
    }
  });

  it('may be 256 characters, each of any size', async () => {
    for (const offset of ['a'.repeat(256), '😀'.repeat(256), NINES, `-${'9'.repeat(255)}`]) {
      expect((await list(`?offset=${encodeURIComponent(offset)}`)).status).toBe(200);
    }
  });

  it('may be any valid order', async () => {
    const digits = fc.stringMatching(/^[0-9]{1,120}$/);
    const decimal = fc
      .tuple(fc.constantFrom('', '-'), digits, fc.option(digits))
      .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}`);
    const text = fc
      .string({ unit: anyCharacter, minLength: 1, maxLength: 30 })
      .filter((any) => !/\p{Cc}/u.test(any));
    await fc.assert(
      fc.asyncProperty(fc.oneof(decimal, text), async (offset) => {
        expect((await list(`?offset=${encodeURIComponent(offset)}`)).status).toBe(200);
      }),
    );
  });

  it('accepts the number of 257 digits that follows 256 nines', async () => {
    const other = await createMap(server);
    await createLocations(server, other, [
      { name: 'nines', order: NINES },
      { name: 'next' },
      { name: 'last' },
    ]);
    const first = await server.request('GET', `/v0/map/${other}/locations?limit=1`);
    const next = `1${'0'.repeat(256)}`;
    expect(new URL(/<(.*)>/.exec(String(first.headers.link))![1]!).searchParams.get('offset')).toBe(next);
    const second = await server.request('GET', `/v0/map/${other}/locations?offset=${next}`);
    expect(second.json.map(({ name }: { name: string }) => name)).toEqual(['next', 'last']);
    // The largest possible order is one digit longer than any that a caller may pass.
    expectError(
      await server.request('POST', `/v0/map/${other}/location`, {
        body: { fields: { Name: 'a', Address: 'b' }, order: next },
      }),
      400,
      400,
      /order/,
    );
  });
});

describe('other parameters', () => {
  it('are ignored on every route', async () => {
    for (const query of [
      '?x=1',
      '?x',
      '?',
      '?&&&',
      '?=',
      '?__proto__=1&constructor=2',
      '?x=1&x=2',
      '?mapId=y&method=z',
    ]) {
      expect(await names(query)).toEqual(SORTED);
      expect((await server.request('GET', `/v0/map/${map}${query}`)).status).toBe(200);
    }
    expect((await server.request('GET', `/v0/map/${map}?limit=0&offset=`)).status).toBe(200);
  });
});
