/** Invitations in GraphQL: the link, what the invited see, accepting and revoking it, and wrong secrets. */

import { hashOf } from '../../src/services/secrets/random-secrets.ts';
import { codesOf, dataOf, deleteMap, makeMap, messageOf } from '../support/graphql.ts';
import { Issuer } from '../support/issuer.ts';
import { addMember, makeInvitation } from '../support/members.ts';
import { UNKNOWN } from '../support/root-fields.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { closeServers, closeSockets, openSocket, startServer } from '../support/live.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 4, 1);

describe('an invitation', () => {
  let server: TestServer;
  let mapId: string;
  let owner: string;
  let ben: string;
  let time = NOW;
  beforeAll(async () => {
    server = await createTestServer({ PUBLIC_URL: 'https://maps.example.org/here/' }, { clock: () => time });
    owner = await server.createToken({ owner: 'Anna' });
    ben = await server.createToken({ owner: 'Ben' });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    time = NOW;
    mapId = (await makeMap(server, { name: 'Cafés' }, owner)).id;
  });

  const invite = (input: Record<string, unknown> = {}) => makeInvitation(server, mapId, owner, input);
  const tryInvite = (input: Record<string, unknown>, token = owner) =>
    server.graphql(
      `mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { secret } }`,
      { input: { mapId, role: 'viewer', ...input } },
      token,
    );
  const preview = (secret: string, token: string | null = ben) =>
    server.graphql(
      'query ($secret: String!) { invitation(secret: $secret) { mapName role invitedBy note expiresAt } }',
      { secret },
      token,
    );
  const accept = (secret: string, token: string | null = ben) =>
    server.graphql(
      `mutation ($secret: String!) {
        acceptInvitation(input: {secret: $secret}) { map { id name myRole } role }
      }`,
      { secret },
      token,
    );
  const revoke = (id: string, token = owner) =>
    server.graphql(
      'mutation ($mapId: ID!, $id: ID!) { revokeInvitation(input: {mapId: $mapId, id: $id}) { revokedId } }',
      { mapId, id },
      token,
    );
  const FIELDS = 'id role note expiresAt maxUses uses createdAt createdBy';
  const list = (token = owner) =>
    server.graphql(`{ map(id: "${mapId}") { name invitations { ${FIELDS} } } }`, {}, token);

  it('is shown to the invited, and makes them members', async () => {
    const { secret } = await invite({ role: 'editor', note: 'For the café team' });
    expect(dataOf(await preview(secret)).invitation).toEqual({
      mapName: 'Cafés',
      role: 'editor',
      invitedBy: 'Anna',
      note: 'For the café team',
      expiresAt: new Date(NOW + 30 * DAY_MS).toISOString(),
    });
    expect(dataOf(await accept(secret)).acceptInvitation).toEqual({
      map: { id: mapId, name: 'Cafés', myRole: 'editor' },
      role: 'editor',
    });
    const members = await server.graphql(`{ map(id: "${mapId}") { members { name role } } }`, {}, ben);
    expect(dataOf(members).map.members).toEqual([
      { name: 'Anna', role: 'owner' },
      { name: 'Ben', role: 'editor' },
    ]);
  });

  it('is a link to the console with the secret in the fragment, stored as its hash', async () => {
    const { secret, link } = await invite();
    expect(secret).toMatch(/^mli_[A-Za-z0-9_-]{43}$/);
    expect(link).toBe(`https://maps.example.org/here/console#join=${secret}`);
    const [stored] = await server.gateway.storage.listInvitations(mapId, NOW);
    expect(stored?.hash).toBe(hashOf(secret));
    expect(JSON.stringify(stored)).not.toContain(secret.slice(4));
  });

  it('has its secret nowhere but in the response that made it', async () => {
    const { id, secret } = await invite({ note: 'A note', maxUses: 3 });
    const response = await list();
    expect(response.text).not.toContain(secret);
    expect(dataOf(response).map.invitations).toEqual([
      {
        ...{ id, role: 'viewer', note: 'A note', maxUses: 3, uses: 0, createdBy: 'Anna' },
        createdAt: new Date(NOW).toISOString(),
        expiresAt: new Date(NOW + 30 * DAY_MS).toISOString(),
      },
    ]);
  });

  it('is made, listed and revoked by owners only', async () => {
    const { id } = await invite();
    for (const role of ['viewer', 'editor'] as const) {
      const token = await server.createToken({ owner: `the ${role}` });
      await addMember(server, mapId, `the ${role}`, role);
      expect(codesOf(await tryInvite({}, token))).toEqual(['FORBIDDEN']);
      expect(codesOf(await revoke(id, token))).toEqual(['FORBIDDEN']);
      const listed = await list(token);
      expect([codesOf(listed), listed.json.data.map]).toEqual([
        ['FORBIDDEN'],
        { name: 'Cafés', invitations: null },
      ]);
    }
    expect(codesOf(await tryInvite({}, ben))).toEqual(['MAP_NOT_FOUND']);
    const read = await server.createToken({ owner: 'Anna', scope: 'read' });
    expect(codesOf(await tryInvite({}, read))).toEqual(['FORBIDDEN']);
    expect(dataOf(await list(read)).map.invitations).toHaveLength(1);
  });

  it('is accepted with a session or an unlimited token that may write', async () => {
    const { secret } = await invite();
    const own = (await makeMap(server, {}, ben)).id;
    for (const limits of [{ scope: 'read' }, { mapId: own }] as const) {
      const token = await server.createToken({ owner: 'Ben', ...limits });
      expect(codesOf(await accept(secret, token))).toEqual(['FORBIDDEN']);
      expect(dataOf(await preview(secret, token)).invitation.mapName).toBe('Cafés');
    }
    expect(codesOf(await accept(secret, null))).toEqual(['UNAUTHENTICATED']);
    expect(dataOf(await preview(secret, null)).invitation.mapName).toBe('Cafés');
    dataOf(await accept(secret));
  });

  it('raises a role and never lowers one, and is not used up by who gains nothing', async () => {
    const { secret } = await invite({ role: 'editor' });
    expect(dataOf(await accept(secret, owner)).acceptInvitation.role).toBe('owner');
    await addMember(server, mapId, 'Ben', 'viewer');
    expect(dataOf(await accept(secret)).acceptInvitation.role).toBe('editor');
    expect(codesOf(await accept(secret))).toEqual(['INVITATION_NOT_FOUND']);
  });

  it('may be accepted by as many people as it says', async () => {
    const { secret, id } = await invite({ maxUses: 2 });
    const [cara, dan] = [
      await server.createToken({ owner: 'Cara' }),
      await server.createToken({ owner: 'Dan' }),
    ];
    dataOf(await accept(secret));
    dataOf(await accept(secret));
    expect(dataOf(await list()).map.invitations).toMatchObject([{ id, uses: 1, maxUses: 2 }]);
    dataOf(await accept(secret, cara));
    expect(codesOf(await accept(secret, dan))).toEqual(['INVITATION_NOT_FOUND']);
    expect(dataOf(await list()).map.invitations).toEqual([]);
  });

  it('ends when it expires, is used or revoked, or its map is deleted: all look like an unknown one', async () => {
    const used = await invite();
    dataOf(await accept(used.secret));
    const revoked = await invite();
    expect(dataOf(await revoke(revoked.id)).revokeInvitation).toEqual({ revokedId: revoked.id });
    const expired = await invite({ expiresAt: new Date(NOW + 1_000).toISOString() });
    time += 1_000;
    const deleted = (await makeMap(server, {}, owner)).id;
    const ofDeleted = await makeInvitation(server, deleted, owner);
    await deleteMap(server, deleted, owner);
    const secrets = [used, revoked, expired, ofDeleted].map(({ secret }) => secret);
    for (const request of [preview, accept]) {
      const unknown = await request(UNKNOWN.secret);
      expect(codesOf(unknown)).toEqual(['INVITATION_NOT_FOUND']);
      for (const secret of [...secrets, '', 'mli_', 'ü'.repeat(10_000)]) {
        const response = await request(secret);
        expect([response.status, response.text]).toEqual([unknown.status, unknown.text]);
      }
    }
    expect(codesOf(await revoke(revoked.id))).toEqual(['INVITATION_NOT_FOUND']);
    for (const id of ['', 'x', UNKNOWN.invitationId]) {
      expect(codesOf(await revoke(id))).toEqual(['INVITATION_NOT_FOUND']);
    }
  });

  it('ends when the owner who made it is no longer one', async () => {
    const cara = await addMember(server, mapId, 'Cara', 'owner');
    const { secret } = await makeInvitation(server, mapId, await server.createToken({ owner: 'Cara' }));
    expect(dataOf(await preview(secret)).invitation.invitedBy).toBe('Cara');
    dataOf(
      await server.graphql(
        `mutation { updateMember(input: {mapId: "${mapId}", id: "${cara}", role: editor}) { map { id } } }`,
        {},
        owner,
      ),
    );
    expect(codesOf(await preview(secret))).toEqual(['INVITATION_NOT_FOUND']);
  });

  it.each([
    [{ maxUses: 0 }, 'maxUses must be 1 to 50.'],
    [{ maxUses: 51 }, 'maxUses must be 1 to 50.'],
    [{ expiresAt: new Date(NOW).toISOString() }, 'expiresAt must be in the future, and within 30 days.'],
    [
      { expiresAt: new Date(NOW + 30 * DAY_MS + 1).toISOString() },
      'expiresAt must be in the future, and within 30 days.',
    ],
    [{ note: ' ' }, 'note must be 1 to 200 characters, not blank, without control characters.'],
    [{ note: 'a\n' }, 'note must be 1 to 200 characters, not blank, without control characters.'],
    [{ note: 'x'.repeat(201) }, 'note must be 1 to 200 characters, not blank, without control characters.'],
  ])('is refused with %j', async (input, message) => {
    const response = await tryInvite(input);
    expect([codesOf(response), messageOf(response)]).toEqual([['BAD_USER_INPUT'], message]);
  });

  it('may last 30 days, for 50 people, with a note of 200 characters', async () => {
    await invite({
      ...{ maxUses: 50, note: '😀'.repeat(200) },
      expiresAt: new Date(NOW + 30 * DAY_MS).toISOString(),
    });
    await invite({ maxUses: null, note: null, expiresAt: null });
  });

  it('is one of at most 50 open ones of its map', async () => {
    for (let count = 0; count < 50; count += 1) await invite();
    const response = await tryInvite({});
    expect([codesOf(response), messageOf(response)]).toEqual([
      ['BAD_USER_INPUT'],
      'The map has 50 open invitations, the maximum; revoke one or wait until one is used.',
    ]);
    expect(dataOf(await list()).map.invitations).toHaveLength(50);
  });
});

describe('wrong secrets', () => {
  const wrong = '{ invitation(secret: "x") { role } }';

  it('count for the address of the client, as invalid tokens do, whoever asks', async () => {
    const server = await createTestServer({ RATE_LIMIT: '5' }, {}, { executesOnce: true });
    const tokens = [
      await server.createToken({ owner: 'Anna' }),
      await server.createToken({ owner: 'Ben' }),
      await server.createToken({ owner: 'Cara' }),
    ];
    const { id } = await makeMap(server, {}, tokens[0]);
    const { secret } = await makeInvitation(server, id, tokens[0]);
    const codes: string[] = [];
    // A request without a token counts for the address by itself, too.
    for (const token of [null, ...tokens, ...tokens]) {
      codes.push(...codesOf(await server.graphql(wrong, {}, token)));
    }
    expect(codes).toEqual([
      ...Array<string>(4).fill('INVITATION_NOT_FOUND'),
      ...Array<string>(3).fill('RATE_LIMITED'),
    ]);
    const accept = await server.graphql(
      'mutation { acceptInvitation(input: {secret: "y"}) { role } }',
      {},
      tokens[1],
    );
    expect(codesOf(accept)).toEqual(['RATE_LIMITED']);
    // The right one still works.
    dataOf(await server.graphql(`{ invitation(secret: "${secret}") { role } }`, {}, tokens[2]));
    await server.close();
  });

  it('count on a WebSocket, too, where links are those of the server', async () => {
    const { server, port, token } = await startServer({ RATE_LIMIT: '4' });
    const { id } = await makeMap(server, {}, token);
    const other = await server.createToken({ owner: 'Ben' });
    const socket = await openSocket(port, { headers: { authorization: `Bearer ${token}` } });
    socket.send({ type: 'connection_init' });
    await socket.messages.next();
    const responseTo = async (query: string) => {
      socket.subscribe('1', query);
      const [{ payload }] = await socket.messages.take(2);
      return payload;
    };
    const { data } = await responseTo(
      `mutation { createInvitation(input: {mapId: "${id}", role: viewer}) { link } }`,
    );
    expect(data.createInvitation.link).toMatch(new RegExp(`^http://127.0.0.1:${port}/console#join=mli_`));
    expect((await responseTo(wrong)).errors[0].extensions.code).toBe('INVITATION_NOT_FOUND');
    for (let count = 0; count < 3; count += 1) await server.graphql(wrong, {}, other);
    expect(codesOf(await server.graphql(wrong, {}, other))).toEqual(['RATE_LIMITED']);
    closeSockets();
    await closeServers();
  });
});

describe('an invitation by a JWT', () => {
  it('is accepted by an owner who is new to the store, and a wrong one stores nobody', async () => {
    const issuer = await Issuer.start();
    const server = await createTestServer(issuer.settings);
    const owner = await server.createToken();
    const { id } = await makeMap(server, {}, owner);
    const { secret } = await makeInvitation(server, id, owner);
    const jwt = await issuer.sign({ sub: 'newcomer' });
    const accept = (given: string) =>
      server.graphql(
        'mutation ($secret: String!) { acceptInvitation(input: {secret: $secret}) { map { myRole } } }',
        { secret: given },
        jwt,
      );
    expect(codesOf(await accept('x'))).toEqual(['INVITATION_NOT_FOUND']);
    expect(await server.gateway.storage.findOwnerByName(`${issuer.url}#newcomer`)).toBeNull();
    expect(dataOf(await accept(secret)).acceptInvitation.map).toEqual({ myRole: 'viewer' });
    expect(await server.gateway.storage.findOwnerByName(`${issuer.url}#newcomer`)).not.toBeNull();
    await server.close();
    await issuer.stop();
  });
});
