import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

describe('map-locations member', () => {
  let workspace: Workspace;
  let map: string;
  beforeAll(async () => {
    workspace = createWorkspace();
    map = await workspace.get('map', 'create', '--owner', 'anna', '--name', 'Cafés');
  });
  afterAll(() => workspace.remove());

  const rolesOf = async () => {
    const text = await workspace.get('member', 'list', map);
    const [header, ...rows] = text.split('\n').map((line) => line.split('\t'));
    expect(header).toEqual(['owner', 'display name', 'role', 'since']);
    return rows.map(([owner, , role]) => `${owner} ${role}`);
  };

  it('lists the creator of a map as its owner', async () => {
    expect(await rolesOf()).toEqual(['anna owner']);
    const listed = JSON.parse(await workspace.get('member', 'list', map, '--json')) as unknown;
    const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown;
    expect(listed).toEqual([{ owner: 'anna', displayName: 'anna', role: 'owner', since }]);
  });

  it('adds a new owner, changes the role, and removes the member', async () => {
    const added = await workspace.run('member', 'add', map, 'ben', '--role', 'viewer');
    expect(added).toMatchObject({ code: 0, stdout: '' });
    expect(added.stderr).toContain('Created a new owner, ben.');
    expect(added.stderr).toContain(`"ben" has the role viewer on the map ${map}.`);
    const changed = await workspace.get('member', 'add', map, 'ben', '--role', 'editor', '--json');
    expect(JSON.parse(changed)).toEqual({ map, owner: 'ben', role: 'editor', ownerCreated: false });
    expect(await rolesOf()).toEqual(['anna owner', 'ben editor']);
    const removed = await workspace.get('member', 'remove', map, 'ben', '--json');
    expect(JSON.parse(removed)).toEqual({ map, owner: 'ben', removed: true });
    expect(await rolesOf()).toEqual(['anna owner']);
  });

  it('limits tokens to maps that the owner is a member of, and revokes them with the membership', async () => {
    const create = ['token', 'create', '--owner', 'cara', '--map', map];
    expect(await workspace.run(...create)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no such map'),
    });
    await workspace.get('member', 'add', map, 'cara', '--role', 'viewer');
    await workspace.get(...create);
    await workspace.get('member', 'remove', map, 'cara');
    const tokens = JSON.parse(await workspace.get('token', 'list', '--json')) as {
      owner: string;
      state: string;
    }[];
    expect(tokens.filter(({ owner }) => owner === 'cara')).toMatchObject([{ map, state: 'revoked' }]);
  });

  it('lists a shared map once, for its owner', async () => {
    await workspace.get('member', 'add', map, 'ben', '--role', 'owner');
    const maps = JSON.parse(await workspace.get('map', 'list', '--json')) as unknown;
    expect(maps).toMatchObject([{ id: map, owner: 'anna' }]);
    await workspace.get('member', 'remove', map, 'anna');
    expect(JSON.parse(await workspace.get('map', 'list', '--json'))).toMatchObject([{ owner: 'ben' }]);
  });

  it.each([
    [['add', 'MAP', 'dan'], 2, "required option '--role <role>' not specified"],
    [['add', 'MAP', 'dan', '--role', 'admin'], 2, 'Allowed choices are viewer, editor, owner.'],
    [['add', 'MAP', ' ', '--role', 'editor'], 1, 'owner must be 1 to 128 characters'],
    [['add', '0123456789abcdef', 'dan', '--role', 'editor'], 1, 'There is no map "0123456789abcdef".'],
    [['remove', 'MAP', 'nobody'], 1, 'has no member "nobody"; `map-locations member list'],
    [['remove', 'MAP', 'ben'], 1, 'A map needs an owner: make another member an owner first.'],
    [['list', 'none'], 1, 'There is no map "none".'],
  ])('refuses %j', async (args, code, message) => {
    const given = args.map((arg) => (arg === 'MAP' ? map : arg));
    const result = await workspace.run('member', ...given);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });
});
