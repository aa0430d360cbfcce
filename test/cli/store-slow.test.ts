/** Commands on whole maps when the database takes longer than the time limit of a request. */

import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import type { Fate, Proxy } from '../support/mongodb-proxy.ts';
import { startProxy } from '../support/mongodb-proxy.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { describeUnless } from '../support/skip.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

const REQUEST_MS = 1_000;
const HELD_MS = 1_500;

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'a command whose database is slow', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let workspace: Workspace;
  let proxy: Proxy;
  let held = 0;

  beforeAll(async () => {
    workspace = createWorkspace();
    proxy = await startProxy(url, {
      judge: async (name, command): Promise<Fate> => {
        if (command[name] === 'locations' && (name === 'insert' || name === 'find')) {
          held += 1;
          await delay(HELD_MS);
        }
        return 'pass';
      },
    });
    Object.assign(workspace.environment, {
      DATABASE_URL: proxy.url,
      DATABASE_TIMEOUT_MS: String(REQUEST_MS),
      DEMO: '0',
    });
  });
  afterAll(async () => {
    await proxy.close();
    workspace.remove();
  });

  it('waits: import and export', async () => {
    // Connects without the slow proxy.
    workspace.environment.DATABASE_URL = url;
    await workspace.get('token', 'create', '--owner', 'me');
    const map = await workspace.get('map', 'create', '--owner', 'me', '--name', 'M');
    workspace.environment.DATABASE_URL = proxy.url;
    writeFileSync(workspace.path('places.csv'), 'Name,Address,lat,lng\nA,Road 1,1,2\nB,Road 2,3,4\n');

    expect(await workspace.run('import', map, 'places.csv')).toMatchObject({
      code: 0,
      stdout: 'stored 2, rejected 0\n',
    });
    expect(held).toBeGreaterThan(0);
    held = 0;
    expect(await workspace.run('export', map, 'places.ndjson')).toMatchObject({ code: 0 });
    expect(held).toBeGreaterThan(0);
  });
});
