/**
 * Measures the cost of subscribers and the latency of notifications: `node scripts/live-cost.mjs [websocket|sse]
 * [number …]`, after `npm run build`. Starts the built server on a temporary store, warms it with some thousand
 * requests, and prints a line of JSON for each number of subscribers: the resident memory they add while idle, the
 * milliseconds from a change's request to its last subscriber, and the server's processor time per change.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';

import { WebSocket } from 'ws';

const PROGRAM = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const QUERY = `subscription ($mapId: ID!) {
  locationChanges(mapId: $mapId) { cursor kind locationId location { id name latitude longitude properties } }
}`;
const CHANGES = 20;
/** Enough for the heap to reach its working size. In a new process any burst of requests makes it grow. */
const WARMING_REQUESTS = 3_000;
const AT_ONCE = 50;
/** Milliseconds until the server's memory settles: V8 returns memory after a burst only when idle for long. */
const SETTLE_MS = 30_000;
/** Clock ticks per second (sysconf(_SC_CLK_TCK) on Linux). */
const TICKS = 100;

const [transport = 'websocket', ...numbers] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'map-locations-live-'));
const { PATH, HOME } = process.env;
const server = spawn(process.execPath, [PROGRAM, 'serve'], {
  cwd: folder,
  env: {
    PATH,
    HOME,
    PORT: '0',
    DEMO: '0',
    DATABASE_URL: 'sqlite:store.db',
    RATE_LIMIT: '0',
    NODE_ENV: 'production',
  },
  stdio: ['ignore', 'ignore', 'pipe'],
});
try {
  const url = await listening();
  const { token, mapId } = await prepare(url);
  await warm(url, token);
  // Modules that the first subscriber loads do not count.
  await measure(url, token, mapId, 1);
  for (const number of numbers.length === 0 ? [1, 100, 1_000] : numbers.map(Number)) {
    console.log(JSON.stringify(await measure(url, token, mapId, number)));
  }
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

async function listening() {
  let text = '';
  for await (const chunk of server.stderr) {
    text += chunk;
    const url = /Server listening at (http:[^"]+)/.exec(text)?.[1];
    if (url !== undefined) {
      server.stderr.resume();
      return url;
    }
  }
  throw new Error(text);
}

async function prepare(url) {
  const run = spawn(process.execPath, [PROGRAM, 'token', 'create', '--owner', 'x'], {
    cwd: folder,
    env: { PATH, HOME, DATABASE_URL: 'sqlite:store.db' },
  });
  let token = '';
  for await (const chunk of run.stdout) token += chunk;
  token = token.trim();
  const { createMap } = await execute(
    url,
    token,
    'mutation { createMap(input: { name: "M" }) { map { id } } }',
  );
  return { token, mapId: createMap.map.id };
}

async function execute(url, token, query, variables) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

async function warm(url, token) {
  const query = '{ viewer { owner maps { nodes { id name locations { nodes { id name } } } } } }';
  for (let count = 0; count < WARMING_REQUESTS; count += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => execute(url, token, query)));
  }
}

async function measure(url, token, mapId, number) {
  const before = await settledMemory();
  let received = 0;
  let wake = () => {};
  const onEvent = () => {
    received += 1;
    wake();
  };
  const untilReceived = async (count) => {
    while (received < count) {
      await new Promise((resolve) => {
        wake = resolve;
      });
    }
  };
  const open = transport === 'sse' ? openStream : openSocket;
  const closes = [];
  for (let index = 0; index < number; index += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, number - index) }, () =>
      open(url, token, mapId, onEvent),
    );
    closes.push(...(await Promise.all(some)));
  }
  // Each subscriber first receives the event to read the map.
  await untilReceived(number);
  const idle = await settledMemory();
  const latencies = [];
  const ticks = processorTicks();
  for (let count = 0; count < CHANGES; count += 1) {
    const begun = performance.now();
    const expected = received + number;
    const created = execute(
      url,
      token,
      'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }',
      { input: { mapId, fields: { Name: 'N', Address: 'A' }, position: { latitude: 1, longitude: 2 } } },
    );
    await untilReceived(expected);
    latencies.push(performance.now() - begun);
    await created;
  }
  const processorMs = ((processorTicks() - ticks) * 1_000) / TICKS / CHANGES;
  for (const close of closes) close();
  latencies.sort((a, b) => a - b);
  return {
    transport,
    subscribers: number,
    idleMB: round((idle - before) / 1e6),
    kBEach: round((idle - before) / 1e3 / number),
    medianMs: round(latencies[CHANGES / 2]),
    longestMs: round(latencies.at(-1)),
    processorMsOfChange: round(processorMs),
  };
}

async function openSocket(url, token, mapId, onEvent) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
  await once(socket, 'message');
  socket.on('message', (data) => {
    const text = String(data);
    if (text.includes('"type":"next"')) onEvent();
    else if (text.includes('"type":"ping"')) socket.send('{"type":"pong"}');
  });
  socket.send(
    JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY, variables: { mapId } } }),
  );
  return () => socket.terminate();
}

function openStream(url, token, mapId, onEvent) {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/graphql`, {
      method: 'POST',
      agent: false,
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.setEncoding('utf8');
      response.on('error', () => {});
      response.on('data', (chunk) => {
        chunk.match(/^event: next$/gm)?.forEach(onEvent);
      });
      resolve(() => sent.destroy());
    });
    sent.end(JSON.stringify({ query: QUERY, variables: { mapId } }));
  });
}

/** Resident memory in bytes, once it has settled. */
async function settledMemory() {
  await delay(SETTLE_MS);
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1];
  return Number(kilobytes) * 1_024;
}

function processorTicks() {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function round(value) {
  return Math.round(value * 100) / 100;
}
