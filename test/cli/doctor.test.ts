/** `map-locations doctor`: its output and exit statuses; it creates nothing. */

import { readdirSync } from 'node:fs';

import { openDatabase } from '../../src/storage/sqlite/engine/driver.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

let workspace: Workspace;
let map: string;
beforeAll(async () => {
  workspace = createWorkspace();
  map = await workspace.get('map', 'create', '--owner', 'o', '--name', 'M');
});
afterAll(() => workspace.remove());

describe('map-locations doctor', () => {
  it('reports that there are no problems, with exit status 0', async () => {
    expect(await workspace.run('doctor')).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^No problems found\. SQLite, .*test\.db\n$/),
    });
    const json = await workspace.run('doctor', '--json');
    expect([json.code, JSON.parse(json.stdout)]).toEqual([0, { findings: [] }]);
  });

  it('prints each problem and its remedy on a line, with exit status 1', async () => {
    const database = openDatabase(workspace.path('test.db'));
    database.exec('UPDATE maps SET location_count = 3; DROP INDEX tokens_by_owner');
    database.close();
    const outcome = await workspace.run('doctor');
    expect([outcome.code, outcome.stderr]).toEqual([1, '']);
    expect(outcome.stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^indexes: The index tokens_by_owner is missing\. Create it .+\.$/),
      expect.stringMatching(`^totals: The map ${map} has 0 locations, but its count says 3\\. Stop .+\\.$`),
    ]);
    const json = await workspace.run('doctor', '--json');
    const { findings } = JSON.parse(json.stdout) as { findings: Record<string, string>[] };
    expect([json.code, findings.map(({ check }) => check)]).toEqual([1, ['indexes', 'totals']]);
    expect(Object.keys(findings[0]!)).toEqual(['check', 'message', 'remedy']);
  });

  it('reports no problem after its remedy: a restored backup', async () => {
    await workspace.get('backup', 'backup.gz');
    workspace.environment.DATABASE_TIMEOUT_MS = '100';
    await workspace.get('restore', 'backup.gz', '--replace');
    const outcome = await workspace.run('doctor');
    // A restore does not recreate the index; its line names another remedy.
    expect(outcome.stdout).not.toContain('totals');
    const database = openDatabase(workspace.path('test.db'));
    database.exec(
      /with the sqlite3 program while no server runs: (CREATE INDEX [^.]+)\./.exec(outcome.stdout)![1]!,
    );
    database.close();
    expect(await workspace.run('doctor')).toMatchObject({ code: 0 });
  });

  it('creates no store, and fails with exit status 2 when it cannot read one', async () => {
    for (const [url, reason] of [
      [`sqlite:${workspace.path('absent/store.db')}`, 'There is no store yet.'],
      ['sqlite::memory:', 'in memory'],
      ['mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=1', 'cannot be reached'],
      ['postgres://there', 'DATABASE_URL'],
    ] as const) {
      workspace.environment.DATABASE_URL = url;
      const outcome = await workspace.run('doctor');
      expect([url, outcome.code, outcome.stdout]).toEqual([url, 2, '']);
      expect(outcome.stderr).toContain(reason);
    }
    delete workspace.environment.DATABASE_URL;
    expect(readdirSync(workspace.folder).filter((name) => name.startsWith('absent'))).toEqual([]);
  });
});
