/** Shared maps in GraphQL: who sees them, with which role, and what a role allows. */

import type { MapRole } from '../../src/domain/role.ts';
import { MAP_ROLES } from '../../src/domain/role.ts';
import { codesOf, dataOf, makeLocations, makeMap, makeWebhook, messageOf } from '../support/graphql.ts';
import { addMember } from '../support/members.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

describe('a shared map', () => {
  let server: TestServer;
  let mapId: string;
  let owner: string;
  /** A write token of a member of each role. */
  const tokens = {} as Record<MapRole, string>;
  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.createToken({ owner: 'Anna' });
    const keys = { providerMapApiKey: 'draw', geocodingApiKey: 'code' };
    mapId = (await makeMap(server, { ...keys, name: 'Cafés' }, owner)).id;
    await makeLocations(server, mapId, [null], owner);
    await makeWebhook(server, mapId, owner);
    for (const role of MAP_ROLES) {
      await addMember(server, mapId, `the ${role}`, role);
      tokens[role] = await server.createToken({ owner: `the ${role}` });
    }
  });
  afterAll(() => server.close());

  const ask = (selection: string, token: string | null) =>
    server.graphql(`{ map(id: "${mapId}") { ${selection} } }`, undefined, token);
  const mapOf = async (selection: string, token: string) => dataOf(await ask(selection, token)).map;

  const mutate = (field: string, token: string) => server.graphql(`mutation { ${field} }`, {}, token);

  it('shows its members to each of them, in the order of joining', async () => {
    const { members } = await mapOf('members { id name role since isMe }', tokens.viewer);
    expect(members).toEqual(
      ['Anna', 'the viewer', 'the editor', 'the owner'].map((name, index) => ({
        id: expect.stringMatching(/^owner_/) as unknown,
        name,
        role: ['owner', 'viewer', 'editor', 'owner'][index],
        since: expect.stringMatching(/Z$/) as unknown,
        isMe: name === 'the viewer',
      })),
    );
    const read = await server.createToken({ owner: 'the editor', scope: 'read' });
    expect((await mapOf('members { isMe }', read)).members).toEqual(
      [false, false, true, false].map((isMe) => ({ isMe })),
    );
  });

  it('tells everybody the own role, also with a token that may only read', async () => {
    for (const role of MAP_ROLES) {
      expect(await mapOf('myRole', tokens[role])).toEqual({ myRole: role });
      const read = await server.createToken({ owner: `the ${role}`, scope: 'read', mapId });
      expect(await mapOf('myRole', read)).toEqual({ myRole: role });
    }
  });

  it('is among the maps of its members, which can be filtered by role', async () => {
    const own = (await makeMap(server, { name: 'Own' }, tokens.editor)).id;
    const list = async (args: string) => {
      const response = await server.graphql(
        `{ viewer { maps${args} { totalCount nodes { id myRole } } } }`,
        {},
        tokens.editor,
      );
      return dataOf(response).viewer.maps;
    };
    const shared = { id: mapId, myRole: 'editor' };
    const mine = { id: own, myRole: 'owner' };
    expect(await list('')).toEqual({ totalCount: 2, nodes: [shared, mine] });
    expect(await list('(filter: {role: editor})')).toEqual({ totalCount: 1, nodes: [shared] });
    expect(await list('(filter: {role: owner})')).toEqual({ totalCount: 1, nodes: [mine] });
    expect(await list('(filter: {role: viewer})')).toEqual({ totalCount: 0, nodes: [] });
    expect(await list('(filter: {role: null}, last: 1)')).toEqual({ totalCount: 2, nodes: [mine] });
  });

  it('is searched with the other maps of its members', async () => {
    const query = '{ viewer { locations { nodes { map { id } } } } }';
    for (const role of MAP_ROLES) {
      const { nodes } = dataOf(await server.graphql(query, {}, tokens[role])).viewer.locations;
      expect(nodes).toEqual([{ map: { id: mapId } }]);
    }
  });

  it('shows its keys to owners only, and only with a token that may write', async () => {
    const keys = 'providerMapApiKey geocodingApiKey';
    const hidden = { providerMapApiKey: null, geocodingApiKey: null };
    expect(await mapOf(keys, tokens.owner)).toEqual({ providerMapApiKey: 'draw', geocodingApiKey: 'code' });
    const read = await server.createToken({ owner: 'the owner', scope: 'read' });
    for (const token of [tokens.editor, tokens.viewer, read])
      expect(await mapOf(keys, token)).toEqual(hidden);
    const v0 = await server.request('GET', `/v0/map/${mapId}`, { token: tokens.editor });
    expect([v0.status, v0.text.includes('draw')]).toEqual([200, false]);
  });

  it('shows its webhooks to owners only', async () => {
    expect((await mapOf('webhooks { url }', tokens.owner)).webhooks).toHaveLength(1);
    for (const role of ['viewer', 'editor'] as const) {
      expect(codesOf(await ask('webhooks { url }', tokens[role]))).toEqual(['FORBIDDEN']);
    }
  });

  it('says which role is missing', async () => {
    const create = `mutation { createLocation(input: {mapId: "${mapId}", fields: {}}) { location { id } } }`;
    expect(messageOf(await server.graphql(create, {}, tokens.viewer))).toBe(
      'Your role on this map is viewer; the role editor is required.',
    );
    const rename = `mutation { updateMap(input: {id: "${mapId}", name: ""}) { map { id } } }`;
    expect(messageOf(await server.graphql(rename, {}, tokens.editor))).toBe(
      'Your role on this map is editor; the role owner is required.',
    );
  });

  it('can be the limit of a member’s token', async () => {
    const mutation = `mutation { createToken(input: {scope: write, mapId: "${mapId}"}) { secret } }`;
    const { secret } = dataOf(await server.graphql(mutation, {}, tokens.viewer)).createToken;
    expect(await mapOf('myRole', secret)).toEqual({ myRole: 'viewer' });
    const stranger = await server.createToken({ owner: 'a stranger' });
    expect(codesOf(await server.graphql(mutation, {}, stranger))).toEqual(['MAP_NOT_FOUND']);
  });

  it('is unknown to a former member from the next request on', async () => {
    const ben = await addMember(server, mapId, 'Ben', 'editor');
    const token = await server.createToken({ owner: 'Ben' });
    const limited = await server.createToken({ owner: 'Ben', mapId });
    expect(await mapOf('myRole', token)).toEqual({ myRole: 'editor' });
    const removal = await mutate(
      `removeMember(input: {mapId: "${mapId}", id: "${ben}"}) { removedId }`,
      tokens.owner,
    );
    expect(dataOf(removal).removeMember).toEqual({ removedId: ben });
    expect(codesOf(await ask('id', token))).toEqual(['MAP_NOT_FOUND']);
    expect((await ask('id', limited)).status).toBe(401);
    const maps = await server.graphql('{ viewer { maps { totalCount } } }', {}, token);
    expect(dataOf(maps).viewer.maps.totalCount).toBe(0);
    await addMember(server, mapId, 'Ben', 'viewer');
    expect(await mapOf('myRole', token)).toEqual({ myRole: 'viewer' });
    expect((await ask('id', limited)).status).toBe(401);
  });

  describe('whose members change', () => {
    let id: string;
    let anna: string;
    let ben: string;
    let bens: string;
    beforeEach(async () => {
      id = (await makeMap(server, {}, owner)).id;
      ben = await addMember(server, id, 'Ben', 'viewer');
      bens = await server.createToken({ owner: 'Ben' });
      const { members } = dataOf(
        await server.graphql(`{ map(id: "${id}") { members { id } } }`, {}, owner),
      ).map;
      anna = members[0].id;
    });

    const update = (member: string, role: MapRole, token: string) =>
      mutate(
        `updateMember(input: {mapId: "${id}", id: "${member}", role: ${role}}) {
          map { id myRole members { name role } } member { id name role isMe }
        }`,
        token,
      );
    const remove = (member: string, token: string) =>
      mutate(`removeMember(input: {mapId: "${id}", id: "${member}"}) { removedId }`, token);
    const leave = (token: string) => mutate(`leaveMap(input: {mapId: "${id}"}) { mapId }`, token);
    const roleOf = async (token: string) => {
      const response = await server.graphql(`{ map(id: "${id}") { myRole } }`, {}, token);
      return response.json.data.map?.myRole ?? codesOf(response)[0];
    };

    it('gives a member another role', async () => {
      expect(dataOf(await update(ben, 'owner', owner)).updateMember).toEqual({
        map: {
          ...{ id, myRole: 'owner' },
          members: [
            { name: 'Anna', role: 'owner' },
            { name: 'Ben', role: 'owner' },
          ],
        },
        member: { id: ben, name: 'Ben', role: 'owner', isMe: false },
      });
      expect(await roleOf(bens)).toBe('owner');
      const { updateMember } = dataOf(await update(anna, 'viewer', owner));
      expect(updateMember).toMatchObject({
        map: { myRole: 'viewer' },
        member: { isMe: true, role: 'viewer' },
      });
      expect(await roleOf(owner)).toBe('viewer');
    });

    it('always has an owner', async () => {
      for (const refused of [
        await update(anna, 'editor', owner),
        await remove(anna, owner),
        await leave(owner),
      ]) {
        expect(codesOf(refused)).toEqual(['LAST_OWNER']);
        expect(messageOf(refused)).toBe('A map needs an owner: make another member an owner first.');
      }
      await update(ben, 'owner', owner);
      expect(dataOf(await leave(owner)).leaveMap).toEqual({ mapId: id });
      expect(await roleOf(owner)).toBe('MAP_NOT_FOUND');
      expect(await roleOf(bens)).toBe('owner');
    });

    it('is left by a member of any role, and with a token that may write', async () => {
      const read = await server.createToken({ owner: 'Ben', scope: 'read' });
      expect(codesOf(await leave(read))).toEqual(['FORBIDDEN']);
      const limited = await server.createToken({ owner: 'Ben', mapId: id });
      dataOf(await leave(limited));
      expect(await roleOf(bens)).toBe('MAP_NOT_FOUND');
      expect((await server.graphql('{ viewer { owner } }', {}, limited)).status).toBe(401);
      expect(codesOf(await leave(bens))).toEqual(['MAP_NOT_FOUND']);
    });

    it('is changed by owners only, whatever the member is', async () => {
      for (const role of ['viewer', 'editor'] as const) {
        await update(ben, role, owner);
        for (const member of [anna, ben, 'x']) {
          expect(codesOf(await update(member, 'owner', bens))).toEqual(['FORBIDDEN']);
          expect(codesOf(await remove(member, bens))).toEqual(['FORBIDDEN']);
        }
      }
    });

    it('knows its own members only', async () => {
      for (const member of ['x', '', 'owner_0123456789abcdef']) {
        expect(codesOf(await update(member, 'owner', owner))).toEqual(['MEMBER_NOT_FOUND']);
        expect(codesOf(await remove(member, owner))).toEqual(['MEMBER_NOT_FOUND']);
      }
    });

    it('shows the new members in the same operation', async () => {
      const { a, b } = dataOf(
        await mutate(
          `a: removeMember(input: {mapId: "${id}", id: "${ben}"}) { removedId }
           b: updateMember(input: {mapId: "${id}", id: "${anna}", role: owner}) { map { members { name } } }`,
          owner,
        ),
      );
      expect([a.removedId, b.map.members]).toEqual([ben, [{ name: 'Anna' }]]);
    });
  });
});
