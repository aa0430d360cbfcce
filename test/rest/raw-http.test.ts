import { fetchDescribed } from '../support/openapi/fetch.ts';
import type { ExchangeOptions, RawResponse } from '../support/raw-http.ts';
import { exchange, listen } from '../support/raw-http.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { createMap, fieldsOf, JSON_TYPE, withServer } from '../support/v0.ts';

const BODY = JSON.stringify({ fields: fieldsOf('A') });
const LIMIT = 1_048_576;

let server: TestServer;
let port: number;
let map: string;
let token: string;

beforeAll(async () => {
  server = await createTestServer();
  port = await listen(server);
  map = await createMap(server);
  token = await server.createToken();
});
afterAll(() => server.close());

function head(line: string, headers: readonly string[] = []): string {
  return [`${line} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');
}

function post(...headers: string[]): string {
  return head(`POST /v0/map/${map}/location`, ['Content-Type: application/json', ...headers]);
}

function chunk(data: string): string {
  return `${Buffer.byteLength(data).toString(16)}\r\n${data}\r\n`;
}

async function send(parts: string | Buffer | readonly (string | Buffer)[], options?: ExchangeOptions) {
  const { responses, closed } = await exchange(port, parts, options);
  const [response] = responses;
  if (response === undefined) throw new Error('no answer');
  return { response, responses, closed };
}

function expectError(response: RawResponse, status: number, error: number): void {
  expect([response.status, response.header('content-type')]).toEqual([status, JSON_TYPE]);
  const body = JSON.parse(response.body);
  expect(Object.keys(body)).toEqual(['error', 'message']);
  expect(body.error).toBe(error);
  expect(Buffer.byteLength(response.body)).toBe(Number(response.header('content-length')));
}

describe('a request that is not HTTP', () => {
  for (const [name, bytes] of [
    ['a line of text', 'hello\r\n\r\n'],
    ['a TLS greeting', Buffer.from('160301020001000001fc0303', 'hex')],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method in lower case', 'get / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\0\r\n\r\n'],
    ['a space in a header name', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['bytes over ASCII in the path', Buffer.from('GET /v0/map/é HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['a broken length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['a header of 20,000 bytes', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['a path of 20,000 bytes', `GET /v0/map/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ] as const) {
    it(`gets an Error body, and its connection is closed: ${name}`, async () => {
      const { responses, closed } = await exchange(port, bytes, { responses: 0 });
      expect(responses.length).toBe(1);
      expectError(responses[0]!, 400, 400);
      expect(closed).toBe(true);
    });
  }

  it('does not end the service', async () => {
    const { response } = await send(head(`GET /v0/map/${map}`));
    expect(response.status).toBe(200);
  });
});

describe('what Node would reject without a body', () => {
  it('a missing Host is BAD_USER_INPUT, but HTTP/1.0 needs none', async () => {
    const { response } = await send(`GET /v0/map/${map} HTTP/1.1\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    expectError(response, 400, 400);
    const old = await send(`GET /v0/map/${map} HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    expect(old.response.status).toBe(200);
  });

  it('an unknown expectation is ignored, and 100-continue is met', async () => {
    expect((await send(head(`GET /v0/map/${map}`, ['Expect: the-unexpected']))).response.status).toBe(200);
    const length = `Content-Length: ${BODY.length}`;
    expect((await send([post(length, 'Expect: 100-continue'), BODY])).response.status).toBe(200);
  });

  it('an offer to change the protocol is ignored', async () => {
    const headers = ['Connection: Upgrade', 'Upgrade: websocket'];
    expect((await send(head(`GET /v0/map/${map}`, headers))).response.status).toBe(200);
  });
});

describe('a body in transit', () => {
  it('may arrive in chunks, cut anywhere', async () => {
    const bytes = Buffer.from(JSON.stringify({ fields: fieldsOf('Größe 😀') }));
    const chunks = [...bytes].map((byte) =>
      Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]),
    );
    const { response } = await send([
      post('Transfer-Encoding: chunked'),
      Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]),
    ]);
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body).data.name).toBe('Größe 😀');
  });

  it('may arrive byte by byte, even within a character', async () => {
    const bytes = Buffer.from(JSON.stringify({ fields: fieldsOf('ä') }));
    const half = bytes.indexOf(0xa4);
    const parts = [post(`Content-Length: ${bytes.length}`), bytes.subarray(0, half), bytes.subarray(half)];
    expect(JSON.parse((await send(parts)).response.body).data.name).toBe('ä');
  });

  it('may have 1,048,576 bytes, and is too large with one more, however it arrives', async () => {
    const fits = BODY.padEnd(LIMIT);
    expect((await send([post(`Content-Length: ${LIMIT}`), fits])).response.status).toBe(200);
    const chunked = post('Transfer-Encoding: chunked');
    expect((await send([chunked, chunk(fits), '0\r\n\r\n'])).response.status).toBe(200);

    expectError((await send([post(`Content-Length: ${LIMIT + 1}`), `${fits} `])).response, 413, 413);
    expectError((await send([chunked, chunk(fits), chunk(' '), '0\r\n\r\n'])).response, 413, 413);
  });

  it('is refused by its Content-Length before it arrives', async () => {
    const { response } = await send(post('Content-Length: 999999999999'));
    expectError(response, 413, 413);
  });

  it('is refused while the client is still sending, and the client gets the response', async () => {
    for (const size of [3_000_000, 30_000_000]) {
      const response = await fetchDescribed(`http://127.0.0.1:${port}/v0/map/${map}/location`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: Buffer.alloc(size, ' '),
      });
      expect([response.status, ((await response.json()) as { error: number }).error]).toEqual([413, 413]);
    }
  });

  it('is read on after a refusal, so that the client gets the response and the connection stays open', async () => {
    const next = head(`GET /v0/map/${map}`);
    for (const [first, status] of [
      [[post(`Content-Length: ${LIMIT + 1}`), ' '.repeat(LIMIT + 1)], 413],
      [[post('Transfer-Encoding: chunked'), chunk(' '.repeat(LIMIT + 1)), chunk(' '), '0\r\n\r\n'], 413],
      [[post('Content-Length: 3'), '{ }'], 400],
      [[post('Content-Length: 2'), '{]'], 400],
    ] as const) {
      const { responses } = await exchange(port, [...first, next], { responses: 2 });
      expect(responses.map((response) => response.status)).toEqual([status, 200]);
    }
  });

  it('shorter than its Content-Length is BAD_USER_INPUT, stores nothing, and is not a server error', async () => {
    const lines = server.log.length;
    const cut = JSON.stringify({ fields: fieldsOf('Cut') });
    const start = post(`Content-Length: ${cut.length + 1}`);
    expectError((await send([start, cut], { end: true })).response, 400, 400);
    // A client that disconnects in the middle gets no response.
    await exchange(port, [start, cut], { leave: true });
    await send(head(`GET /v0/map/${map}`));
    expect(server.geocoder.asked.filter((address) => address.startsWith('Cut'))).toEqual([]);
    const levels = server.log.slice(lines).map((line) => (JSON.parse(line) as { level: number }).level);
    expect(levels.filter((level) => level >= 50)).toEqual([]);
  });

  it('longer than its Content-Length leaves a rest that is not HTTP', async () => {
    const { responses, closed } = await exchange(
      port,
      [post(`Content-Length: ${BODY.length}`), `${BODY}rest\r\n\r\n`],
      {
        responses: 0,
      },
    );
    expect(closed).toBe(true);
    expectError(responses.at(-1)!, 400, 400);
  });

  it('is read even if ignored, so that the next request on the connection is parsed correctly', async () => {
    const path = `/v0/map/${map}`;
    for (const first of [
      `${head(`GET ${path}`, ['Content-Type: text/plain', 'Content-Length: 5'])}GET /`,
      `${head(`GET ${path}`, ['Transfer-Encoding: chunked'])}${chunk('GET / HTTP/1.1')}0\r\n\r\n`,
      `${head('DELETE /v0/map/x/location/y', ['Content-Length: 4'])}{"a"`,
      `${head('DELETE /v0/map/x/location/y', ['Transfer-Encoding: chunked'])}${chunk('{"a"')}0\r\n\r\n`,
      `${head('POST /v0/unknown', ['Content-Length: 4'])}{"a"`,
      `${head(`PUT ${path}`, ['Content-Length: 4'])}{"a"`,
    ]) {
      const { responses } = await exchange(port, first + head(`GET ${path}`), { responses: 2 });
      expect(responses.length).toBe(2);
      expect(responses[0]!.status).not.toBe(415);
      expect(responses[1]!.status).toBe(200);
      expect(JSON.parse(responses[1]!.body).data.id).toBe(map);
    }
  });
});

describe('a request that does not arrive in time', () => {
  it('gets an Error body, whether the head or the body is late', () =>
    withServer({ REQUEST_TIMEOUT_MS: '200' }, async (impatient) => {
      const slowPort = await listen(impatient);
      const slowToken = await impatient.createToken();
      const slowMap = await createMap(impatient);
      const start = `POST /v0/map/${slowMap}/location HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
      for (const bytes of [
        'GET /v0/map/x HTTP/1.1\r\n',
        `${start}Authorization: Bearer ${slowToken}\r\nContent-Length: 100\r\n\r\n{"fields"`,
      ]) {
        const { responses, closed } = await exchange(slowPort, bytes, { responses: 0 });
        expect(responses.length).toBe(1);
        expectError(responses[0]!, 400, 400);
        expect(responses[0]!.body).toContain('in time');
        expect(closed).toBe(true);
      }
      const levels = impatient.log.map((line) => (JSON.parse(line) as { level: number }).level);
      expect(levels.filter((level) => level >= 50)).toEqual([]);
    }));
});
