/** Links to a map: what they open, what they hide, and when they end. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { MAX_MAP_LINKS } from '../../src/domain/map-link.ts';
import { hashOf } from '../../src/services/secrets/random-secrets.ts';
import { codesOf, dataOf, deleteMap, makeLocations, makeMap, messageOf } from '../support/graphql.ts';
import { addMember, makeInvitation, makeMapLink, removeMember } from '../support/members.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 4, 1);

describe('a map link', () => {
  const folder = mkdtempSync(join(tmpdir(), 'map-links-'));
  const auditLog = join(folder, 'audit.log');
  let server: TestServer;
  let mapId: string;
  let owner: string;
  let locationId: string;
  let time = NOW;
  beforeAll(async () => {
    server = await createTestServer(
      { PUBLIC_URL: 'https://maps.example.org/here/', AUDIT_LOG: auditLog },
      { clock: () => time },
    );
    owner = await server.createToken({ owner: 'Anna' });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    time = NOW;
    mapId = (await makeMap(server, { name: 'Cafés', geocodingApiKey: 'secret key' }, owner)).id;
    const [location] = await makeLocations(server, mapId, [null], owner);
    locationId = location?.id ?? '';
  });

  const makeLink = (input: Record<string, unknown> = {}, token = owner) =>
    makeMapLink(server, mapId, token, input);
  const tryLink = (input: Record<string, unknown>, token = owner) =>
    server.graphql(
      'mutation ($input: CreateMapLinkInput!) { createMapLink(input: $input) { mapLink { id } } }',
      { input: { mapId, scope: 'view', name: 'A link', ...input } },
      token,
    );
  const change = (field: 'revokeMapLink' | 'replaceMapLink', id: string, token = owner) =>
    server.graphql(
      `mutation ($mapId: ID!, $id: ID!) {
        ${field}(input: {mapId: $mapId, id: $id}) { ${field === 'revokeMapLink' ? 'revokedId' : 'secret'} }
      }`,
      { mapId, id },
      token,
    );
  const FIELDS = 'id name scope expiresAt lastUsedAt createdAt createdBy createdByOwner';
  const list = (token = owner) =>
    server.graphql(`{ map(id: "${mapId}") { name links { ${FIELDS} } } }`, {}, token);
  const open = (secret: string, selection = 'id') =>
    server.graphql(`{ map(id: "${mapId}") { ${selection} } }`, {}, secret);
  const rename = (secret: string) =>
    server.graphql(
      'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { location { name } } }',
      { input: { mapId, id: locationId, fields: { Name: 'Changed' } } },
      secret,
    );
  const lines = () =>
    readFileSync(auditLog, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('has addresses with the secret in the fragment, for what it allows', async () => {
    const view = await makeLink({ scope: 'view' });
    expect(view.secret).toMatch(/^mll_[A-Za-z0-9_-]{43}$/);
    expect(view.consoleLink).toBe(`https://maps.example.org/here/console#map-link=${view.secret}`);
    expect(view.pageLink).toBe(`https://maps.example.org/here/maps/${mapId}#key=${view.secret}`);
    const edit = await makeLink({ scope: 'edit' });
    expect([edit.consoleLink.endsWith(`#map-link=${edit.secret}`), edit.pageLink]).toEqual([true, null]);
    const stored = await server.gateway.storage.findToken(view.id);
    expect(stored?.hash).toBe(hashOf(view.secret));
  });

  it('is listed for owners, with its last use and without its secret', async () => {
    const expiresAt = new Date(NOW + DAY_MS).toISOString();
    const view = await makeLink({ name: 'For the press', expiresAt });
    const edit = await makeLink({ name: 'For Ben', scope: 'edit' });
    dataOf(await open(edit.secret));
    await server.gateway.services.tokens.saveUses();
    const response = await list();
    for (const { secret } of [view, edit]) expect(response.text).not.toContain(secret);
    const made = { createdAt: new Date(NOW).toISOString(), createdBy: 'Anna', createdByOwner: 'Anna' };
    expect(dataOf(response).map.links).toEqual(
      expect.arrayContaining([
        { ...made, id: view.id, name: 'For the press', scope: 'view', expiresAt, lastUsedAt: null },
        {
          ...{ ...made, id: edit.id, name: 'For Ben', scope: 'edit', expiresAt: null },
          lastUsedAt: new Date(NOW).toISOString(),
        },
      ]),
    );
  });

  it('is made, listed, replaced and revoked by owners only', async () => {
    const { id } = await makeLink();
    const outsider = await server.createToken({ owner: 'Ben' });
    for (const role of ['viewer', 'editor'] as const) {
      const token = await server.createToken({ owner: `the ${role}` });
      await addMember(server, mapId, `the ${role}`, role);
      expect(codesOf(await tryLink({}, token))).toEqual(['FORBIDDEN']);
      for (const field of ['revokeMapLink', 'replaceMapLink'] as const) {
        expect(codesOf(await change(field, id, token))).toEqual(['FORBIDDEN']);
        expect(codesOf(await change(field, id, outsider))).toEqual(['MAP_NOT_FOUND']);
      }
      const listed = await list(token);
      expect([codesOf(listed), listed.json.data.map]).toEqual([
        ['FORBIDDEN'],
        { name: 'Cafés', links: null },
      ]);
    }
    expect(codesOf(await tryLink({}, outsider))).toEqual(['MAP_NOT_FOUND']);
    expect(dataOf(await list()).map.links).toHaveLength(1);
  });

  it('opens its map alone', async () => {
    const other = (await makeMap(server, {}, owner)).id;
    await addMember(server, mapId, 'Ben', 'editor');
    await makeInvitation(server, mapId, owner);
    for (const [scope, role] of [
      ['view', 'viewer'],
      ['edit', 'editor'],
    ]) {
      const { secret } = await makeLink({ scope, name: 'For the press' });
      expect(dataOf(await open(secret, 'name myRole geocodingApiKey locations { totalCount }')).map).toEqual({
        ...{ name: 'Cafés', myRole: role, geocodingApiKey: null, locations: { totalCount: 1 } },
      });
      expect(codesOf(await server.graphql(`{ map(id: "${other}") { id } }`, {}, secret))).toEqual([
        'MAP_NOT_FOUND',
      ]);
      for (const field of ['members { id }', 'invitations { id }', 'links { id }', 'webhooks { id }']) {
        expect([field, codesOf(await open(secret, field))]).toEqual([field, ['FORBIDDEN']]);
      }
      const viewer = await server.graphql(
        `{ viewer { owner scope account { name } sessions { id } token { id } tokens { id }
            maps { totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage } }
            search: maps(filter: {search: "cafés", role: ${role}}) { nodes { id } }
            none: maps(filter: {role: owner}) { nodes { id } }
            locations { nodes { id } } } }`,
        {},
        secret,
      );
      expect(dataOf(viewer).viewer).toEqual({
        ...{ owner: 'link:For the press', scope: scope === 'edit' ? 'write' : 'read' },
        ...{ account: null, sessions: [], token: null, tokens: [] },
        maps: {
          ...{ totalCount: 1, nodes: [{ id: mapId }] },
          pageInfo: { hasNextPage: false, hasPreviousPage: false },
        },
        ...{ search: { nodes: [{ id: mapId }] }, none: { nodes: [] } },
        locations: { nodes: [{ id: locationId }] },
      });
    }
  });

  it('pages its one map as a list', async () => {
    const { secret } = await makeLink();
    const page = async (args: string) => {
      const response = await server.graphql(
        `{ viewer { maps(${args}) { nodes { id } pageInfo { startCursor endCursor } } } }`,
        {},
        secret,
      );
      return dataOf(response).viewer.maps;
    };
    const { nodes, pageInfo } = await page('first: 1');
    expect(nodes).toHaveLength(1);
    expect((await page(`first: 1, after: "${pageInfo.endCursor}"`)).nodes).toEqual([]);
    expect((await page(`last: 1, before: "${pageInfo.startCursor}"`)).nodes).toEqual([]);
    expect((await page('last: 1')).nodes).toHaveLength(1);
  });

  it('changes locations if it may edit, under its name', async () => {
    const view = await makeLink({ name: 'To look' });
    expect(codesOf(await rename(view.secret))).toEqual(['FORBIDDEN']);
    const edit = await makeLink({ name: 'For Ben', scope: 'edit' });
    expect(dataOf(await rename(edit.secret)).updateLocation.location.name).toBe('Changed');
    expect(lines().at(-1)).toMatchObject({
      ...{ operation: 'updateLocation', owner: 'link:For Ben', tokenId: edit.id, outcome: 'ok' },
      mapId,
    });
    const history = async (token: string) =>
      dataOf(await open(token, 'history { nodes { operation by { kind name } } }')).map.history.nodes;
    const own = { operation: 'updateLocation', by: { kind: 'link', name: 'link:For Ben' } };
    const created = { operation: 'createLocations', by: { kind: 'token', name: 'Anna' } };
    expect(await history(owner)).toEqual([own, created]);
    expect(await history(edit.secret)).toEqual([
      own,
      { ...created, by: { kind: 'token', name: 'a member' } },
    ]);
    expect((await history(view.secret))[0].by).toEqual({ kind: 'link', name: 'another link' });
    const byName = async (token: string, name: string) =>
      dataOf(await open(token, `history(filter: {by: "${name}"}) { nodes { operation } }`)).map.history.nodes;
    expect(await byName(owner, 'Anna')).toHaveLength(1);
    expect(await byName(edit.secret, 'Anna')).toEqual([]);
    dataOf(await change('revokeMapLink', edit.id));
    expect(await history(owner)).toEqual([own, created]);
  });

  it('undoes its own change', async () => {
    const { secret } = await makeLink({ scope: 'edit' });
    dataOf(await rename(secret));
    const { history } = dataOf(await open(secret, 'history(first: 1) { nodes { id } }')).map;
    const undone = await server.graphql(
      'mutation ($input: UndoChangeInput!) { undoChange(input: $input) { reverted } }',
      { input: { mapId, historyId: history.nodes[0].id } },
      secret,
    );
    expect(dataOf(undone).undoChange.reverted).toBe(1);
  });

  it('is no member: it cannot leave the map, nor join one', async () => {
    const { secret } = await makeLink({ scope: 'edit' });
    const leave = await server.graphql(
      `mutation { leaveMap(input: {mapId: "${mapId}"}) { mapId } }`,
      {},
      secret,
    );
    expect(codesOf(leave)).toEqual(['FORBIDDEN']);
    const invitation = await makeInvitation(server, mapId, owner);
    const accept = `mutation { acceptInvitation(input: {secret: "${invitation.secret}"}) { role } }`;
    expect(codesOf(await server.graphql(accept, {}, secret))).toEqual(['FORBIDDEN']);
  });

  it('works on /v0 and for exports as a token of its map does', async () => {
    const view = (await makeLink()).secret;
    const edit = (await makeLink({ scope: 'edit' })).secret;
    const path = `/v0/map/${mapId}`;
    expect((await server.request('GET', path, { token: view })).status).toBe(200);
    expect((await server.request('GET', `${path}/locations`, { token: view })).status).toBe(200);
    const body = { fields: { Name: 'N', Address: 'A' } };
    expect((await server.request('POST', `${path}/location`, { token: view, body })).status).toBe(403);
    expect((await server.request('POST', `${path}/location`, { token: edit, body })).status).toBe(200);
    const exported = await server.request('GET', `/maps/${mapId}/locations.geojson`, { token: view });
    expect([exported.status, exported.json.features.length]).toEqual([200, 2]);
    expect(exported.headers['cache-control']).toContain('private');
  });

  it('is unknown, expired, revoked and replaced alike', async () => {
    const replaced = await makeLink();
    const revoked = await makeLink();
    const expiring = await makeLink({ expiresAt: new Date(NOW + DAY_MS).toISOString() });
    for (const { secret } of [replaced, revoked, expiring]) dataOf(await open(secret));
    const { secret } = dataOf(await change('replaceMapLink', replaced.id)).replaceMapLink;
    expect(dataOf(await change('revokeMapLink', revoked.id)).revokeMapLink).toEqual({
      revokedId: revoked.id,
    });
    time = NOW + DAY_MS;
    const ended = [replaced.secret, revoked.secret, expiring.secret, `mll_${'A'.repeat(43)}`];
    const responses = await Promise.all(ended.map((each) => open(each)));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([responses[0]?.status, codesOf(responses[0]!)]).toEqual([401, ['UNAUTHENTICATED']]);
    dataOf(await open(secret));
    expect(dataOf(await list()).map.links).toMatchObject([{ id: replaced.id, name: 'A link' }]);
    for (const { id } of [revoked, expiring]) {
      for (const field of ['revokeMapLink', 'replaceMapLink'] as const) {
        expect(codesOf(await change(field, id))).toEqual(['MAP_LINK_NOT_FOUND']);
      }
    }
    expect(codesOf(await change('revokeMapLink', 'token_x'))).toEqual(['MAP_LINK_NOT_FOUND']);
  });

  it('ends with the role of the owner who made it, and stays ended', async () => {
    await addMember(server, mapId, 'Ben', 'owner');
    const ben = await server.createToken({ owner: 'Ben' });
    const kept = await makeLink();
    const lowered = await makeLink({}, ben);
    await addMember(server, mapId, 'Ben', 'editor');
    expect(codesOf(await open(lowered.secret))).toEqual(['UNAUTHENTICATED']);
    await addMember(server, mapId, 'Ben', 'owner');
    const removed = await makeLink({}, ben);
    await removeMember(server, mapId, 'Ben');
    await addMember(server, mapId, 'Ben', 'owner');
    for (const { secret } of [lowered, removed]) {
      expect(codesOf(await open(secret))).toEqual(['UNAUTHENTICATED']);
    }
    dataOf(await open(kept.secret));
  });

  it('opens no deleted map, and works again once it is restored', async () => {
    const { secret } = await makeLink();
    await deleteMap(server, mapId, owner);
    expect(codesOf(await open(secret))).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await tryLink({}))).toEqual(['MAP_DELETED']);
    dataOf(
      await server.graphql(`mutation { restoreMap(input: {id: "${mapId}"}) { map { id } } }`, {}, owner),
    );
    dataOf(await open(secret));
  });

  it('is no token: it is in no list of tokens, and no mutation of tokens changes it', async () => {
    const { id, secret } = await makeLink();
    const tokens = await server.graphql('{ viewer { tokens { id } } }', {}, owner);
    expect(tokens.text).not.toContain(id);
    const after = await server.graphql(`{ viewer { tokens(after: "${id}") { id } } }`, {}, owner);
    expect(codesOf(after)).toEqual(['BAD_USER_INPUT']);
    const revoke = await server.graphql(
      `mutation { revokeToken(input: {id: "${id}"}) { revokedId } }`,
      {},
      owner,
    );
    expect(codesOf(revoke)).toEqual(['TOKEN_NOT_FOUND']);
    const { services } = server.gateway;
    expect((await services.tokens.listTokens()).map((token) => token.id)).not.toContain(id);
    expect(await services.tokens.revokeToken(id)).toBe(false);
    expect(await services.tokens.revokeToken(secret)).toBe(false);
    dataOf(await open(secret));
  });

  it('needs a name and a future expiry', async () => {
    for (const [input, reason] of [
      [{ name: ' ' }, 'name must be 1 to 128 characters, not blank, without control characters.'],
      [{ name: 'x'.repeat(129) }, 'name must be 1 to 128 characters, not blank, without control characters.'],
      [{ expiresAt: new Date(NOW).toISOString() }, 'expiresAt must be in the future.'],
    ] as const) {
      const response = await tryLink(input);
      expect([codesOf(response), messageOf(response)]).toEqual([['BAD_USER_INPUT'], reason]);
    }
  });

  it('is one of at most 50 of a map', async () => {
    for (let index = 0; index < MAX_MAP_LINKS; index += 1) await makeLink();
    const response = await tryLink({});
    expect([codesOf(response), messageOf(response)]).toEqual([
      ['BAD_USER_INPUT'],
      'The map has 50 links, the maximum; revoke one first.',
    ]);
  });
});
