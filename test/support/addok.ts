/**
 * Addok, a real geocoder that speaks GeocodeJSON, over addresses of our own. It is configured, filled and started as by
 * deploy/geocoders/addok.yaml, without Docker (.ci/addok installs it).
 */

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { freePort } from './free-port.ts';
import { createFolder, delay, ROOT, runCommand, spawnCommand } from './program.ts';
import type { Reason } from './skip.ts';

/** The folder that .ci/addok prints. */
const HOME = process.env['TEST_ADDOK'];

export const NO_ADDOK: Reason =
  HOME !== undefined && existsSync(join(HOME, 'complete'))
    ? undefined
    : 'needs Addok: set TEST_ADDOK to the folder that .ci/addok prints';

export interface Street {
  readonly name: string;
  readonly city: string;
  readonly postcode: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Points by house number. */
  readonly houses: Readonly<Record<string, readonly [latitude: number, longitude: number]>>;
}

export interface Town {
  readonly name: string;
  readonly postcode: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface Addok {
  readonly url: string;
}

const START_TIMEOUT_MS = 30_000;

const IMAGE = join(ROOT, 'deploy/geocoders/addok');

/** Starts Redis and Addok; both end with the test's process. */
export async function startAddok(towns: readonly Town[], streets: readonly Street[]): Promise<Addok> {
  if (HOME === undefined) throw new Error(String(NO_ADDOK));
  const [redisPort, port] = [await freePort(), await freePort()];
  const env = {
    PATH: `${join(HOME, 'venv/bin')}:${process.env['PATH']}`,
    LD_LIBRARY_PATH: join(HOME, 'lib'),
    ADDOK_CONFIG_MODULE: join(IMAGE, 'addok.conf'),
    REDIS_HOST: '127.0.0.1',
    REDIS_PORT: String(redisPort),
  };
  const options = { cwd: createFolder(), env };
  const address = ['--port', String(redisPort), '--bind', '127.0.0.1'];
  spawnCommand(join(HOME, 'redis-server'), [...address, '--save', ''], options);
  const lines = [...towns.map(townLine), ...streets.map(streetLine)].join('\n');
  const data = await serveFile(gzipSync(lines));
  try {
    const importing = { ...options, env: { ...env, ADDOK_DATA: data.url } };
    await retried(() => run('python', [join(IMAGE, 'import.py')], importing));
  } finally {
    data.close();
  }
  const bound = commandOfImage().map((arg) => (arg === '0.0.0.0:7878' ? `127.0.0.1:${port}` : arg));
  const [command = '', ...args] = bound;
  spawnCommand(command, args, options);
  const url = `http://127.0.0.1:${port}`;
  await retried(async () => {
    const response = await fetch(`${url}/health`);
    if (!response.ok) throw new Error(`Addok responds with ${response.status}.`);
  });
  return { url };
}

function commandOfImage(): readonly string[] {
  const [, command = '[]'] = /^CMD (.+)$/m.exec(readFileSync(join(IMAGE, 'Dockerfile'), 'utf8')) ?? [];
  return JSON.parse(command) as string[];
}

async function serveFile(bytes: Buffer) {
  const server = createServer((_request, response) => void response.end(bytes)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/addresses.ndjson.gz`, close: () => void server.close() };
}

function townLine({ name, postcode, latitude, longitude }: Town, index: number): string {
  const id = `town-${index}`;
  const place = { name, postcode, city: name, lat: latitude, lon: longitude };
  return JSON.stringify({ id, type: 'municipality', ...place, importance: 1 });
}

function streetLine({ name, city, postcode, latitude, longitude, houses }: Street, index: number): string {
  const housenumbers = Object.fromEntries(
    Object.entries(houses).map(([number, [lat, lon]]) => [number, { lat, lon }]),
  );
  const place = { name, postcode, city, lat: latitude, lon: longitude };
  return JSON.stringify({ id: `street-${index}`, type: 'street', ...place, importance: 0.5, housenumbers });
}

async function run(command: string, args: readonly string[], options: { cwd: string; env: object }) {
  const { code, stdout, stderr } = await runCommand(command, args, options as never);
  if (code !== 0 || stderr.includes('Error'))
    throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
}

/** Repeats what fails until the servers have started. */
async function retried(work: () => Promise<void>): Promise<void> {
  const end = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(100);
    }
  }
}
