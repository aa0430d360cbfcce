/** Commands with an unreachable database fail in time, with a reason. */

import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

const AWAY = 'mongodb://127.0.0.1:1/maps';

describe('a command with an unreachable database', () => {
  let workspace: Workspace;
  beforeAll(() => {
    workspace = createWorkspace();
    Object.assign(workspace.environment, { DATABASE_URL: AWAY, DATABASE_TIMEOUT_MS: '200' });
  });
  afterAll(() => workspace.remove());

  it.each([
    ['map list', ['map', 'list'], 1],
    ['doctor', ['doctor'], 2],
    ['backup', ['backup', 'backup.gz'], 2],
    ['copy', ['copy', '--from', AWAY, '--to', 'sqlite:copy.db'], 1],
  ])('says why: %s', async (_name, args, code) => {
    expect(await workspace.run(...args)).toEqual({
      code,
      stdout: '',
      stderr:
        'map-locations: The database cannot be reached at the moment. (connect ECONNREFUSED 127.0.0.1:1)\n',
    });
  });
});
