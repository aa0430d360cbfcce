/** The log of a started server. */

import { createFolder, killPrograms, startPlainServer } from '../support/program.ts';
import { VERSION } from '../../src/lib/version.ts';

afterAll(killPrograms);

for (const workers of ['1', '2']) {
  it(`begins with the version and names the levels, with WORKERS=${workers}`, async () => {
    const cwd = createFolder();
    const server = await startPlainServer(cwd, {
      WORKERS: workers,
      LOG_LEVEL: 'debug',
      GOOGLE_API_KEY: 'secret-of-google',
    });
    await fetch(`${server.url}/v0/map/x`, { headers: { 'x-request-id': 'mine' } });
    await server.stop();
    const lines = server.log();
    expect(lines[0]).toMatchObject({
      level: 'info',
      msg: 'Starting',
      version: VERSION,
      store: expect.stringContaining('store.db'),
      geocoder: 'Google',
      workers: Number(workers),
    });
    expect(lines.filter(({ msg }) => msg === 'Starting')).toHaveLength(1);
    expect(new Set(lines.map(({ level }) => typeof level))).toEqual(new Set(['string']));
    expect(lines.find(({ requestId }) => requestId === 'mine')).toMatchObject({
      level: 'debug',
      status: 401,
    });
    expect(server.stderr()).not.toContain('secret-of-google');
  });
}
