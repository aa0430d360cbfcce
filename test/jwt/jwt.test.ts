/** JWTs as bearer tokens at both endpoints: authentication, owners and refusals. */

import { createHmac, createPublicKey } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { exportSPKI, importJWK } from 'jose';

import { codesOf } from '../support/graphql.ts';
import type { SigningKey } from '../support/issuer.ts';
import { AUDIENCE, Issuer, makeKey } from '../support/issuer.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const VIEWER = '{ viewer { owner maps(first: 1) { totalCount } tokens { id isCurrent } } }';
const CREATE_MAP = 'mutation { createMap(input: { name: "Mine" }) { map { id } } }';

let issuer: Issuer;
let server: TestServer;
/** For issuers whose keys do not matter. */
let anyKey: SigningKey;
beforeAll(async () => {
  anyKey = await makeKey();
  issuer = await Issuer.start();
  server = await createTestServer(issuer.settings);
});
afterAll(async () => {
  await server.close();
  await issuer.stop();
});

/** Runs `work` on a new server, without cached keys. */
async function withServer(
  settings: Record<string, string>,
  work: (own: TestServer) => Promise<void>,
): Promise<void> {
  const own = await createTestServer(settings);
  try {
    await work(own);
  } finally {
    await own.close();
  }
}

async function withIssuer(keys: readonly SigningKey[], work: (own: Issuer) => Promise<void>): Promise<void> {
  const own = await Issuer.start(keys);
  try {
    await work(own);
  } finally {
    await own.stop();
  }
}

const statusOf = async (token: string, at = server) => (await at.graphql(VIEWER, {}, token)).status;
const nextSeconds = () => Math.floor(Date.now() / 1000);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function expectRefused(token: string, at = server): Promise<void> {
  const graphql = await at.graphql(VIEWER, {}, token);
  expect([graphql.status, codesOf(graphql)]).toEqual([401, ['UNAUTHENTICATED']]);
  const v0 = await at.request('GET', '/v0/map/0123456789abcdef', { token });
  expect([v0.status, v0.json.error, v0.headers['www-authenticate']]).toEqual([401, 401, 'Bearer']);
  for (const part of token.split('.').filter((text) => text.length > 3)) {
    expect(graphql.text + v0.text).not.toContain(part);
  }
}

describe('a JWT', () => {
  it.each(['RS256', 'ES256', 'EdDSA'])('signed by %s with a key of the JWKS is a token', async (alg) => {
    await withIssuer([await makeKey(alg)], (own) =>
      withServer(own.settings, async (at) => {
        const response = await at.graphql(VIEWER, {}, await own.sign());
        expect(response.json).toEqual({
          data: { viewer: { owner: `${own.url}#alice`, maps: { totalCount: 0 }, tokens: [] } },
        });
      }),
    );
  });

  it('is refused when no issuer is set', () =>
    withServer({}, async (at) => expectRefused(await issuer.sign(), at)));

  it('does not affect other tokens', async () => {
    expect(await statusOf(await server.createToken())).toBe(200);
    await expectRefused('mlt_unknown');
  });

  it('is verified with keys from JWT_JWKS_URL, without a request to the issuer', () =>
    withIssuer([anyKey], (own) =>
      withServer(
        { ...own.settings, JWT_ISSUER: 'https://issuer.example/', JWT_JWKS_URL: `${own.url}/jwks` },
        async (at) => {
          expect(await statusOf(await own.sign({ iss: 'https://issuer.example/' }), at)).toBe(200);
          await expectRefused(await own.sign({ iss: 'https://issuer.example' }), at);
          expect(new Set(own.asked)).toEqual(new Set(['/jwks']));
        },
      ),
    ));

  it.each(['PS256', 'RS384', 'ES384'])('signed by %s is refused', async (alg) => {
    const key = await makeKey(alg);
    await withIssuer([key], (own) =>
      withServer(own.settings, async (at) => expectRefused(await own.sign(), at)),
    );
  });

  it('without a signature, or signed with the public key as a secret, is refused without a fetch', () =>
    withIssuer([anyKey], (own) =>
      withServer(own.settings, async (at) => {
        const { jwk, kid } = own.keys[0] as SigningKey;
        const payload = base64url({
          iss: own.url,
          aud: AUDIENCE,
          sub: 'alice',
          exp: nextSeconds() + 600,
          scope: 'map-locations:write',
        });
        for (const alg of ['none', 'None', 'NONE']) {
          for (const signature of ['', 'AAAA'])
            await expectRefused(`${base64url({ alg, kid })}.${payload}.${signature}`, at);
        }
        const pem = createPublicKey({ key: jwk as never, format: 'jwk' }).export({
          type: 'spki',
          format: 'pem',
        });
        for (const secret of [pem, JSON.stringify(jwk), await exportSPKI((await importJWK(jwk)) as never)]) {
          for (const alg of ['HS256', 'HS512']) {
            const head = `${base64url({ alg, kid, typ: 'JWT' })}.${payload}`;
            const mac = createHmac(alg === 'HS256' ? 'sha256' : 'sha512', secret);
            await expectRefused(`${head}.${mac.update(head).digest('base64url')}`, at);
          }
        }
        expect(own.asked).toEqual([]);
      }),
    ));

  it('signed with a symmetric key of the JWKS is refused', () =>
    withIssuer([anyKey], async (own) => {
      const secret = Buffer.alloc(32, 7);
      const jwk = { kty: 'oct', k: secret.toString('base64url'), kid: 'oct', alg: 'HS256' };
      own.keys = [...own.keys, { ...(own.keys[0] as SigningKey), jwk }];
      await withServer(own.settings, async (at) => {
        const claims = { iss: own.url, aud: AUDIENCE, sub: 'alice', exp: nextSeconds() + 600 };
        const head = `${base64url({ alg: 'HS256', kid: 'oct' })}.${base64url(claims)}`;
        await expectRefused(`${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`, at);
      });
    }));

  it('signed with another key of a known id, or with a changed payload, is refused', async () => {
    const { kid } = issuer.keys[0] as SigningKey;
    await expectRefused(await issuer.sign({}, await makeKey('ES256', kid)));
    const [header = '', , signature = ''] = (await issuer.sign()).split('.');
    const payload = base64url({ iss: issuer.url, aud: AUDIENCE, sub: 'mallory', exp: nextSeconds() + 600 });
    await expectRefused(`${header}.${payload}.${signature}`);
  });

  it('with a key or a key URL in its header is refused', async () => {
    const own = await makeKey('ES256', null);
    await expectRefused(await issuer.sign({}, own, { jwk: own.jwk, kid: 'x' }));
    await expectRefused(await issuer.sign({}, own, { jku: `${issuer.url}/jwks`, kid: 'x' }));
  });

  it('with an unknown critical header is refused', async () => {
    const { privateKey, kid } = issuer.keys[0] as SigningKey;
    const head = `${base64url({ alg: 'ES256', kid, crit: ['exp'], exp: 1 })}.${base64url({ iss: issuer.url })}`;
    const signed = await crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      privateKey,
      Buffer.from(head),
    );
    await expectRefused(`${head}.${Buffer.from(signed).toString('base64url')}`);
  });

  it.each([
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'another' }],
    ['a list of other audiences', { aud: ['another', 'map-locations '] }],
    ['no audience', { aud: undefined }],
    ['no end', { exp: undefined }],
    ['an expiry that is text', { exp: '99999999999' }],
    ['an expiry beyond the range of dates', { exp: 1e300 }],
    ['a start that is text', { nbf: 'now' }],
    ['no owner', { sub: undefined }],
    ['an empty owner', { sub: '' }],
    ['a blank owner', { sub: '  ' }],
    ['an owner that is a number', { sub: 42 }],
    ['an owner that is a list', { sub: ['alice'] }],
    ['an owner with a control character', { sub: 'al\nice' }],
    ['an owner with a lone surrogate', { sub: '\ud800' }],
    ['an owner of 256 characters', { sub: 'a'.repeat(256) }],
  ])('with %s is refused', async (_what, claims) => {
    await expectRefused(await issuer.sign(claims));
  });

  it('for several audiences is accepted when ours is among them', async () => {
    expect(await statusOf(await issuer.sign({ aud: ['another', AUDIENCE] }))).toBe(200);
  });

  it.each(['a.b.c', '..', 'a..', '.b.', 'a.b', 'a.b.c.d', 'a.b.c.d.e', `${'a'.repeat(9_000)}.b.c`])(
    'that is malformed, %#, is refused',
    (token) => expectRefused(token),
  );

  it('may have many kilobytes', async () => {
    expect(await statusOf(await issuer.sign({ groups: 'g'.repeat(8_000) }))).toBe(200);
  });

  it('tolerates a clock difference of at most 60 seconds', async () => {
    const now = 1_900_000_000;
    const own = await createTestServer(issuer.settings, { clock: () => now * 1000 });
    try {
      for (const [claims, status] of [
        [{ exp: now - 59 }, 200],
        [{ exp: now - 60 }, 401],
        [{ exp: now + 1, nbf: now + 60 }, 200],
        [{ exp: now + 1, nbf: now + 61 }, 401],
      ] as const) {
        expect([claims, await statusOf(await issuer.sign(claims), own)]).toEqual([claims, status]);
      }
    } finally {
      await own.close();
    }
  });
});

describe('the keys', () => {
  it('may change: tokens of the new key are accepted, and those of the old key no longer', async () => {
    const [old, young] = [await makeKey(), await makeKey('RS256')];
    await withIssuer([old], (own) =>
      withServer(own.settings, async (at) => {
        expect(await statusOf(await own.sign({}, old), at)).toBe(200);
        own.keys = [young];
        expect(await statusOf(await own.sign({}, young), at)).toBe(200);
        await expectRefused(await own.sign({}, old), at);
        expect(own.fetches).toBe(2);
      }),
    );
  });

  it('may lack ids: any matching key counts, and new keys are fetched', async () => {
    const [one, two, three] = [
      await makeKey('ES256', null),
      await makeKey('ES256', null),
      await makeKey('ES256', null),
    ];
    await withIssuer([one, two], (own) =>
      withServer(own.settings, async (at) => {
        expect(await statusOf(await own.sign({}, two), at)).toBe(200);
        own.keys = [three];
        expect(await statusOf(await own.sign({}, three), at)).toBe(200);
        await expectRefused(await own.sign({}, one), at);
      }),
    );
  });

  it('are fetched once for a flood of tokens with unknown keys', async () => {
    await withIssuer([anyKey], (own) =>
      withServer(own.settings, async (at) => {
        const good = await own.sign();
        expect(await statusOf(good, at)).toBe(200);
        const strangers = await Promise.all(
          Array.from({ length: 100 }, (_, index) => own.sign({}, own.keys[0], { kid: `unknown-${index}` })),
        );
        const statuses = await Promise.all(strangers.map((token) => statusOf(token, at)));
        expect(new Set(statuses)).toEqual(new Set([401]));
        expect([own.fetches, await statusOf(good, at)]).toEqual([2, 200]);
      }),
    );
  });

  const FAULTS: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'an error': (response) => response.writeHead(500).end('{"keys":[]}'),
    'another address': (response) => response.writeHead(302, { location: '/jwks2' }).end(),
    'a lost connection': (response) => response.destroy(),
    'no JSON': (response) => response.end('keys'),
    'no keys': (response) => response.end('{}'),
    'keys that are not objects': (response) => response.end('{"keys":[1]}'),
    'a list': (response) => response.end('[]'),
    'too many bytes': (response) => response.end(`{"keys":[${' '.repeat(2_000_000)}]}`),
  };
  it.each(Object.keys(FAULTS))(
    'stay valid when the JWKS responds with %s; without cached keys it is ISSUER_UNAVAILABLE',
    async (name) => {
      const fault = FAULTS[name] as (response: ServerResponse) => void;
      await withIssuer([anyKey], async (own) => {
        await withServer(own.settings, async (at) => {
          expect(await statusOf(await own.sign(), at)).toBe(200);
          own.fault = fault;
          await expectRefused(await own.sign({}, await makeKey()), at);
          expect(await statusOf(await own.sign(), at)).toBe(200);
        });
        await withServer(own.settings, async (at) => {
          const before = own.fetches;
          const token = await own.sign();
          const graphql = await at.graphql(VIEWER, {}, token);
          expect([graphql.status, codesOf(graphql)]).toEqual([503, ['ISSUER_UNAVAILABLE']]);
          const v0 = await at.request('GET', '/v0/map/0123456789abcdef', { token });
          expect([v0.status, v0.json.error, v0.headers['retry-after']]).toEqual([503, 503, '1']);
          expect(own.fetches - before).toBe(1);
        });
      });
    },
  );

  it.each([
    ['of another issuer', { issuer: 'https://elsewhere.example' }],
    ['without an address', { jwks_uri: undefined }],
    ['with an address over http to another host', { jwks_uri: 'http://192.0.2.1/jwks' }],
    ['with an unsupported address', { jwks_uri: 'file:///etc/passwd' }],
  ])('are not fetched through a configuration %s', async (_what, configuration) => {
    await withIssuer([anyKey], (own) => {
      own.configuration = configuration;
      return withServer(own.settings, async (at) => {
        expect(await statusOf(await own.sign(), at)).toBe(503);
        expect(own.fetches).toBe(0);
      });
    });
  });

  it('that cannot be used accept no token and do not affect other keys', async () => {
    const good = await makeKey('ES256', 'good');
    const broken = [
      { kty: 'RSA', kid: 'no-modulus', alg: 'RS256', e: 'AQAB' },
      { kty: 'RSA', kid: 'short', alg: 'RS256', n: 'AQAB', e: 'AQAB' },
      { kty: 'EC', kid: 'off-curve', alg: 'ES256', crv: 'P-256', x: 'AAAA', y: 'AAAA' },
    ].map((jwk) => ({ ...good, kid: jwk.kid, jwk }));
    await withIssuer([good, ...broken], (own) =>
      withServer(own.settings, async (at) => {
        for (const { jwk } of broken) {
          const header = base64url({ alg: jwk.alg, kid: jwk.kid });
          await expectRefused(`${header}.${base64url({ iss: own.url })}.AAAA`, at);
        }
        expect(await statusOf(await own.sign({}, good), at)).toBe(200);
      }),
    );
  });
});

describe('the scopes of a JWT', () => {
  const read = { scope: 'map-locations:read' };
  it.each([
    ['a text', 'openid map-locations:read', 'read'],
    ['a list', ['openid', 'map-locations:read'], 'read'],
    ['a text', 'map-locations:write', 'write'],
    ['a list', ['map-locations:write'], 'write'],
    ['both', 'map-locations:read map-locations:write', 'write'],
  ])('as %s: %j may %s', async (_form, scope, right) => {
    const token = await issuer.sign({ sub: `of ${JSON.stringify(scope)}`, scope });
    expect(await statusOf(token)).toBe(200);
    const made = await server.graphql(CREATE_MAP, {}, token);
    expect(codesOf(made)).toEqual(right === 'write' ? [] : ['FORBIDDEN']);
  });

  it.each([
    undefined,
    '',
    'map-locations',
    'map-locations:writer',
    ['map-locations:read map-locations:write'],
    {},
    1,
    null,
  ])('without either right, %j, are FORBIDDEN everywhere', async (scope) => {
    const token = await issuer.sign({ scope });
    const graphql = await server.graphql('{ __typename }', {}, token);
    expect([graphql.status, codesOf(graphql)]).toEqual([403, ['FORBIDDEN']]);
    for (const url of ['/v0/map/0123456789abcdef', '/v0/map/0123456789abcdef/locations']) {
      const response = await server.request('GET', url, { token });
      expect([response.status, response.json.error]).toEqual([403, 403]);
    }
    const page = await server.request('GET', '/maps/0123456789abcdef/locations.csv', { token });
    expect([page.status, page.json.error]).toEqual([403, 403]);
  });

  it('and the owner come from the configured claims', () =>
    withServer(
      { ...issuer.settings, JWT_OWNER_CLAIM: 'https://example.org/tenant', JWT_SCOPE_CLAIM: 'permissions' },
      async (at) => {
        const claims = {
          sub: undefined,
          scope: undefined,
          'https://example.org/tenant': 'acme',
          permissions: ['map-locations:read'],
        };
        const response = await at.graphql('{ viewer { owner } }', {}, await issuer.sign(claims));
        expect(response.json).toEqual({ data: { viewer: { owner: `${issuer.url}#acme` } } });
        await expectRefused(await issuer.sign({ ...read, permissions: ['map-locations:read'] }), at);
      },
    ));

  it('and the owner are never inherited properties', () =>
    withServer({ ...issuer.settings, JWT_OWNER_CLAIM: 'constructor' }, async (at) => {
      await expectRefused(await issuer.sign(), at);
    }));
});

describe('the owner of a JWT', () => {
  const owners = async () => (await server.gateway.storage.listOwners()).map(({ name }) => name);

  it('is created at the first allowed write', async () => {
    const token = await issuer.sign({ sub: 'newcomer' });
    const name = `${issuer.url}#newcomer`;
    expect((await server.graphql(VIEWER, {}, token)).json.data.viewer).toEqual({
      owner: name,
      maps: { totalCount: 0 },
      tokens: [],
    });
    for (const refused of [
      'mutation { createMap(input: { name: " " }) { map { id } } }',
      `mutation { createMap(input: { name: "A", providerMapApiKey: "${'k'.repeat(10_000)}" }) { map { id } } }`,
      'mutation { createToken(input: { scope: read }) { secret } }',
      'mutation { deleteMap(input: { id: "0123456789abcdef" }) { map { id } } }',
    ]) {
      expect(codesOf(await server.graphql(refused, {}, token))).toHaveLength(1);
      expect(await owners()).not.toContain(name);
    }
    const readOnly = await issuer.sign({ sub: 'newcomer', scope: 'map-locations:read' });
    expect(codesOf(await server.graphql(CREATE_MAP, {}, readOnly))).toEqual(['FORBIDDEN']);
    expect(await owners()).not.toContain(name);

    const made = await server.graphql(CREATE_MAP, {}, token);
    expect(await owners()).toContain(name);
    const { id } = made.json.data.createMap.map as { id: string };
    expect((await server.request('GET', `/v0/map/${id}`, { token })).json.data.name).toBe('Mine');
    expect((await server.graphql(VIEWER, {}, readOnly)).json.data.viewer.maps.totalCount).toBe(1);
    const stranger = await issuer.sign({ sub: 'stranger' });
    expect((await server.request('GET', `/v0/map/${id}`, { token: stranger })).json.error).toBe(404);
  });

  it('is created once for concurrent first writes', async () => {
    const token = await issuer.sign({ sub: 'hasty' });
    const made = await Promise.all(Array.from({ length: 8 }, () => server.graphql(CREATE_MAP, {}, token)));
    expect(made.flatMap(codesOf)).toEqual([]);
    expect((await server.graphql(VIEWER, {}, token)).json.data.viewer.maps.totalCount).toBe(8);
    expect((await owners()).filter((name) => name.endsWith('#hasty'))).toHaveLength(1);
  });

  it('is the operator’s owner of that name if there is one', async () => {
    const name = `${issuer.url}#known`;
    const own = await server.createToken({ owner: name });
    await server.graphql(CREATE_MAP, {}, own);
    const response = await server.graphql(VIEWER, {}, await issuer.sign({ sub: 'known' }));
    expect(response.json.data.viewer.maps.totalCount).toBe(1);
  });

  it('creates no token that outlives the JWT, also as its first write', async () => {
    const exp = nextSeconds() + 300;
    const token = await issuer.sign({ sub: 'tokens '.repeat(30), exp });
    const create = (expiresAt: number) =>
      `mutation { createToken(input: { scope: write, expiresAt: "${new Date(expiresAt).toISOString()}" }) { secret token { isCurrent } } }`;
    expect(codesOf(await server.graphql(create((exp + 1) * 1000), {}, token))).toEqual(['FORBIDDEN']);
    const made = await server.graphql(create(exp * 1000), {}, token);
    expect(made.json.data.createToken.token.isCurrent).toBe(false);
    const { secret } = made.json.data.createToken as { secret: string };
    const viewer = (at: string) => server.graphql('{ viewer { owner tokens { isCurrent } } }', {}, at);
    const owner = `${issuer.url}#${'tokens '.repeat(30)}`;
    expect((await viewer(secret)).json.data.viewer).toEqual({ owner, tokens: [{ isCurrent: true }] });
    expect((await viewer(token)).json.data.viewer).toEqual({ owner, tokens: [{ isCurrent: false }] });
  });
});

describe('per-token state', () => {
  it('belongs to the owner and the scope of a JWT: idempotency keys', async () => {
    const tokens = await Promise.all([
      issuer.sign({ jti: 'one', sub: 'keys' }),
      issuer.sign({ jti: 'two', sub: 'keys' }),
    ]);
    const made = await server.graphql(CREATE_MAP, {}, tokens[0]);
    const url = `/v0/map/${made.json.data.createMap.map.id}/location`;
    const body = { fields: { Name: 'N', Address: 'A' } };
    const ids = [];
    for (const token of tokens) {
      const response = await server.request('POST', url, {
        token,
        body,
        headers: { 'idempotency-key': 'k' },
      });
      ids.push(response.json.data.id);
    }
    expect(ids[0]).toBe(ids[1]);
  });

  it('belongs to the owner and the scope of a JWT: rate limits', () =>
    withServer({ ...issuer.settings, RATE_LIMIT: '2' }, async (at) => {
      const statuses = async (claims: Record<string, unknown>) => {
        const status = [];
        for (let times = 0; times < 3; times += 1)
          status.push(await statusOf(await issuer.sign({ ...claims, jti: times }), at));
        return status;
      };
      expect(await statuses({})).toEqual([200, 200, 429]);
      expect(await statuses({ scope: 'map-locations:read' })).toEqual([200, 200, 429]);
      expect(await statuses({ sub: 'bob' })).toEqual([200, 200, 429]);
      // A JWT without our scopes counts against its address.
      expect(await statuses({ scope: '' })).toEqual([403, 403, 429]);
    }));
});
