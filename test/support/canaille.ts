/** Canaille, a real identity provider with accounts and passwords (.ci/canaille installs it). */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { exportJWK, generateKeyPair } from 'jose';

import { freePort } from './free-port.ts';
import { createFolder, delay, runCommand, spawnCommand } from './program.ts';
import type { Reason } from './skip.ts';

/** The folder that .ci/canaille prints. */
const HOME = process.env['TEST_CANAILLE'];

export const NO_CANAILLE: Reason =
  HOME !== undefined && existsSync(join(HOME, 'complete'))
    ? undefined
    : 'needs Canaille: set TEST_CANAILLE to the folder that .ci/canaille prints';

const START_TIMEOUT_MS = 60_000;

export interface CanailleClient {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
  readonly signedOutUri: string;
  /** Without one, id tokens have no audience. */
  readonly hasAudience: boolean;
}

export interface CanailleUser {
  readonly name: string;
  readonly password: string;
  readonly fullName: string;
}

/** Starts a provider with these users and one client, which ends with the test's process. */
export async function startCanaille(
  client: CanailleClient,
  users: readonly CanailleUser[],
): Promise<{ readonly issuer: string }> {
  if (HOME === undefined) throw new Error(String(NO_CANAILLE));
  const program = join(HOME, 'venv/bin/canaille');
  const port = await freePort();
  const folder = createFolder();
  const config = join(folder, 'canaille.toml');
  // Not 127.0.0.1, where the server under test is: to a browser they are different sites.
  const host = `localhost:${port}`;
  writeFileSync(config, await configOf(host, join(folder, 'canaille.sqlite')));
  const options = { cwd: folder, env: { CANAILLE_CONFIG: config } };
  const canaille = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(program, args, options);
    if (code !== 0) throw new Error(`canaille ${args.slice(0, 2).join(' ')}: ${stdout}${stderr}`);
  };
  await canaille('db', 'upgrade');
  for (const user of users) await canaille('create', 'user', ...userOptions(user));
  await canaille('create', 'client', ...clientOptions(client));
  if (client.hasAudience) await canaille('set', 'client', client.id, '--audience', client.id);
  const log = join(folder, 'log');
  spawnCommand(program, ['run', '--bind', `127.0.0.1:${port}`, '--errorlog', log], options);
  const issuer = `http://${host}`;
  await reached(`${issuer}/.well-known/openid-configuration`, () =>
    existsSync(log) ? readFileSync(log, 'utf8') : '',
  );
  return { issuer };
}

async function configOf(host: string, database: string): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = Object.entries({ ...(await exportJWK(privateKey)), kid: 'first' });
  return [
    `SECRET_KEY = "for these tests only"`,
    `SERVER_NAME = "${host}"`,
    `PREFERRED_URL_SCHEME = "http"`,
    `[CANAILLE]`,
    `DATABASE = "sql"`,
    `JAVASCRIPT = false`,
    `HTMX = false`,
    `[CANAILLE_SQL]`,
    `DATABASE_URI = "sqlite:///${database}"`,
    `[CANAILLE_OIDC]`,
    `ACTIVE_JWKS = [{${key.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(', ')}}]`,
  ].join('\n');
}

function userOptions({ name, password, fullName }: CanailleUser): readonly string[] {
  const names = ['--formatted-name', fullName, '--family-name', fullName.split(' ').at(-1) ?? fullName];
  return ['--user-name', name, '--password', password, ...names, '--emails', `${name}@example.org`];
}

function clientOptions({ id, secret, redirectUri, signedOutUri }: CanailleClient): readonly string[] {
  const scopes = ['openid', 'profile', 'email'].flatMap((scope) => ['--scope', scope]);
  const secrets = ['--client-secret', secret, '--token-endpoint-auth-method', 'client_secret_basic'];
  const uris = ['--redirect-uris', redirectUri, '--post-logout-redirect-uris', signedOutUri];
  const flow = ['--grant-types', 'authorization_code', '--response-types', 'code'];
  return ['--client-id', id, '--client-name', 'Map Locations', ...secrets, ...uris, ...flow, ...scopes];
}

async function reached(url: string, log: () => string): Promise<void> {
  const end = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok === true) return;
    if (performance.now() > end) throw new Error(`Canaille does not start: ${log()}`);
    await delay(100);
  }
}
