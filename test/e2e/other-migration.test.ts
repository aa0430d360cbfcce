/** A server that starts while another process migrates its SQLite file. */

import { join } from 'node:path';

import { createFolder, delay, killPrograms, PROGRAM, spawnCommand } from '../support/program.ts';
import { lockVersion3 } from '../support/sqlite-version-3.ts';

const DEADLINE_MS = 20_000;

afterAll(killPrograms);

function startOnLockedFile(workers: string) {
  const cwd = createFolder();
  const unlock = lockVersion3(join(cwd, 'store.db'));
  const env = { PORT: '0', DATABASE_URL: 'sqlite:store.db', DATABASE_TIMEOUT_MS: '100', WORKERS: workers };
  const { child, exited, stderr } = spawnCommand(process.execPath, [PROGRAM, 'serve'], { cwd, env });
  const untilLogged = async (text: string) => {
    const deadline = performance.now() + DEADLINE_MS;
    while (!stderr().includes(text)) {
      if (performance.now() > deadline || child.exitCode !== null) throw new Error(`not logged: ${stderr()}`);
      await delay(5);
    }
  };
  return { unlock, child, exited, stderr, untilLogged };
}

describe('a server that starts while another process migrates its file', () => {
  it('waits, says so once, and serves', async () => {
    const { unlock, child, exited, stderr, untilLogged } = startOnLockedFile('1');
    await untilLogged('waiting for it');
    unlock();
    await untilLogged('Server listening');
    child.kill('SIGTERM');
    expect(await exited).toMatchObject({ code: 0, signal: null });
    expect(stderr().match(/waiting for it/g)).toHaveLength(1);
  });

  for (const workers of ['1', '2']) {
    it(`stops cleanly at a signal while it waits, with WORKERS=${workers}`, async () => {
      const { unlock, child, exited, stderr, untilLogged } = startOnLockedFile(workers);
      await untilLogged('waiting for it');
      child.kill('SIGTERM');
      expect(await exited).toMatchObject({ code: 0, signal: null });
      expect(stderr()).not.toContain('Server listening');
      unlock();
    });
  }
});
