/** Commands on a file that another process migrates. */

import { once } from 'node:events';

import { lockVersion3 } from '../support/sqlite-version-3.ts';
import type { Running, Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

const NOTICES =
  /^Another process is writing to the database[^\n]*; waiting for it\.\nThe database was migrated from version 3 to \d+ in [\d.]+ s\.\n$/;

describe('a command on a file that another process migrates', () => {
  let workspace: Workspace;
  let unlock: () => void;
  beforeEach(() => {
    workspace = createWorkspace();
    workspace.environment.DATABASE_TIMEOUT_MS = '100';
    unlock = lockVersion3(workspace.path('test.db'));
  });
  afterEach(() => workspace.remove());

  /** Waits for output on stderr or the end of the command. */
  const untilOutput = ({ child, outcome }: Running) => Promise.race([once(child.stderr!, 'data'), outcome]);

  it('waits, says so on stderr, and continues', async () => {
    const running = workspace.start('map', 'list');
    await untilOutput(running);
    unlock();
    expect(await running.outcome).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^id\t/),
      stderr: expect.stringMatching(NOTICES),
    });
  });

  it('says so also when it copies', async () => {
    const to = `sqlite:${workspace.path('copy.db')}`;
    const running = workspace.start('copy', '--from', workspace.databaseUrl, '--to', to);
    await untilOutput(running);
    unlock();
    const { code, stderr } = await running.outcome;
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Another process is writing to the database/);
  });

  it('ends at a signal', async () => {
    const running = workspace.start('map', 'list');
    await untilOutput(running);
    running.child.kill('SIGTERM');
    await running.outcome;
    expect(running.child.signalCode).toBe('SIGTERM');
    unlock();
  });
});
