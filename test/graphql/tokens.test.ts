/** An owner's tokens in GraphQL: who sees and creates them, and what they allow. */

import { codesOf, dataOf, deleteMap, makeMap, messageOf } from '../support/graphql.ts';
import { UNKNOWN_MAP, UNKNOWN_TOKEN } from '../support/root-fields.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

interface ShownToken {
  readonly id: string;
  readonly name: string | null;
  readonly isCurrent: boolean;
}

describe('tokens through GraphQL', () => {
  let server: TestServer;
  /** A token with full write access, of its own owner. */
  let manager: string;
  let owner: string;
  let owners = 0;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    owner = `owner ${owners++}`;
    manager = await server.createToken({ owner });
  });

  const TOKEN = 'id name scope map { id } createdAt expiresAt lastUsedAt isCurrent';
  const create = (input: Record<string, unknown>, token: string | null = manager) =>
    server.graphql(
      `mutation ($input: CreateTokenInput!) { createToken(input: $input) { token { ${TOKEN} } secret } }`,
      { input },
      token,
    );
  const revoke = (id: string, token: string | null = manager) =>
    server.graphql('mutation ($id: ID!) { revokeToken(input: { id: $id }) { revokedId } }', { id }, token);
  const listed = async (token = manager): Promise<ShownToken[]> =>
    dataOf(await server.graphql(`{ viewer { tokens { ${TOKEN} } } }`, {}, token)).viewer.tokens;
  const statusOf = async (token: string) => (await server.graphql('{ viewer { owner } }', {}, token)).status;

  it('are created and work, within their scope, map and expiry', async () => {
    const map = await makeMap(server, {}, manager);
    const other = await makeMap(server, {}, manager);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const response = await create({ name: 'Kiosk', scope: 'read', mapId: map.id, expiresAt });
    const { token, secret } = dataOf(response).createToken;
    expect(token).toEqual({
      id: expect.stringMatching(/^token_/) as unknown,
      name: 'Kiosk',
      scope: 'read',
      map: { id: map.id },
      createdAt: expect.stringMatching(/Z$/) as unknown,
      expiresAt,
      lastUsedAt: null,
      isCurrent: false,
    });
    const query = `{ viewer { owner scope maps { nodes { id } } } }`;
    expect(dataOf(await server.graphql(query, {}, secret)).viewer).toEqual({
      owner,
      scope: 'read',
      maps: { nodes: [{ id: map.id }] },
    });
    const refused = await server.graphql(`{ map(id: "${other.id}") { id } }`, {}, secret);
    expect(codesOf(refused)).toEqual(['MAP_NOT_FOUND']);
  });

  it('are listed in creation order, without secrets', async () => {
    const made = dataOf(await create({ name: 'Second', scope: 'write' })).createToken;
    await server.createToken({ owner: 'somebody else' });
    expect(await listed()).toEqual([
      expect.objectContaining({ name: null, isCurrent: true }),
      { ...made.token, map: null },
    ]);
    expect((await server.graphql(`{ viewer { tokens { ${TOKEN} } } }`, {}, manager)).text).not.toContain(
      made.secret,
    );
    const schema = await server.graphql('{ __type(name: "Token") { fields { name } } }');
    const fields = dataOf(schema).__type.fields.map(({ name }: { name: string }) => name);
    expect(fields.sort()).toEqual(
      ['createdAt', 'expiresAt', 'id', 'isCurrent', 'lastUsedAt', 'map', 'name', 'scope'].sort(),
    );
  });

  it('are listed page by page', async () => {
    for (const name of ['1', '2', '3', '4', '5']) dataOf(await create({ name, scope: 'read' }));
    const pageOf = (after: string | null, token = manager) =>
      server.graphql(
        'query ($after: ID) { viewer { tokens(first: 2, after: $after) { id name } } }',
        { after },
        token,
      );
    const ids = (await listed()).map(({ id }) => id);
    // Of the third token, whose absence leaves no gap.
    const [revoked = ''] = ids.splice(2, 1);
    dataOf(await revoke(revoked));
    const walked: string[] = [];
    for (let page: ShownToken[]; ;) {
      page = dataOf(await pageOf(walked.at(-1) ?? null)).viewer.tokens;
      walked.push(...page.map(({ id }) => id));
      if (page.length < 2) break;
    }
    expect(walked).toEqual(ids);
    // Also after a token that was revoked meanwhile.
    const rest: ShownToken[] = dataOf(await pageOf(revoked)).viewer.tokens;
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const reader = await server.createToken({ owner, scope: 'read' });
    expect(dataOf(await pageOf(null, reader)).viewer.tokens).toHaveLength(1);
    expect(dataOf(await pageOf(revoked, reader)).viewer.tokens).toEqual([]);
    const foreign = await server.createToken({ owner: 'another owner' });
    for (const after of [UNKNOWN_TOKEN, (await listed(foreign))[0]?.id ?? '']) {
      const response = await pageOf(after);
      expect([codesOf(response), messageOf(response)]).toEqual([
        ['BAD_USER_INPUT'],
        'after is not one of your tokens.',
      ]);
    }
    for (const first of [0, 101]) {
      const response = await server.graphql(`{ viewer { tokens(first: ${first}) { id } } }`, {}, manager);
      expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
    }
  });

  it('include the one of the request', async () => {
    const { secret, token } = dataOf(await create({ name: 'Kiosk', scope: 'read' })).createToken;
    const current = async (sent: string) =>
      dataOf(await server.graphql(`{ viewer { token { ${TOKEN} } } }`, {}, sent)).viewer.token;
    expect(await current(secret)).toEqual({ ...token, isCurrent: true });
    expect(await current(manager)).toMatchObject({ name: null, scope: 'write', isCurrent: true });
  });

  it('show their last use', async () => {
    const { secret } = dataOf(await create({ scope: 'read' })).createToken;
    await statusOf(secret);
    await server.gateway.services.tokens.saveUses();
    const [, used] = await listed();
    expect(used).toMatchObject({ lastUsedAt: expect.stringMatching(/Z$/) as unknown });
  });

  it('that are read-only or limited to one map see only themselves, and create and revoke none', async () => {
    const map = await makeMap(server, {}, manager);
    const [{ id: managerId } = { id: '' }] = await listed();
    const lesser = [
      await server.createToken({ owner, scope: 'read' }),
      await server.createToken({ owner, mapId: map.id }),
    ];
    for (const token of lesser) {
      const own = await listed(token);
      expect(own.map(({ isCurrent }) => isCurrent)).toEqual([true]);
      for (const input of [
        { scope: 'read' },
        { scope: 'write', mapId: UNKNOWN_MAP },
        { scope: 'read', name: '' },
      ]) {
        expect(codesOf(await create(input, token))).toEqual(['FORBIDDEN']);
      }
      for (const id of [own[0]?.id ?? '', managerId, UNKNOWN_TOKEN]) {
        expect(codesOf(await revoke(id, token))).toEqual(['FORBIDDEN']);
      }
      expect(await statusOf(token)).toBe(200);
    }
    expect(await listed()).toHaveLength(3);
  });

  it('that expire create none that expires later', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const expiring = dataOf(await create({ scope: 'write', expiresAt: soon })).createToken.secret;
    const later = new Date(Date.now() + 61_000).toISOString();
    for (const expiresAt of [undefined, null, later]) {
      const response = await create({ scope: 'read', expiresAt }, expiring);
      expect([codesOf(response), messageOf(response)]).toEqual([
        ['FORBIDDEN'],
        expect.stringContaining(soon),
      ]);
    }
    expect(
      dataOf(await create({ scope: 'read', expiresAt: soon }, expiring)).createToken.secret,
    ).toBeTruthy();
    expect(await listed()).toHaveLength(3);
  });

  it('are not created from invalid input', async () => {
    const deleted = await makeMap(server, {}, manager);
    await deleteMap(server, deleted.id, manager);
    const foreign = await makeMap(server);
    const cases: readonly [string, Record<string, unknown>][] = [
      ['MAP_NOT_FOUND', { mapId: UNKNOWN_MAP }],
      ['MAP_NOT_FOUND', { mapId: foreign.id }],
      ['MAP_DELETED', { mapId: deleted.id }],
      ['BAD_USER_INPUT', { name: ' ' }],
      ['BAD_USER_INPUT', { name: 'x'.repeat(129) }],
      ['BAD_USER_INPUT', { name: 'a\nb' }],
      ['BAD_USER_INPUT', { expiresAt: '2001-01-01T00:00:00.000Z' }],
    ];
    for (const [code, input] of cases) {
      expect([input, codesOf(await create({ scope: 'read', ...input }))]).toEqual([input, [code]]);
    }
    expect(await listed()).toHaveLength(1);
  });

  it('are refused and no longer listed after revocation; repeating it changes nothing', async () => {
    const { token, secret } = dataOf(await create({ scope: 'write' })).createToken;
    expect(dataOf(await revoke(token.id))).toEqual({ revokeToken: { revokedId: token.id } });
    expect(await statusOf(secret)).toBe(401);
    expect(dataOf(await revoke(token.id))).toEqual({ revokeToken: { revokedId: token.id } });
    expect((await listed()).map(({ isCurrent }) => isCurrent)).toEqual([true]);
  });

  it('can revoke themselves and still get the response', async () => {
    const [own] = await listed();
    expect(dataOf(await revoke(own?.id ?? ''))).toEqual({ revokeToken: { revokedId: own?.id } });
    expect(await statusOf(manager)).toBe(401);
  });

  it('of others are reported like those that do not exist', async () => {
    const stranger = await server.createToken({ owner: 'a stranger' });
    const [theirs] = await listed(stranger);
    const responses = [await revoke(theirs?.id ?? ''), await revoke(UNKNOWN_TOKEN), await revoke('')];
    expect(responses.map(codesOf)).toEqual(responses.map(() => ['TOKEN_NOT_FOUND']));
    expect(new Set(responses.map(messageOf)).size).toBe(1);
    expect(await statusOf(stranger)).toBe(200);
  });
});
