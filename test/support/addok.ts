/** Addok, a real geocoder that speaks GeocodeJSON, over addresses of our own (.ci/addok prepares it). */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from './free-port.ts';
import { createFolder, delay, runCommand, spawnCommand } from './program.ts';
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

/** Starts Redis and Addok; both end with the test's process. */
export async function startAddok(towns: readonly Town[], streets: readonly Street[]): Promise<Addok> {
  if (HOME === undefined) throw new Error(String(NO_ADDOK));
  const folder = createFolder();
  const [redisPort, port] = [await freePort(), await freePort()];
  writeFileSync(
    join(folder, 'conf.py'),
    `REDIS = {'host': '127.0.0.1', 'port': ${redisPort}, 'indexes': {'db': 0}, 'documents': {'db': 1}}\nLOG_DIR = '${folder}'\n`,
  );
  writeFileSync(join(folder, 'data.json'), [...towns.map(townLine), ...streets.map(streetLine)].join('\n'));
  const env = { ADDOK_CONFIG_MODULE: join(folder, 'conf.py'), LD_LIBRARY_PATH: join(HOME, 'lib') };
  const options = { cwd: folder, env };
  const address = ['--port', String(redisPort), '--bind', '127.0.0.1'];
  spawnCommand(join(HOME, 'redis-server'), [...address, '--save', ''], options);
  const addok = join(HOME, 'venv/bin/addok');
  await retried(() => run(addok, ['batch', 'data.json'], options));
  await run(addok, ['ngrams'], options);
  spawnCommand(addok, ['serve', '--host', '127.0.0.1', '--port', String(port)], options);
  const url = `http://127.0.0.1:${port}`;
  await retried(async () => {
    const response = await fetch(`${url}/search?q=x`);
    if (!response.ok) throw new Error(`Addok responds with ${response.status}.`);
  });
  return { url };
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
