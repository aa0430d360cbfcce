/** The README's own commands, run as they stand there against a running server. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createFolder, delay, killPrograms, PROGRAM, ROOT } from '../support/program.ts';
import { runCommand, runShell, spawnCommand, startPlainServer } from '../support/program.ts';

afterAll(killPrograms);

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The code blocks of one language in the section under a heading. */
function blocksOf(heading: string, language: string): string[] {
  const section = README.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code = '']) => code);
}

describe('the README’s commands', () => {
  it('of “A map of your own” work from making a token to asking both doors', async () => {
    const cwd = createFolder();
    const server = await startPlainServer(cwd);
    writeFileSync(
      join(cwd, 'cafes.csv'),
      'Name,Address\nCafé Central,"Herrengasse 14, 1010 Wien, Austria"\nCaffè Florian,"Piazza San Marco 57, Venezia, Italy"\n',
    );
    const shell = blocksOf('A map of your own', 'sh').join('\n');
    for (const part of ['token create', 'map create', 'import', 'curl', '/v0/'])
      expect(shell).toContain(part);
    const script = ['set -eu', shell, 'echo', 'echo "$TOKEN $MAP"']
      .join('\n')
      .replaceAll('npx map-locations', `'${process.execPath}' '${PROGRAM}'`)
      .replaceAll('http://127.0.0.1:4000', server.url)
      .replaceAll('curl ', 'curl --silent --show-error --fail --max-time 20 ');
    const { code, stdout, stderr } = await runShell(script, {
      cwd,
      env: { DATABASE_URL: 'sqlite:store.db' },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/error/i) });
    const [token = '', mapId = ''] = stdout.trimEnd().split('\n').at(-1)?.split(' ') ?? [];
    const names = ['Café Central', 'Caffè Florian', 'A Brasileira'];
    expect(stdout).toContain('{"data":{"name":"A Brasileira"');
    const page = JSON.parse(/^\[.*\]$/m.exec(stdout.replace('}}[', '}}\n['))?.[0] ?? 'null');
    expect(page.map(({ name }: { name: string }) => name)).toEqual(names);

    const [mutation = '', query = ''] = blocksOf('A map of your own', 'graphql');
    const ask = async (text: string) => {
      const answer = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: text.replaceAll('…', mapId) }),
      });
      const { data, errors } = JSON.parse(await answer.text());
      expect(errors).toBeUndefined();
      return data;
    };
    expect(await ask(mutation)).toEqual({
      createLocation: {
        location: {
          id: expect.stringMatching(`^${mapId}`),
          latitude: expect.any(Number),
          longitude: expect.any(Number),
          order: '4',
        },
      },
    });
    const { map } = await ask(query);
    expect(map.name).toBe('Cafés');
    expect(map.locations.nodes.map(({ name }: { name: string }) => name)).toEqual([...names, 'A Brasileira']);
    expect(map.locations.pageInfo).toEqual({ hasNextPage: false, endCursor: expect.any(String) });
    await server.stop();
  });

  it('`npm start` serves, and Ctrl-C ends it in order', async () => {
    expect(blocksOf('Start', 'sh').join('')).toContain('npm start');
    const { child, exited, stdout, stderr } = spawnCommand('npm', ['start'], {
      cwd: ROOT,
      env: { PORT: '0', DATABASE_URL: `sqlite:${join(createFolder(), 'store.db')}` },
      ownGroup: true,
    });
    const deadline = performance.now() + 60_000;
    while (!stdout().includes('Try it:') && child.exitCode === null && performance.now() < deadline) {
      await delay(20);
    }
    expect({ stdout: stdout(), stderr: stderr() }).toMatchObject({
      stdout: expect.stringContaining('60 locations'),
    });
    // As a terminal does at Ctrl-C: to npm, the shell beneath it, and the program.
    process.kill(-Number(child.pid), 'SIGINT');
    await exited;
    expect(stderr()).toContain('"Stopped"');
  });

  it('`npx map-locations` is the command line in a clone', async () => {
    const { code, stdout, stderr } = await runCommand('npx', ['map-locations', '--help'], {
      cwd: ROOT,
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('token');
  });
});
