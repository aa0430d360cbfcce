/** The commands and operations of docs/api.md return the responses it shows. */

import { blocksOf, readDocument, shapeOf } from '../support/documents.ts';
import { createFolder, killPrograms, PROGRAM, runShell, startPlainServer } from '../support/program.ts';

afterAll(killPrograms);

interface Example {
  readonly language: string;
  readonly code: string;
  /** Null for a command without a response in the document. */
  readonly response: unknown;
}

/** Code blocks, each with the JSON block that follows it. */
function examplesOf(text: string): Example[] {
  const blocks = blocksOf(text);
  return blocks.flatMap(({ language, code }, index) => {
    if (language === 'json') return [];
    const next = blocks[index + 1];
    return [
      { language, code, response: next?.language === 'json' ? (JSON.parse(next.code) as unknown) : null },
    ];
  });
}

describe('the API guide', () => {
  it('shows the real responses of its commands and operations', async () => {
    const cwd = createFolder();
    const server = await startPlainServer(cwd);
    const examples = examplesOf(readDocument('docs/api.md').split('\n## Operations\n')[0] ?? '');
    const commands = examples.filter(({ language }) => language === 'sh');
    const operations = examples.filter(({ language }) => language === 'graphql');
    expect([commands.length, operations.length]).toEqual([6, 3]);

    const script = commands
      .map(({ code, response }) =>
        response === null ? code : `ANSWER=$(${code.trim()})\nprintf '%s\\n' "$ANSWER"`,
      )
      .join('\n')
      .replaceAll('map-locations ', `'${process.execPath}' '${PROGRAM}' `)
      .replaceAll('http://127.0.0.1:4000', server.url)
      .replaceAll('curl ', 'curl --silent --show-error --max-time 20 ');
    const { code, stdout, stderr } = await runShell(`set -eu\n${script}\necho "$TOKEN $MAP"`, {
      cwd,
      env: { DATABASE_URL: 'sqlite:store.db' },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/error/i) });
    const lines = stdout.trimEnd().split('\n');
    const [token = '', map = ''] = lines.pop()?.split(' ') ?? [];
    const responses = lines.map((line) => JSON.parse(line) as unknown);
    expect(responses).toEqual(
      commands.filter(({ response }) => response !== null).map(({ response }) => shapeOf(response)),
    );

    const { data: made } = responses[1] as { data: { id: string } };
    for (const { code: query, response: expected } of operations) {
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { map, location: made.id } }),
      });
      const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
      // The guide leaves out an error's position in the document.
      expect(errors === undefined ? data : { errors }).toMatchObject(shapeOf(expected) as object);
    }
    await server.stop();
  });
});
