import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

import { openDatabase } from '../../src/storage/sqlite/engine/driver.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

describe('map-locations copy', () => {
  let workspace: Workspace;
  let map: string;
  beforeAll(async () => {
    workspace = createWorkspace();
    map = await workspace.get('map', 'create', '--owner', 'o', '--name', 'M');
    writeFileSync(workspace.path('two.csv'), 'Name,Address,lat,lng\nA,x,1,2\nB,y,3,4\n');
    await workspace.get('import', map, 'two.csv');
  });
  afterAll(() => workspace.remove());

  const copyTo = (name: string) =>
    workspace.run('copy', '--from', workspace.databaseUrl, '--to', `sqlite:${workspace.path(name)}`);
  const refused = { code: 2, stdout: '', stderr: expect.stringMatching(/^map-locations: [^\n]+\n$/) };
  const filesNamed = (name: string) => readdirSync(workspace.folder).filter((each) => each.startsWith(name));

  it('prints the copied counts, and changes nothing the second time', async () => {
    expect(await copyTo('copied.db')).toEqual({
      code: 0,
      stdout: 'maps 1, locations 2\n',
      stderr: 'Copied 1 map and 2 locations; comparing …\n',
    });
    const again = await copyTo('copied.db');
    expect(again).toMatchObject({ code: 0, stdout: 'maps 1, locations 2\n' });
    expect(again.stderr).toContain('already a complete copy');
  });

  it('refuses a target with other data', async () => {
    const own = { DATABASE_URL: `sqlite:${workspace.path('own.db')}` };
    Object.assign(workspace.environment, own);
    await workspace.get('map', 'create', '--owner', 'o', '--name', 'Own');
    delete workspace.environment.DATABASE_URL;
    const outcome = await copyTo('own.db');
    expect(outcome).toEqual(refused);
    expect(outcome.stderr).toContain('holds other data');
  });

  it('refuses a target that is not a database, and does not change it', async () => {
    writeFileSync(workspace.path('notes.txt'), 'my notes, which are no database\n'.repeat(100));
    const before = readFileSync(workspace.path('notes.txt'));
    const outcome = await copyTo('notes.txt');
    expect(outcome).toEqual(refused);
    expect(outcome.stderr).toContain('not an SQLite database');
    expect(readFileSync(workspace.path('notes.txt'))).toEqual(before);
    expect(filesNamed('notes.txt')).toEqual(['notes.txt']);
  });

  for (const option of ['--from', '--to'] as const) {
    it(`refuses another program’s SQLite file as ${option}, and leaves it unchanged`, async () => {
      const name = `foreign${option}.db`;
      const database = openDatabase(workspace.path(name));
      database.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')");
      database.close();
      const before = readFileSync(workspace.path(name));
      const urls = { '--from': workspace.databaseUrl, '--to': `sqlite:${workspace.path('other.db')}` };
      urls[option] = `sqlite:${workspace.path(name)}`;
      const outcome = await workspace.run('copy', ...Object.entries(urls).flat());
      expect(outcome).toEqual(refused);
      expect(readFileSync(workspace.path(name))).toEqual(before);
      expect(filesNamed(name)).toEqual([name]);
      expect(filesNamed('other.db')).toEqual([]);
    });
  }

  it('refuses a missing source and URLs that are no store’s', async () => {
    const to = `sqlite:${workspace.path('never.db')}`;
    const absent = `sqlite:${workspace.path('absent.db')}`;
    const outcomes = await Promise.all([
      workspace.run('copy', '--from', absent, '--to', to),
      workspace.run('copy', '--from', 'museums.csv', '--to', to),
      workspace.run('copy', '--from', workspace.databaseUrl, '--to', 'postgres://there'),
    ]);
    expect(outcomes).toEqual([refused, refused, refused]);
    expect([...filesNamed('never.db'), ...filesNamed('absent.db')]).toEqual([]);
  });
});
