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
    const { services, storage } = server.gateway;
    await addMember(server, mapId, 'Ben', 'editor');
    const token = await server.createToken({ owner: 'Ben' });
    const limited = await server.createToken({ owner: 'Ben', mapId });
    expect(await mapOf('myRole', token)).toEqual({ myRole: 'editor' });
    const ben = await storage.findOwnerByName('Ben');
    const caller = await services.tokens.authenticate(tokens.owner);
    await services.members.removeMember({ caller }, mapId, ben!.id);
    expect(codesOf(await ask('id', token))).toEqual(['MAP_NOT_FOUND']);
    expect((await ask('id', limited)).status).toBe(401);
    const maps = await server.graphql('{ viewer { maps { totalCount } } }', {}, token);
    expect(dataOf(maps).viewer.maps.totalCount).toBe(0);
    await addMember(server, mapId, 'Ben', 'viewer');
    expect(await mapOf('myRole', token)).toEqual({ myRole: 'viewer' });
    expect((await ask('id', limited)).status).toBe(401);
  });
});
