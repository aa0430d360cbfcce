/** Commands on a full disk: their messages, and no leftovers. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';

import { runCommand } from '../support/program.ts';
import { describeUnless } from '../support/skip.ts';
import type { Outcome, Workspace } from './run-cli.ts';
import { createWorkspace, PROGRAM } from './run-cli.ts';

/** Exceeds the limit below, also when compressed. */
const ROWS = 3_000;
/** The largest file, in the shell's units of 1,024 bytes. */
const LIMIT = 40;

describeUnless(!existsSync('/dev/full') && 'needs Linux, for /dev/full', 'on a full disk', () => {
  let workspace: Workspace;
  let map: string;
  beforeAll(async () => {
    workspace = createWorkspace();
    map = await workspace.get('map', 'create', '--owner', 'me', '--name', 'M');
    const rows = Array.from({ length: ROWS }, (_, row) => `N${(row * 7919) % 104_729},Lisboa,1,${row % 90}`);
    writeFileSync(workspace.path('rows.csv'), ['Name,Address,lat,lng', ...rows].join('\n'));
    await workspace.get('import', map, 'rows.csv');
  });
  afterAll(() => workspace.remove());

  const shell = async (line: string): Promise<Outcome> => {
    const args = ['-c', line, process.execPath, ...PROGRAM];
    const env = { DATABASE_URL: workspace.databaseUrl };
    const { code, stdout, stderr } = await runCommand('bash', args, { cwd: workspace.folder, env });
    return { code, stdout, stderr };
  };

  it.each(['map list', 'export MAP --format csv'])('%s to stdout fails with one line', async (command) => {
    const line = `"$0" "$@" ${command.replace('MAP', map)}`;
    expect(await shell(`${line} >/dev/full`)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^map-locations: The output cannot be written: ENOSPC[^\n]*\n$/),
    });
    const { stderr } = await shell(`${line} --json >/dev/full`);
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'COMMAND_FAILED', message: expect.stringMatching(/ENOSPC/) },
    });
  });

  it.each(['backup FILE', 'export MAP FILE'])(
    '%s to a file names it and leaves no part of it',
    async (command) => {
      const before = readdirSync(workspace.folder);
      const line = `"$0" "$@" ${command.replace('MAP', map).replace('FILE', 'whole.csv')}`;
      expect(await shell(`ulimit -f ${LIMIT}; ${line}`)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^map-locations: whole\.csv cannot be written: EFBIG[^\n]*\n$/),
      });
      expect(readdirSync(workspace.folder)).toEqual(before);
    },
  );
});
