/** The package as npm would publish it. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Run } from './program.ts';
import { ROOT, runCommand } from './program.ts';

const TIMEOUT_MS = 240_000;

const { npm_config_registry: registry, npm_config_cache: cache } = process.env;

export const NPM_ENV = {
  npm_config_registry: registry,
  npm_config_cache: cache,
  npm_config_update_notifier: 'false',
};

export interface Packed {
  /** The tarball. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly entryCount: number;
}

export function runNpm(args: readonly string[], cwd: string, timeoutMs = TIMEOUT_MS): Promise<Run> {
  return runCommand('npm', args, { cwd, env: NPM_ENV, timeoutMs });
}

/** Packs the existing build, which the other tests run. */
export async function packPackage(folder: string): Promise<Packed> {
  const run = await runNpm(
    ['pack', '--ignore-scripts', '--json', '--pack-destination', folder, ROOT],
    folder,
  );
  if (run.code !== 0) throw new Error(`npm pack failed: ${run.stderr}`);
  const [{ filename, size, entryCount }] = JSON.parse(run.stdout);
  return { path: join(folder, filename), size, entryCount };
}

/**
 * Unpacks the package as an installation would, without dependencies.
 *
 * @returns the folder of the package
 */
export async function unpackPackage({ path }: Packed, folder: string): Promise<string> {
  const target = join(folder, 'node_modules/@map-locations/server');
  mkdirSync(target, { recursive: true });
  const args = ['-xzf', path, '-C', target, '--strip-components=1'];
  const { code, stderr } = await runCommand('tar', args, { cwd: folder });
  if (code !== 0) throw new Error(`tar failed: ${stderr}`);
  return target;
}
