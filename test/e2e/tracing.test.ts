/** A started server with and without an OpenTelemetry SDK. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { createFolder, killPrograms, ROOT, startPlainServer } from '../support/program.ts';

const SDK = join(ROOT, 'test/support/tracing-sdk.mjs');
const LOADED_MODULES = join(ROOT, 'test/support/loaded-modules.mjs');
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

afterAll(killPrograms);

const importing = (...files: string[]) => ({
  NODE_OPTIONS: files.map((file) => `--import=${pathToFileURL(file).href}`).join(' '),
});

interface SpanLine {
  readonly pid: number;
  readonly name: string;
  readonly traceId: string;
  readonly parent: string | null;
}

const linesOf = (file: string) => readFileSync(file, 'utf8').trim().split('\n');

/** The modules that a server has loaded after a query: its own and those of OpenTelemetry. */
async function modulesOf(...files: string[]) {
  const cwd = createFolder();
  const modules = join(cwd, 'modules');
  const env = {
    MODULES_FILE: modules,
    SPANS_FILE: join(cwd, 'spans'),
    ...importing(LOADED_MODULES, ...files),
  };
  const server = await startPlainServer(cwd, env);
  await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ __typename }"}',
  });
  await server.stop();
  const loaded = linesOf(modules).filter((url) => url.startsWith('file:'));
  return loaded.map((url) => ({ url, text: readFileSync(fileURLToPath(url), 'utf8') }));
}

/** Recognizes a copy of the API by its proxy class, which our own modules do not name. */
const isApi = ({ text }: { readonly text: string }) => text.includes('ProxyTracerProvider');

describe('without an SDK', () => {
  it('no module of OpenTelemetry is loaded', async () => {
    const modules = await modulesOf();
    expect(modules.length).toBeGreaterThan(10);
    expect(modules.filter(isApi).map(({ url }) => url)).toEqual([]);
  });
});

describe.each(['1', '2'])('with an SDK, and WORKERS=%s', (workers) => {
  it('requests are traced, log lines name their spans, and the exit flushes the last spans', async () => {
    const cwd = createFolder();
    const file = join(cwd, 'spans');
    const server = await startPlainServer(cwd, {
      ...importing(SDK),
      SPANS_FILE: file,
      WORKERS: workers,
      LOG_LEVEL: 'debug',
    });
    const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    expect((await fetch(`${server.url}/v0/map/x`, { headers })).status).toBe(401);
    expect(await server.stop()).toMatchObject({ code: 0 });
    const spans = linesOf(file).map((line) => JSON.parse(line) as SpanLine);
    expect(spans.filter(({ traceId }) => traceId === TRACE)).toMatchObject([
      { name: 'GET /v0/map/:mapId', parent: '00f067aa0ba902b7' },
    ]);
    expect(server.log().filter(({ msg }) => msg === 'Request completed')).toEqual(
      expect.arrayContaining([expect.objectContaining({ trace_id: TRACE, status: 401 })]),
    );
    if (workers === '1') expect(spans.map(({ pid }) => pid)).toEqual(spans.map(() => server.pid));
    else expect(spans.map(({ pid }) => pid)).not.toContain(server.pid);
  });
});

describe('with an SDK', () => {
  it('its copy of the API and ours are both loaded', async () => {
    const apis = (await modulesOf(SDK)).filter(isApi).map(({ url }) => url);
    expect(apis).toEqual(expect.arrayContaining([expect.stringMatching(/\/dist\/chunks\//)]));
  });
});
