/** `map-locations account …`: accounts, and the links that set their passwords. */

import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

const LINK = /^http:\/\/127\.0\.0\.1:4000\/console#(setup|reset)=[\w-]{43}\n$/;

describe('accounts on the command line', () => {
  let workspace: Workspace;
  beforeAll(() => void (workspace = createWorkspace()));
  afterAll(() => workspace.remove());
  const cli = (...args: string[]) => workspace.run(...args);

  it('are made with a link on stdout, for a new owner or one that exists', async () => {
    const made = await cli('account', 'create', 'anna');
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(LINK)]);
    expect(made.stderr).toMatch(/Made an account for anna in SQLite/);
    await cli('token', 'create', '--owner', 'ben');
    const json = JSON.parse((await cli('account', 'create', 'ben', '--json')).stdout);
    expect(json).toEqual({
      name: 'ben',
      link: expect.stringMatching(/#setup=/) as unknown,
      expires: expect.stringMatching(/Z$/) as unknown,
    });
    const tokens = JSON.parse((await cli('token', 'list', '--json')).stdout);
    expect(tokens.map(({ owner }: { owner: string }) => owner)).toEqual(['ben']);
  });

  it('are listed by name, without anything secret', async () => {
    const { stdout } = await cli('account', 'list', '--json');
    const created = expect.stringMatching(/Z$/) as unknown;
    expect(JSON.parse(stdout)).toEqual([
      { name: 'anna', displayName: 'anna', hasPassword: false, created, state: 'active' },
      { name: 'ben', displayName: 'ben', hasPassword: false, created, state: 'active' },
    ]);
    expect((await cli('account', 'list')).stdout).toMatch(
      /^name\tdisplay name\tpassword\tcreated\tstate\nanna\tanna\tno\t/,
    );
  });

  it('are reset with a link, disabled and enabled', async () => {
    expect((await cli('account', 'reset', 'anna')).stdout).toMatch(LINK);
    const disabled = await cli('account', 'disable', 'anna');
    expect([disabled.code, disabled.stdout]).toEqual([0, '']);
    expect(disabled.stderr).toMatch(/can no longer sign in\. Its tokens still work/);
    expect((await cli('account', 'list')).stdout).toMatch(/^anna\tanna\tno\t\S+\tdisabled$/m);
    for (const command of ['create', 'reset']) {
      const refused = await cli('account', command, 'anna');
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/The account "anna" is disabled; `map-locations account enable`/),
      ]);
    }
    expect((await cli('account', 'enable', 'anna')).code).toBe(0);
    expect((await cli('account', 'list')).stdout).toMatch(/^anna\tanna\tno\t\S+\tactive$/m);
  });

  it('are renamed, with their owner and its tokens', async () => {
    const renamed = await cli('account', 'rename', 'ben', 'ben.smith', '--json');
    expect(JSON.parse(renamed.stdout)).toEqual({ name: 'ben.smith', formerName: 'ben' });
    expect((await cli('account', 'list')).stdout).toMatch(/^ben\.smith\tben\.smith\tno\t/m);
    const tokens = JSON.parse((await cli('token', 'list', '--json')).stdout);
    expect(tokens.map(({ owner }: { owner: string }) => owner)).toEqual(['ben.smith']);
    for (const [newName, message] of [
      ['anna', 'name is taken'],
      [' ', 'name must be'],
      ['https://id.example.org#1', 'name must not be an address'],
    ] as const) {
      const refused = await cli('account', 'rename', 'ben.smith', newName);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(message)]);
    }
    await cli('account', 'create', 'https://id.example.org#2');
    const refused = await cli('account', 'rename', 'https://id.example.org#2', 'cara');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('known by its name at its provider'),
    ]);
  });

  it('have a near name in the message for an unknown one', async () => {
    for (const command of ['reset', 'disable', 'enable', 'rename']) {
      const { code, stderr } = await cli(
        'account',
        command,
        'anne',
        ...(command === 'rename' ? ['other'] : []),
      );
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('There is no account "anne". Did you mean "anna"?'),
      ]);
    }
  });

  it('have no password as an argument', async () => {
    for (const command of ['create', 'reset']) {
      expect((await cli('account', command, 'anna', 'a long password')).code).toBe(2);
    }
  });
});
