/** `map-locations backup` and `restore` as real processes. */

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

let workspace: Workspace;
let map: string;
beforeAll(async () => {
  workspace = createWorkspace();
  map = await workspace.get('map', 'create', '--owner', 'o', '--name', 'M', '--geocoding-key', 'hush-hush');
  writeFileSync(workspace.path('two.csv'), 'Name,Address,lat,lng\nA,x,1,2\nB,y,3,4\n');
  await workspace.get('import', map, 'two.csv');
  await workspace.get('backup', 'made.gz');
});
afterAll(() => workspace.remove());

/** Runs a command on the named store. */
async function on(store: string, ...args: string[]) {
  workspace.environment.DATABASE_URL = `sqlite:${workspace.path(store)}`;
  workspace.environment.DATABASE_TIMEOUT_MS = '500';
  try {
    return await workspace.run(...args);
  } finally {
    delete workspace.environment.DATABASE_URL;
  }
}

const filesNamed = (name: string) => readdirSync(workspace.folder).filter((each) => each.startsWith(name));
const notBegun = { code: 2, stdout: '', stderr: expect.stringMatching(/^map-locations: [^\n]+\n$/) };

describe('map-locations backup', () => {
  it('creates a file that only its owner can read, and prints its content', async () => {
    const outcome = await workspace.run('backup', 'one.gz');
    expect(outcome).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Wrote 1 map and 2 locations to one.gz.\n',
    });
    expect(statSync(workspace.path('one.gz')).mode & 0o777).toBe(0o600);
    expect(gunzipSync(readFileSync(workspace.path('one.gz'))).toString()).toContain('hush-hush');
    expect(filesNamed('one.gz')).toEqual(['one.gz']);
    const json = await workspace.run('backup', 'json.gz', '--json', '--without-secrets');
    expect(JSON.parse(json.stdout)).toEqual({ file: 'json.gz', maps: 1, locations: 2 });
    expect(gunzipSync(readFileSync(workspace.path('json.gz'))).toString()).not.toContain('hush-hush');
  });

  it('replaces no file, and leaves none when it fails', async () => {
    writeFileSync(workspace.path('notes.gz'), 'my notes');
    const outcome = await workspace.run('backup', 'notes.gz');
    expect(outcome).toEqual(notBegun);
    expect(outcome.stderr).toContain('already exists');
    expect(readFileSync(workspace.path('notes.gz'), 'utf8')).toBe('my notes');
    const nowhere = await workspace.run('backup', 'no-folder/backup.gz');
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toContain('cannot be written');
    expect(await on('absent.db', 'backup', 'never.gz')).toEqual(notBegun);
    expect([...filesNamed('absent'), ...filesNamed('never'), ...filesNamed('no-folder')]).toEqual([]);
  });
});

describe('map-locations restore', () => {
  it('creates a store with the whole content of the backup', async () => {
    const outcome = await on('fresh.db', 'restore', 'made.gz');
    expect(outcome).toMatchObject({ code: 0, stdout: '' });
    expect(outcome.stderr).toMatch(
      /^Restored 1 map and 2 locations from made\.gz to SQLite, .*fresh\.db\.\n$/,
    );
    expect((await on('fresh.db', 'export', map)).stdout).toBe((await workspace.get('export', map)) + '\n');
    const json = await on('json.db', 'restore', 'made.gz', '--json');
    expect(JSON.parse(json.stdout)).toEqual({ file: 'made.gz', maps: 1, locations: 2, withoutExternalId: 0 });
  });

  it('refuses a store that holds data, without --replace', async () => {
    await on('own.db', 'map', 'create', '--owner', 'o', '--name', 'Own');
    const before = readFileSync(workspace.path('own.db'));
    const outcome = await on('own.db', 'restore', 'made.gz');
    expect(outcome).toEqual(notBegun);
    expect(outcome.stderr).toContain('--replace');
    expect(readFileSync(workspace.path('own.db'))).toEqual(before);
    expect(await on('own.db', 'restore', 'made.gz', '--replace')).toMatchObject({ code: 0 });
    expect((await on('own.db', 'map', 'list')).stdout).not.toContain('Own');
  });

  it('refuses an incomplete backup before it opens the store', async () => {
    const whole = readFileSync(workspace.path('made.gz'));
    const changed = Buffer.from(whole);
    changed[whole.length >> 1]! ^= 1;
    for (const [name, content, reason] of [
      ['truncated.gz', whole.subarray(0, -20), 'is truncated'],
      ['changed.gz', changed, 'is damaged'],
      ['foreign.gz', Buffer.from('Name,Address\nA,x\n'), 'is not a backup'],
    ] as const) {
      writeFileSync(workspace.path(name), content);
      const outcome = await on('untouched.db', 'restore', name, '--replace');
      expect([name, outcome]).toEqual([name, notBegun]);
      expect(outcome.stderr).toContain(`${name} ${reason}`);
    }
    expect(await on('untouched.db', 'restore', 'absent.gz')).toEqual(notBegun);
    expect(await on('untouched.db', 'restore', '.')).toEqual(notBegun);
    expect(filesNamed('untouched')).toEqual([]);
  });

  it('reports keys that are encrypted with another SECRET_KEY', async () => {
    workspace.environment.SECRET_KEY = 'correct horse battery staple, and more';
    await workspace.get('map', 'list');
    await workspace.get('backup', 'sealed.gz');
    expect((await on('same-key.db', 'restore', 'sealed.gz')).stderr).not.toContain('SECRET_KEY');
    workspace.environment.SECRET_KEY = 'another horse, another battery, another staple';
    expect((await on('other-key.db', 'restore', 'sealed.gz')).stderr).toContain('another SECRET_KEY');
    delete workspace.environment.SECRET_KEY;
    const outcome = await on('no-key.db', 'restore', 'sealed.gz');
    expect(outcome).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('SECRET_KEY, but none is set'),
    });
    expect(await on('no-key.db', 'map', 'list')).toMatchObject({ code: 1 });
  });
});
