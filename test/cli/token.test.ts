import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

const TOKEN = /^mlt_[A-Za-z0-9_-]{43}$/;
const HEADER = ['id', 'owner', 'name', 'scope', 'map', 'created', 'expires', 'last used', 'state'];

describe('map-locations token', () => {
  let workspace: Workspace;
  beforeAll(() => void (workspace = createWorkspace()));
  afterAll(() => workspace.remove());

  const list = async () => {
    const text = await workspace.get('token', 'list');
    const [header, ...rows] = text.split('\n').map((line) => line.split('\t'));
    expect(header).toEqual(HEADER);
    return { text, rows };
  };

  it('prints only the token on stdout, and its description on stderr', async () => {
    const made = await workspace.run('token', 'create', '--owner', 'first');
    expect(made.code).toBe(0);
    expect(made.stdout.trimEnd()).toMatch(TOKEN);
    expect(made.stderr).toContain('Created a new owner, first.');
    expect(made.stderr).toContain(
      'scope write, all maps of the owner, never expires. It is shown only once.',
    );
    expect(made.stderr).not.toContain('mlt_');
    const again = await workspace.run('token', 'create', '--owner', 'first', '--scope', 'read');
    expect(again.stderr).not.toContain('new owner');
    expect(again.stderr).toContain('scope read');
  });

  it('lists tokens by id, never the token or its hash', async () => {
    const token = await workspace.get(
      ...['token', 'create', '--owner', 'lister', '--expires', '2999-12-31', '--name', 'laptop'],
    );
    const map = await workspace.get('map', 'create', '--owner', 'lister', '--name', 'M');
    await workspace.get('token', 'create', '--owner', 'lister', '--scope', 'read', '--map', map);
    const { text, rows } = await list();
    const mine = rows.filter(([, owner]) => owner === 'lister');
    expect(mine).toEqual([
      [
        expect.stringMatching(/^token_/),
        'lister',
        'laptop',
        'write',
        'all',
        expect.any(String),
        '2999-12-31T00:00:00.000Z',
        'never',
        'active',
      ],
      [
        expect.stringMatching(/^token_/),
        ...['lister', '', 'read', map, expect.any(String), 'never', 'never', 'active'],
      ],
    ]);
    const json = await workspace.get('token', 'list', '--json');
    for (const printed of [text, json]) expect(printed).not.toMatch(/mlt_|[0-9a-f]{64}/);
    expect(printed(token, text + json)).toBe(false);
    expect((JSON.parse(json) as { owner: string }[]).filter(({ owner }) => owner === 'lister')).toMatchObject(
      [
        { name: 'laptop', scope: 'write', map: null, expires: '2999-12-31T00:00:00.000Z', state: 'active' },
        { name: null, scope: 'read', map, expires: null, lastUsed: null, state: 'active' },
      ],
    );
  });

  it('revokes by token and by id, without repeating the token', async () => {
    const token = await workspace.get('token', 'create', '--owner', 'revoked');
    await workspace.get('token', 'create', '--owner', 'revoked');
    const revoked = await workspace.run('token', 'revoke', token);
    expect(revoked).toMatchObject({ code: 0, stdout: '' });
    expect(revoked.stderr).not.toContain('mlt_');
    const states = async () => (await list()).rows.filter(([, owner]) => owner === 'revoked');
    const [first, second] = await states();
    expect([first?.[8], second?.[8]]).toEqual(['revoked', 'active']);
    await workspace.get('token', 'revoke', second?.[0] ?? '');
    expect((await states()).map((row) => row[8])).toEqual(['revoked', 'revoked']);
  });

  it('reports an unknown token without repeating it', async () => {
    for (const unknown of ['mlt_unknown', 'token_unknown']) {
      const { code, stdout, stderr } = await workspace.run('token', 'revoke', unknown);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^map-locations: There is no such token[^\n]+\n$/);
      expect(stderr).not.toContain(unknown);
    }
  });

  it('refuses a past expiry and a map of another owner, without creating an owner', async () => {
    const map = await workspace.get('map', 'create', '--owner', 'somebody', '--name', 'M');
    const outcomes = await Promise.all([
      workspace.run('token', 'create', '--owner', 'nobody', '--expires', '2020-01-01'),
      workspace.run('token', 'create', '--owner', 'nobody', '--map', map),
    ]);
    for (const { code, stdout, stderr } of outcomes) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^map-locations: [^\n]+\n$/);
    }
    expect((await list()).text).not.toContain('nobody');
  });

  it('refuses an invalid scope and an invalid time', async () => {
    const outcomes = await Promise.all([
      workspace.run('token', 'create', '--owner', 'o', '--scope', 'admin'),
      workspace.run('token', 'create', '--owner', 'o', '--expires', 'tomorrow'),
      workspace.run('token', 'create', '--owner', 'o', '--expires', '2999-02-30'),
      workspace.run('token', 'create', '--owner', 'o', '--expires', '2999-01-01T12:00'),
    ]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ code: 2, stdout: '' });
  });
});

function printed(secret: string, output: string): boolean {
  return output.includes(secret) || output.includes(secret.slice(4, 24));
}
