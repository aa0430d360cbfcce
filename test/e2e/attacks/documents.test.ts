/** Documents of strangers, who need no token to send them: what is kept of them, and what they cost. */

import type { Server } from '../../support/program.ts';
import { createFolder, killPrograms, startPlainServer } from '../../support/program.ts';
import { processorMs, residentMb } from './process-memory.ts';

afterAll(killPrograms);

const MEGABYTE = 1024 * 1024;
/** Little, so that few documents are needed to fill it. */
const KEPT_MB = 4;
/**
 * The rest is garbage that the heap has not collected yet: up to 112 MB were seen, of which a collection left 2. Once 90
 * bytes were kept of each line of comments, which would be 580 MB here.
 */
const MOST_MB = KEPT_MB + 150;

interface Outcome {
  readonly status: number;
  readonly text: string;
}

describe('documents that nobody has sent before', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startPlainServer(createFolder(), { OPERATIONS_MEMORY: String(KEPT_MB * MEGABYTE) });
    await send('{ __typename }');
  });

  async function send(query: string): Promise<Outcome> {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return { status: response.status, text: await response.text() };
  }

  /** @returns how much memory the server has come to hold, MB */
  async function growthOf(count: number, documentOf: (index: number) => string): Promise<number> {
    const before = residentMb(server.pid);
    for (let index = 0; index < count; index += 1) await send(documentOf(index));
    return residentMb(server.pid) - before;
  }

  /** @returns milliseconds of processor that each of them took: that is no more where other processes are busy */
  async function costOf(count: number, documentOf: (index: number) => string): Promise<number> {
    const before = processorMs(server.pid);
    for (let index = 0; index < count; index += 1) await send(documentOf(index));
    return (processorMs(server.pid) - before) / count;
  }

  it('are refused before they are read where they have more than 131,072 characters', async () => {
    for (const filling of ['#\n'.repeat(345_000), ' '.repeat(900_000)]) {
      const { status, text } = await send(`{ __typename }${filling}`);
      expect([status, JSON.parse(text).errors[0].extensions.code]).toEqual([400, 'GRAPHQL_PARSE_FAILED']);
      expect(text).toMatch(/characters; at most 131072/);
    }
  });

  const FILLINGS: Readonly<Record<string, (index: number) => string>> = {
    'lines of comments': (index) => `{ a${index}: __typename }${'#\n'.repeat(65_000)}`,
    // A character that is not of Latin-1 makes each of the blanks two bytes.
    blanks: (index) => `{ b${index}: __typename }#京\n${' '.repeat(130_000)}`,
    'as many nodes as they may have': (index) =>
      `{ c${index}: viewer { maps { nodes { ${'owner: id '.repeat(199)} } } } nodes(ids: [${'"x" '.repeat(6_000)}]) { id } }`,
  };
  for (const [name, documentOf] of Object.entries(FILLINGS)) {
    it(`do not fill the memory: ${name}`, async () => {
      expect(await growthOf(name === 'blanks' ? 400 : 100, documentOf)).toBeLessThan(MOST_MB);
    });
  }

  it('do not fill the memory, however many are sent', async () => {
    const before = residentMb(server.pid);
    const fields = Array.from({ length: 20 }, (_, index) => `f${index}: __typename`).join(' ');
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let index = 0; index < 750; index += 1)
        await send(`{ d${client}_${index}: __typename ${fields} }`);
    });
    await Promise.all(clients);
    expect(residentMb(server.pid) - before).toBeLessThan(MOST_MB);
  });

  it('are refused before they are validated where they have more than 50 root fields', async () => {
    const query = `{ ${'node(id: "1") { id } '.repeat(880)} }`;
    for (let index = 0; index < 20; index += 1) await send(`${query} # warm ${index}`);
    const { status, text } = await send(query);
    expect([status, JSON.parse(text).errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    expect(text).toMatch(/880 root fields; at most 50/);
    // 50 ms each would hold up others; what is left is reading them, and the request around it.
    expect(await costOf(50, (index) => `${query} # ${index}`)).toBeLessThan(50);
  });

  it('cost little where they ask for the schema again and again', async () => {
    const whole =
      '{ types { name description fields { name description args { name description type { name } } type { name } } } }';
    const query = `{ ${Array.from({ length: 49 }, (_, index) => `s${index}: __schema ${whole}`).join(' ')} }`;
    const { status, text } = await send(query);
    expect([status, text.length < MEGABYTE]).toEqual([400, true]);
    expect(text).toMatch(/more than 20000 values/);
    expect(await costOf(30, (index) => `${query} # ${index}`)).toBeLessThan(60);
  });
});
