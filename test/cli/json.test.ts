/** `--json`: results on stdout, notes and errors on stderr, all of it JSON. */

import { writeFileSync } from 'node:fs';

import type { Outcome, Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

let workspace: Workspace;
beforeAll(() => void (workspace = createWorkspace()));
afterAll(() => workspace.remove());

const notesOf = ({ stderr }: Outcome) =>
  stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { note?: string; error?: { code: string; message: string } });

/** Runs a command that must succeed. @returns its result */
async function result(...args: string[]): Promise<unknown> {
  const outcome = await workspace.run(...args, '--json');
  for (const line of notesOf(outcome)) expect(line).toEqual({ note: expect.any(String) });
  expect([args, outcome.code]).toEqual([args, 0]);
  return JSON.parse(outcome.stdout);
}

describe('with --json', () => {
  it('each command prints its result as JSON on stdout', async () => {
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const id = expect.any(String);
    const token = await result('token', 'create', '--owner', 'o', '--name', 'n', '--expires', '2999-01-01');
    expect(token).toEqual({
      id,
      token: expect.stringMatching(/^mlt_/),
      owner: 'o',
      name: 'n',
      scope: 'write',
      map: null,
      created: time,
      expires: '2999-01-01T00:00:00.000Z',
      ownerCreated: true,
    });
    const { id: map } = (await result('map', 'create', '--owner', 'o', '--name', 'M')) as { id: string };
    expect(await result('map', 'update', map, '--published')).toEqual({
      id: map,
      name: 'M',
      published: true,
      created: time,
    });
    expect(await result('map', 'delete', map)).toEqual({ id: map, deleted: true });
    expect(await result('map', 'restore', map)).toEqual({ id: map, deleted: false });

    writeFileSync(workspace.path('t.csv'), 'Name,Address,lat,lng\nA,x,1,2\nB,y,3,4\nC,z,5,6\n');
    const dryRun = await workspace.run('import', map, 't.csv', '--dry-run', '--json');
    expect(
      dryRun.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([2, 3, 4].map((line) => ({ line, outcome: 'created', reason: null })));
    expect(await result('import', map, 't.csv')).toEqual({
      stored: 3,
      rejected: 0,
      end: 'complete',
      outcomes: null,
      columns: [
        expect.objectContaining({ column: 'Name', use: 'field', name: 'Name' }),
        expect.objectContaining({ column: 'Address', use: 'field', name: 'Address' }),
        expect.objectContaining({ column: 'lat', use: 'latitude', name: null }),
        expect.objectContaining({ column: 'lng', use: 'longitude', name: null }),
      ],
      notes: [],
      rejectedFile: null,
    });
    expect(await result('export', map, 'out.ndjson')).toEqual({ file: 'out.ndjson', locations: 3 });
    const exported = JSON.parse(await workspace.get('export', map)) as { features: { id: string }[] };
    const [a, b, c] = exported.features.map((feature) => feature.id);
    expect(await result('location', 'move', map, c!, '--to-start')).toEqual([
      { id: c, order: expect.any(String) },
    ]);
    expect(await result('location', 'update', map, a!, '--fields', '{"Name":"N"}')).toMatchObject({
      id: a,
      version: 2,
    });
    const conflict = await workspace.run(
      'location',
      'update',
      map,
      a!,
      '--order',
      '9',
      '--if-version',
      '1',
      '--json',
    );
    expect(notesOf(conflict)).toEqual([
      { error: { code: 'CONFLICT', message: expect.stringMatching(/version 2/), currentVersion: 2 } },
    ]);
    expect(await result('location', 'delete', map, b!)).toEqual({ deleted: [b] });
    expect(await result('token', 'list')).toMatchObject([{ name: 'n', lastUsed: null, state: 'active' }]);
    expect(await result('map', 'list')).toMatchObject([{ id: map, locations: 2 }]);
    const copied = await result('copy', '--from', workspace.databaseUrl, '--to', 'sqlite:copy.db');
    expect(copied).toEqual({ result: 'copied', maps: 1, locations: 2 });
    expect(await result('token', 'revoke', (token as { token: string }).token)).toEqual({ revoked: true });
  });

  it('each failure is one JSON object on stderr, with its code', async () => {
    const codes: [string, ...string[]][] = [
      ['BAD_USER_INPUT', 'frob'],
      ['BAD_USER_INPUT', 'token', 'create', '--ownr', 'x'],
      ['BAD_USER_INPUT', 'token', 'create', '--owner', ' '],
      ['MAP_NOT_FOUND', 'map', 'delete', 'none'],
      ['COMMAND_FAILED', 'token', 'revoke', 'token_none'],
      ['COMMAND_FAILED', 'import', 'none', 'no-such-file.csv'],
    ];
    for (const [code, ...args] of codes) {
      const outcome = await workspace.run(...args, '--json');
      expect([args, outcome.code === 0, outcome.stdout]).toEqual([args, false, '']);
      const errors = notesOf(outcome).flatMap(({ error }) => error ?? []);
      expect([args, errors]).toEqual([args, [{ code, message: expect.stringMatching(/^[^{]+$/) }]]);
    }
    workspace.environment.PORT = 'none';
    const outcome = await workspace.run('token', 'list', '--json');
    delete workspace.environment.PORT;
    expect(notesOf(outcome)).toEqual([
      { error: { code: 'CANNOT_START', message: expect.stringContaining('PORT must be') } },
    ]);
  });
});

describe('similar names', () => {
  it('are suggested for unknown commands, options, types, maps and owners', async () => {
    const map = await workspace.get('map', 'create', '--owner', 'someone', '--name', 'Lighthouses');
    const suggestions: [string, ...string[]][] = [
      ['Did you mean token?', 'tokn'],
      ['Did you mean --name?', 'token', 'create', '--owner', 'x', '--nmae', 'y'],
      ['Did you mean website?', 'map', 'create', '--owner', 'o', '--name', 'n', '--field', 'W:websit'],
      [`Did you mean ${map}, "Lighthouses"?`, 'map', 'delete', 'Lighthouse'],
      [`Did you mean ${map}, "Lighthouses"?`, 'export', `${map.slice(0, -1)}`],
      ['Did you mean "someone"?', 'map', 'list', '--owner', 'somone'],
    ];
    for (const [hint, ...args] of suggestions) {
      const { code, stderr } = await workspace.run(...args);
      expect([args, code === 0]).toEqual([args, false]);
      expect(stderr).toContain(hint);
    }
    const { stderr } = await workspace.run('map', 'delete', 'zzzzzzzz');
    expect(stderr).not.toContain('Did you mean');
    expect((await workspace.run('token', 'create', '--owner', 'somone')).stderr).toContain(
      'Created a new owner, somone. There is also an owner named someone.',
    );
  });
});

describe('the store that a command writes to', () => {
  it('is named, with a note when it was empty', async () => {
    const other = createWorkspace();
    const first = await other.run('token', 'create', '--owner', 'o');
    expect(first.stderr).toContain(`The store was empty: SQLite, ${other.path('test.db')}.`);
    const second = await other.run('map', 'create', '--owner', 'o', '--name', 'M', '--provider-key', 'k');
    expect(second.stderr).not.toContain('empty');
    expect(second.stderr).toContain(`in SQLite, ${other.path('test.db')}: owner o.`);
    expect(second.stderr).toContain('stored unencrypted: set SECRET_KEY');
    other.environment.DATABSE_URL = 'sqlite:x.db';
    expect((await other.run('token', 'list')).stderr).toContain('did you mean DATABASE_URL?');
    other.remove();
  });
});
