/** The audit log of a running server (SIGHUP, several workers) and of the command line. */

import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { createFolder, killPrograms, runProgram, startPlainServer } from '../support/program.ts';
import { prepareMap } from './prepared-map.ts';

afterEach(killPrograms);

interface Line {
  readonly owner: string;
  readonly tokenId: string | null;
  readonly requestId: string | null;
  readonly operation: string;
  readonly outcome: string;
}

function linesOf(path: string): Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

describe.each(['1', '2'])('the audit log of %s worker(s)', (workers) => {
  it('reopens on SIGHUP without losing a line', async () => {
    const cwd = createFolder();
    const { token, mapId } = await prepareMap(cwd);
    const path = join(cwd, 'audit.log');
    const server = await startPlainServer(cwd, { AUDIT_LOG: path, WORKERS: workers });
    const write = async () => {
      const { status } = await fetch(`${server.url}/v0/map/${mapId}/location/none`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}`, connection: 'close' },
      });
      expect(status).toBe(400);
    };
    for (let times = 0; times < 4; times += 1) await write();
    const moved = `${path}.1`;
    const before = linesOf(path).length;
    expect(before).toBeGreaterThanOrEqual(4);
    renameSync(path, moved);
    process.kill(server.pid, 'SIGHUP');
    let writes = 0;
    const isMovedOn = () => {
      try {
        return linesOf(path).length >= Number(workers);
      } catch {
        return false;
      }
    };
    while (!isMovedOn()) {
      await write();
      writes += 1;
    }
    expect(linesOf(moved).length + linesOf(path).length).toBe(before + writes);
    await server.stop();
  });

  it('prevents the start when it cannot be opened', async () => {
    const cwd = createFolder();
    mkdirSync(join(cwd, 'audit.log'));
    const env = {
      AUDIT_LOG: join(cwd, 'audit.log'),
      DATABASE_URL: 'sqlite:store.db',
      PORT: '0',
      WORKERS: workers,
    };
    const { code, stderr } = await runProgram(['serve'], { cwd, env });
    expect([code, stderr.includes('AUDIT_LOG must be')]).toEqual([1, true]);
  });
});

describe('the command line', () => {
  it('writes audit lines without a token', async () => {
    const cwd = createFolder();
    const { mapId } = await prepareMap(cwd);
    const path = join(cwd, 'audit.log');
    const env = { AUDIT_LOG: path, DATABASE_URL: 'sqlite:store.db' };
    const run = (...args: string[]) => runProgram(args, { cwd, env });
    await run('map', 'update', mapId, '--name', 'Another');
    await run('location', 'delete', mapId, `${mapId}_000000000000`);
    await run('location', 'update', mapId, `${mapId}_000000000000`, '--unset', 'X');
    const made = await run('token', 'create', '--owner', 'bob');
    await run('token', 'revoke', made.stdout.trim());
    await run('token', 'revoke', 'mlt_unknown');
    await run('map', 'list');
    const lines = linesOf(path);
    expect(lines.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['updateMap', 'ok'],
      ['deleteLocations', 'ok'],
      ['updateLocation', 'LOCATION_NOT_FOUND'],
      ['createToken', 'ok'],
      ['revokeToken', 'ok'],
      ['revokeToken', 'TOKEN_NOT_FOUND'],
    ]);
    expect(lines.every(({ tokenId, requestId }) => tokenId === null && requestId === null)).toBe(true);
    expect(lines.slice(3).map(({ owner }) => owner)).toEqual(['bob', 'bob', null]);
    expect(readFileSync(path, 'utf8')).not.toContain(made.stdout.trim());
  });
});
