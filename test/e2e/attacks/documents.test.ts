/** Documents from unauthenticated clients: the memory and processor time they cost. */

import type { Server } from '../../support/program.ts';
import { createFolder, killPrograms, startPlainServer } from '../../support/program.ts';
import { processorMs, residentMb } from './process-memory.ts';

afterAll(killPrograms);

const MEGABYTE = 1024 * 1024;
/** Small, so that few documents fill the cache. */
const KEPT_MB = 4;
/**
 * The rest is uncollected garbage: we measured up to 112 MB, 2 MB after a collection. An old fault kept 90 bytes per line
 * of comments, which would be 580 MB here.
 */
const MOST_MB = KEPT_MB + 150;

interface Outcome {
  readonly status: number;
  readonly text: string;
}

describe('new documents', () => {
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

  /** @returns the growth of the server's memory, MB */
  async function growthOf(count: number, documentOf: (index: number) => string): Promise<number> {
    const before = residentMb(server.pid);
    for (let index = 0; index < count; index += 1) await send(documentOf(index));
    return residentMb(server.pid) - before;
  }

  /** @returns processor milliseconds per document, which does not depend on the load of the machine */
  async function costOf(count: number, documentOf: (index: number) => string): Promise<number> {
    const before = processorMs(server.pid);
    for (let index = 0; index < count; index += 1) await send(documentOf(index));
    return (processorMs(server.pid) - before) / count;
  }

  it('over 131,072 characters are refused before parsing', async () => {
    for (const filling of ['#\n'.repeat(345_000), ' '.repeat(900_000)]) {
      const { status, text } = await send(`{ __typename }${filling}`);
      expect([status, JSON.parse(text).errors[0].extensions.code]).toEqual([400, 'GRAPHQL_PARSE_FAILED']);
      expect(text).toMatch(/characters; at most 131072/);
    }
  });

  const FILLINGS: Readonly<Record<string, (index: number) => string>> = {
    'lines of comments': (index) => `{ a${index}: __typename }${'#\n'.repeat(65_000)}`,
    // One character outside Latin-1 makes each blank take two bytes.
    blanks: (index) => `{ b${index}: __typename }#京\n${' '.repeat(130_000)}`,
    'the maximum number of nodes': (index) =>
      `{ c${index}: viewer { maps { nodes { ${'owner: id '.repeat(199)} } } } nodes(ids: [${'"x" '.repeat(6_000)}]) { id } }`,
  };
  for (const [name, documentOf] of Object.entries(FILLINGS)) {
    it(`do not fill the memory: ${name}`, async () => {
      expect(await growthOf(name === 'blanks' ? 400 : 100, documentOf)).toBeLessThan(MOST_MB);
    });
  }

  it('do not fill the memory, however many there are', async () => {
    const before = residentMb(server.pid);
    const fields = Array.from({ length: 20 }, (_, index) => `f${index}: __typename`).join(' ');
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let index = 0; index < 750; index += 1)
        await send(`{ d${client}_${index}: __typename ${fields} }`);
    });
    await Promise.all(clients);
    expect(residentMb(server.pid) - before).toBeLessThan(MOST_MB);
  });

  it('with more than 50 root fields are refused before validation', async () => {
    const query = `{ ${'node(id: "1") { id } '.repeat(880)} }`;
    for (let index = 0; index < 20; index += 1) await send(`${query} # warm ${index}`);
    const { status, text } = await send(query);
    expect([status, JSON.parse(text).errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    expect(text).toMatch(/880 root fields; at most 50/);
    // 50 ms each would delay other clients; what remains is the parse and the request around it.
    expect(await costOf(50, (index) => `${query} # ${index}`)).toBeLessThan(50);
  });

  it('cost little when they request the schema many times', async () => {
    const whole =
      '{ types { name description fields { name description args { name description type { name } } type { name } } } }';
    const query = `{ ${Array.from({ length: 49 }, (_, index) => `s${index}: __schema ${whole}`).join(' ')} }`;
    const { status, text } = await send(query);
    expect([status, text.length < MEGABYTE]).toEqual([400, true]);
    expect(text).toMatch(/more than 20000 values/);
    expect(await costOf(30, (index) => `${query} # ${index}`)).toBeLessThan(60);
  });
});
