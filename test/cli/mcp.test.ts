import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { callTool, createClient, ERAS } from '../support/mcp.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace, PROGRAM } from './run-cli.ts';

interface Response {
  readonly id: number | null;
  readonly error?: { readonly code: number };
}

describe('map-locations mcp', () => {
  let workspace: Workspace;
  let mapId: string;
  const clients: Client[] = [];
  beforeAll(async () => {
    workspace = createWorkspace();
    mapId = await workspace.get('map', 'create', '--owner', 'alice', '--name', 'Cafés');
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    workspace.remove();
  });

  async function connect(era: (typeof ERAS)[number], args: string[], env: Record<string, string> = {}) {
    const client = createClient(era);
    const { folder: cwd, databaseUrl } = workspace;
    const command = {
      command: process.execPath,
      args: [...PROGRAM, 'mcp', ...args],
      cwd,
      stderr: 'pipe' as const,
    };
    clients.push(client);
    await client.connect(
      new StdioClientTransport({ ...command, env: { DATABASE_URL: databaseUrl, ...env } }),
    );
    return client;
  }

  it.each(ERAS)('serves a %s client the maps of an owner', async (era) => {
    const client = await connect(era, ['--owner', 'alice']);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('find_locations');
    expect((await callTool(client, 'list_maps')).maps).toMatchObject([{ id: mapId, name: 'Cafés' }]);
    expect((await callTool(client, 'describe_map', { mapId })).map.locationCount).toBe(0);
  });

  it('has the rights of MAP_LOCATIONS_TOKEN, until it is revoked', async () => {
    const token = await workspace.get('token', 'create', '--owner', 'alice', '--scope', 'read');
    const client = await connect('modern', [], { MAP_LOCATIONS_TOKEN: token });
    expect((await callTool(client, 'list_maps')).maps).toMatchObject([{ id: mapId }]);
    await workspace.get('token', 'revoke', token);
    await expect(callTool(client, 'list_maps')).rejects.toThrow('UNAUTHENTICATED');
  });

  it('reads only published maps without either', async () => {
    const client = await connect('modern', []);
    expect((await callTool(client, 'list_maps')).maps).toEqual([]);
    await expect(callTool(client, 'describe_map', { mapId })).rejects.toThrow('MAP_NOT_FOUND');
  });

  it('does not start with an invalid token, an unknown owner, or both', async () => {
    workspace.environment['MAP_LOCATIONS_TOKEN'] = 'wrong';
    const wrong = await workspace.run('mcp');
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('not valid') });
    const both = await workspace.run('mcp', '--owner', 'alice');
    expect(both).toMatchObject({ code: 1, stderr: expect.stringContaining('either --owner or') });
    delete workspace.environment['MAP_LOCATIONS_TOKEN'];
    const unknown = await workspace.run('mcp', '--owner', 'bob');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no owner "bob".') });
  });

  /** The arguments of a client that sends all its messages at once. */
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-03-26',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'list_maps', arguments: {} } },
  ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));

  const responsesIn = (stdout: string): Response[] =>
    stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Response);

  it.each(['ended with a line end', 'ended within the last line'])(
    'responds to all requests of an input that is %s, and ends',
    async (kind) => {
      const { child, outcome } = workspace.start('mcp', '--owner', 'alice');
      child.stdin?.end(messages.join('\n') + (kind.includes('line end') ? '\n' : ''));
      const { code, stdout } = await outcome;
      const responses = responsesIn(stdout);
      expect(responses.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
      expect(JSON.stringify(responses)).toContain(mapId);
      expect(code).toBe(0);
    },
  );

  it('responds to all requests of a file, and ends', async () => {
    const path = join(workspace.folder, 'requests.jsonl');
    writeFileSync(path, `${messages.join('\n')}\n`);
    const { code, stdout } = await workspace.runFrom(path, 'mcp', '--owner', 'alice');
    expect(
      responsesIn(stdout)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([1, 2, 3]);
    expect(code).toBe(0);
  });

  it('responds to invalid messages and batches, says so on stderr, and goes on', async () => {
    const { child, outcome } = workspace.start('mcp', '--owner', 'alice');
    const ping = '{"jsonrpc":"2.0","id":9,"method":"ping"}';
    const invalid = ['not json', `[${ping}]`, '[]', '{"id":1}', '7', `"${'x'.repeat(11_000_000)}"`];
    child.stdin?.end([...messages.slice(0, 2), ...invalid, '', ping].join('\n'));
    const { code, stdout, stderr } = await outcome;
    const responses = responsesIn(stdout);
    expect(responses.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
      -32700, -32600, -32600, -32600, -32600, -32600,
    ]);
    expect(responses.filter(({ id }) => id !== null)).toMatchObject([
      { id: 1, result: {} },
      { id: 9, result: {} },
    ]);
    expect(stderr).toMatch(/not valid JSON[^]*not a batch[^]*at most 10485760 characters/);
    expect(code).toBe(0);
  });

  it('ends when its input is empty', async () => {
    const ended = await workspace.run('mcp', '--owner', 'alice');
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    const empty = await workspace.runFrom('/dev/null', 'mcp', '--owner', 'alice');
    expect(empty).toMatchObject({ code: 0, stdout: '' });
  });

  it('ends at a signal', async () => {
    const { child, outcome } = workspace.start('mcp', '--owner', 'alice');
    child.stdin?.write(`${messages[0]}\n`);
    await once(child.stdout as Readable, 'data');
    child.kill('SIGTERM');
    expect(await outcome).toMatchObject({ code: 0, stderr: '' });
  });
});
