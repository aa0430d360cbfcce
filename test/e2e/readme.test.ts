/** The README's commands, run as written against a running server. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { blocksOf, readDocument, shapeOf } from '../support/documents.ts';
import { createFolder, delay, killPrograms, PROGRAM, ROOT } from '../support/program.ts';
import { runCommand, runShell, spawnCommand, startPlainServer } from '../support/program.ts';

afterAll(killPrograms);

/** The code blocks of a language, in order. */
function codeOf(language: string): string[] {
  return blocksOf(readDocument('README.md'))
    .filter((block) => block.language === language)
    .map(({ code }) => code);
}

describe('the README’s commands', () => {
  it('work from token creation to a GraphQL query, with the responses it shows', async () => {
    const cwd = createFolder();
    const server = await startPlainServer(cwd);
    writeFileSync(
      join(cwd, 'cafes.csv'),
      'Name,Address\nCafé Central,"Herrengasse 14, 1010 Wien, Austria"\nCaffè Florian,"Piazza San Marco 57, Venezia, Italy"\n',
    );
    const [start = '', test = '', ...commands] = codeOf('sh');
    expect([start, test]).toEqual(['npm ci && npm start\n', 'npm ci && npm test\n']);
    const shell = commands.join('\n');
    const [list] = codeOf('json').map((text) => shapeOf(JSON.parse(text)));
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
    expect(page).toEqual(expect.arrayContaining(list as unknown[]));
    expect(page.map(({ name }: { name: string }) => name)).toEqual(names);

    const [query = ''] = codeOf('graphql');
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: query.replaceAll('…', mapId) }),
    });
    expect(await response.json()).toEqual({
      data: {
        map: {
          name: 'Cafés',
          locations: {
            nodes: [
              expect.objectContaining({ name: 'A Brasileira', latitude: 38.71667, longitude: -9.13333 }),
            ],
            pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
          },
        },
      },
    });
    const publicPage = await fetch(`${server.url}/maps/${mapId}`);
    expect([publicPage.status, await publicPage.text()]).toEqual([
      200,
      expect.stringContaining('Café Central'),
    ]);
    await server.stop();
  });

  it('`npm start` serves, and Ctrl-C stops it cleanly', async () => {
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
    // Like a terminal, signals the whole process group: npm, its shell and the program.
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
