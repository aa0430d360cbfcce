/** The logo of a map's page. */

import { codesOf, dataOf, makeMap, messageOf } from '../support/graphql.ts';
import { asDataUrl, LOGOS } from '../support/logos.ts';
import { makeMapLink } from '../support/members.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const ANONYMOUS = { token: null };
const THEME = 'theme { accent logo { type hash bytes } }';

describe('a logo', () => {
  let server: TestServer;
  let id: string;
  beforeAll(async () => {
    server = await createTestServer({ PUBLIC_RATE_LIMIT: '0' });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    id = (await makeMap(server, { isPublished: true })).id;
  });

  const update = (theme: object | null, mapId = id) =>
    server.graphql(
      `mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { updatedAt ${THEME} } } }`,
      { input: { id: mapId, theme } },
    );
  const updated = async (theme: object | null, mapId = id) =>
    dataOf(await update(theme, mapId)).updateMap.map;
  const get = (path = `/maps/${id}/logo`, options: object = ANONYMOUS) =>
    server.request('GET', path, options);

  it.each(Object.entries(LOGOS))('of the type %s is served as it was given', async (type, file) => {
    const { theme } = await updated({ logo: asDataUrl(file) });
    expect(theme.logo).toMatchObject({ type, bytes: file.length });
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': type,
      'content-length': String(file.length),
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=60',
      etag: `"${theme.logo.hash}"`,
    });
  });

  it('is not sent again if unchanged, and has a HEAD', async () => {
    const { theme } = await updated({ logo: asDataUrl(LOGOS['image/png']) });
    const headers = { 'if-none-match': `"${theme.logo.hash}"` };
    const again = await get(undefined, { ...ANONYMOUS, headers });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers['content-security-policy']).toMatch(/sandbox$/);
    const head = await server.request('HEAD', `/maps/${id}/logo`, ANONYMOUS);
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(LOGOS['image/png'].length),
    ]);
    await updated({ logo: asDataUrl(LOGOS['image/webp']) });
    expect((await get(undefined, { ...ANONYMOUS, headers })).status).toBe(200);
  });

  it('stays when other members of the theme change, and is removed by null', async () => {
    const first = await updated({ logo: asDataUrl(LOGOS['image/png']) });
    expect((await updated({ accent: '#ffcc00' })).theme).toEqual({
      accent: '#ffcc00',
      logo: first.theme.logo,
    });
    const before = await updated({});
    expect((await updated({ logo: asDataUrl(LOGOS['image/png']) })).updatedAt).toBe(before.updatedAt);
    expect((await updated({ logo: null })).theme).toEqual({ accent: '#ffcc00', logo: null });
    const gone = await get();
    expect([gone.status, gone.json.message]).toEqual([404, 'The map has no logo.']);
    expect(gone.headers['cache-control']).toBe('no-store');

    await updated({ logo: asDataUrl(LOGOS['image/png']) });
    expect((await updated(null)).theme).toEqual({ accent: null, logo: null });
    expect((await get()).status).toBe(404);
  });

  it('is refused if it is no image, and then nothing changes', async () => {
    await updated({ logo: asDataUrl(LOGOS['image/png']) });
    const refused = await update({ accent: '#ffcc00', logo: asDataUrl(Buffer.from('<script>')) });
    expect(codesOf(refused)).toEqual(['BAD_USER_INPUT']);
    expect(messageOf(refused)).toMatch(/^theme\.logo must be a PNG, WebP or SVG file of at most 256 KiB/);
    expect((await updated({})).theme).toMatchObject({ accent: null, logo: { type: 'image/png' } });
  });

  it('of an unpublished map is for its members and for who has a link', async () => {
    const { id: hidden } = await makeMap(server, { isPublished: false });
    await updated({ logo: asDataUrl(LOGOS['image/png']) }, hidden);
    const path = `/maps/${hidden}/logo`;
    expect((await get(path)).status).toBe(404);
    const stranger = await server.createToken({ owner: 'a stranger' });
    expect((await get(path, { token: stranger })).status).toBe(404);
    const { secret } = await makeMapLink(server, hidden);
    for (const token of [undefined, secret]) {
      const response = await get(path, token === undefined ? {} : { token });
      expect([response.status, response.headers['cache-control']]).toEqual([200, 'private, no-cache']);
      expect(response.headers['vary']).toContain('Authorization');
    }
    await server.graphql('mutation ($id: ID!) { deleteMap(input: {id: $id}) { map { id } } }', {
      id: hidden,
    });
    expect((await get(path, {})).status).not.toBe(200);
    for (const unknown of ['nothing', '%00', 'x'.repeat(500)]) {
      expect((await get(`/maps/${unknown}/logo`)).status).toBe(404);
    }
  });

  it('allows GET, HEAD and OPTIONS only', async () => {
    const response = await server.request('POST', `/maps/${id}/logo`, {});
    expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
