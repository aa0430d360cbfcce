import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

describe('the command line', () => {
  let workspace: Workspace;
  beforeAll(() => void (workspace = createWorkspace()));
  afterAll(() => workspace.remove());

  it('prints its version and its help on stdout', async () => {
    const [version, help] = await Promise.all([workspace.run('--version'), workspace.run('--help')]);
    const { version: expected } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { version: string };
    expect(version).toEqual({ code: 0, stdout: `${expected}\n`, stderr: '' });
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const command of ['serve', 'token', 'map', 'import']) expect(help.stdout).toContain(`  ${command} `);
  });

  it('exits with 2 and a message only on stderr for wrong arguments', async () => {
    const wrong = [
      [],
      ['frob'],
      ['--frob'],
      ['token'],
      ['token', 'create'],
      ['import', 'x'],
      ['map', 'list', 'x'],
    ];
    for (const outcome of await Promise.all(wrong.map((args) => workspace.run(...args)))) {
      expect(outcome).toMatchObject({ code: 2, stdout: '' });
      expect(outcome.stderr).toMatch(/^(map-locations: |Usage: )/);
      expect(outcome.stderr).not.toMatch(/^ +at /m);
    }
  });

  it('repeats no secret from wrong arguments', async () => {
    const outcomes = await Promise.all([
      workspace.run('token', 'mlt_secret'),
      workspace.run('token', 'revoke', 'mlt_secret', 'more'),
      workspace.run('map', 'create', '--owner', 'o', '--name', 'n', '--provider-kye=mykey'),
    ]);
    for (const { code, stderr } of outcomes) {
      expect(code).toBe(2);
      expect(stderr).not.toMatch(/mlt_secret|mykey/);
    }
    expect(outcomes[2].stderr).toContain("unknown option '--provider-kye=…'");
  });

  it('lists all mistakes in the settings at once, and takes settings from .env', async () => {
    writeFileSync(workspace.path('.env'), 'PORT=none\nRATE_LIMIT=-1\n');
    const { code, stdout, stderr } = await workspace.run('token', 'list');
    writeFileSync(workspace.path('.env'), '');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^map-locations: Invalid settings:\n {2}PORT .*\n {2}RATE_LIMIT .*\n$/);
  });

  it('creates no store for a read, and names the store it looked for', async () => {
    const empty = createWorkspace();
    const commands = [
      ['map', 'list'],
      ['map', 'delete', '0123456789abcdef'],
      ['token', 'list'],
      ['token', 'revoke', 'mlt_none'],
      ['export', '0123456789abcdef'],
      ['location', 'delete', '0123456789abcdef', 'x'],
    ];
    for (const outcome of await Promise.all(commands.map((args) => empty.run(...args)))) {
      expect(outcome).toMatchObject({ code: 2, stdout: '' });
      expect(outcome.stderr).toContain(
        `There is no store: SQLite, ${empty.path('test.db')}. Run the command`,
      );
    }
    expect(JSON.parse((await empty.run('map', 'list', '--json')).stderr)).toMatchObject({
      error: { code: 'CANNOT_START' },
    });
    expect(readdirSync(empty.folder)).toEqual([]);
    // An empty list may be a user's first command.
    await empty.get('token', 'create', '--owner', 'me');
    expect((await empty.run('map', 'list')).stderr).toBe(
      `There are no maps in SQLite, ${empty.path('test.db')}.\n`,
    );
    empty.remove();
  });

  it('reports in one line that the database cannot be opened', async () => {
    writeFileSync(workspace.path('plain'), 'not a folder');
    workspace.environment.DATABASE_URL = `sqlite:${workspace.path('plain')}/test.db`;
    const { code, stdout, stderr } = await workspace.run('token', 'create', '--owner', 'me');
    delete workspace.environment.DATABASE_URL;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^map-locations: [^\n]+\n$/);
  });

  it('reports in one line that SECRET_KEY is missing', async () => {
    workspace.environment.SECRET_KEY = 'k'.repeat(32);
    await workspace.get('token', 'create', '--owner', 'me');
    delete workspace.environment.SECRET_KEY;
    const { code, stderr } = await workspace.run('token', 'list');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^map-locations: SECRET_KEY [^\n]+\n$/);
    workspace.environment.SECRET_KEY = 'k'.repeat(32);
  });

  it('prints no error when the reader closes the pipe', async () => {
    const { child, outcome } = workspace.start('token', 'list');
    child.stdout?.destroy();
    expect(await outcome).toMatchObject({ code: 0, stderr: '' });
  });
});
