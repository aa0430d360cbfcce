/** Attacks on signing in, against two worker processes of the built program. docs/security.md lists them. */

import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { findCanaries, findInFiles, makeCanary } from '../../support/canaries.ts';
import type { Server, Settings } from '../../support/program.ts';
import { createFolder, killPrograms, runProgram, startPlainServer } from '../../support/program.ts';
import { inStore } from '../prepared-map.ts';

afterAll(killPrograms);

const PASSWORD = 'correct horse battery';

interface Response {
  readonly status: number;
  readonly text: string;
  /** `NAME=SECRET`; undefined without one. */
  readonly cookie: string | undefined;
}

interface Sender {
  /** The address of the client. */
  readonly from?: string | undefined;
  readonly cookie?: string | undefined;
  readonly authorization?: string | undefined;
}

let cwd: string;
let server: Server;

async function start(settings: Settings = {}): Promise<void> {
  cwd = createFolder();
  const env = {
    WORKERS: '2',
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'trace',
    AUDIT_LOG: join(cwd, 'audit.log'),
  };
  server = await startPlainServer(cwd, { ...env, ...settings });
}

afterEach(async () => {
  await server.stop();
});

/** A request from the server's own page, on a connection of its own, so that both workers get some. */
function send(
  path: string,
  body: unknown,
  { from = '192.0.2.1', cookie, authorization }: Sender = {},
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': from,
      ...(cookie !== undefined && { cookie }),
      ...(authorization !== undefined && { authorization }),
    };
    const sent = request(server.url + path, { method: 'POST', headers, agent: false }, (response) => {
      text(response).then(
        (got) =>
          resolve({
            status: response.statusCode ?? 0,
            text: got,
            cookie: response.headers['set-cookie']?.[0]?.split(';')[0],
          }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

const signIn = (name: string, password: string, from?: string) =>
  send('/auth/sign-in', { name, password }, { from });

/** The link that the command prints. */
async function secretFor(command: 'create' | 'reset', name: string): Promise<string> {
  const { stdout } = await runProgram(['account', command, name], {
    cwd,
    env: { DATABASE_URL: 'sqlite:store.db' },
  });
  const secret = /#(?:setup|reset)=(\S+)/.exec(stdout)?.[1];
  if (secret === undefined) throw new Error(`There is no link: ${stdout}`);
  return secret;
}

async function makeAccount(name: string): Promise<void> {
  const response = await send('/auth/setup', { secret: await secretFor('create', name), password: PASSWORD });
  if (response.status !== 200) throw new Error(response.text);
}

async function viewerOf(cookie: string | undefined): Promise<string | null> {
  const { text: body } = await send('/graphql', { query: '{ viewer { owner } }' }, { cookie });
  return JSON.parse(body).data.viewer?.owner ?? null;
}

/** How often each status was there. */
function countsOf(responses: readonly Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The processes that have served requests. */
const servers = () =>
  new Set(
    server
      .log()
      .filter(({ msg }) => /^Request completed/.test(String(msg)))
      .map(({ pid }) => pid),
  );

describe('brute force against two workers', () => {
  beforeEach(() => start());

  it('gets ten guesses from one address, over however many names', async () => {
    await makeAccount('alice');
    const guesses = Array.from({ length: 24 }, (_, index) =>
      signIn(`name ${index}`, 'a wrong guess', '203.0.113.1'),
    );
    expect(countsOf(await Promise.all(guesses))).toEqual({ 401: 10, 429: 14 });
    expect((await signIn('alice', PASSWORD, '203.0.113.1')).status).toBe(429);
    // Nobody else is locked out.
    expect((await signIn('alice', PASSWORD, '203.0.113.2')).status).toBe(200);
    expect(servers().size).toBe(2);
  });

  it('gets ten guesses at one name, from however many addresses, and ends no session', async () => {
    await makeAccount('alice');
    const { cookie } = await signIn('alice', PASSWORD);
    const guesses = Array.from({ length: 24 }, (_, index) =>
      signIn('alice', 'a wrong guess', `203.0.113.${index}`),
    );
    expect(countsOf(await Promise.all(guesses))).toEqual({ 401: 10, 429: 14 });
    expect((await signIn('alice', PASSWORD, '203.0.113.99')).status).toBe(429);
    expect(await viewerOf(cookie)).toBe('alice');
    expect(servers().size).toBe(2);
  });
});

describe('a link that is used by several at the same time', () => {
  beforeEach(() => start());

  it.each(['setup', 'reset'] as const)('sets one password: %s', async (purpose) => {
    if (purpose === 'reset') await makeAccount('alice');
    const secret = await secretFor(purpose === 'setup' ? 'create' : 'reset', 'alice');
    const passwords = Array.from({ length: 8 }, (_, index) => `password number ${index}`);
    const responses = await Promise.all(
      passwords.map((password) => send(`/auth/${purpose}`, { secret, password })),
    );
    expect(countsOf(responses)).toEqual({ 200: 1, 404: 7 });
    const winner = responses.findIndex(({ status }) => status === 200);
    expect(await viewerOf(responses[winner]?.cookie)).toBe('alice');
    const tries = await Promise.all(passwords.map((password) => signIn('alice', password)));
    expect(tries.map(({ status }) => status === 200)).toEqual(passwords.map((_, index) => index === winner));
    expect(servers().size).toBe(2);
  });

  it('sets none for an account that was disabled after it was made, also when it is enabled again', async () => {
    await makeAccount('alice');
    const secret = await secretFor('reset', 'alice');
    await inStore(cwd, ({ services }) => services.accounts.disable('alice'));
    const use = async () => [
      (await send('/auth/link', { secret })).status,
      (await send('/auth/reset', { secret, password: 'another password' })).status,
    ];
    expect(await use()).toEqual([404, 404]);
    await inStore(cwd, ({ services }) => services.accounts.enable('alice'));
    expect(await use()).toEqual([404, 404]);
  });
});

/** Makes an invitation and a link to a map, uses them, and adds their secrets. */
async function shareByLinks(secrets: Record<string, string>, cookie: string): Promise<void> {
  const run = async (query: string, headers: { cookie?: string; authorization?: string }) => {
    const { text: body } = await send('/graphql', { query }, headers);
    const { data, errors } = JSON.parse(body);
    if (errors !== undefined) throw new Error(body);
    return data;
  };
  const { map } = (await run('mutation { createMap(input: { name: "Shared" }) { map { id } } }', { cookie }))
    .createMap;
  const invited = await run(
    `mutation { createInvitation(input: { mapId: "${map.id}", role: editor }) { link } }`,
    { cookie },
  );
  secrets['invitation'] = String(invited.createInvitation.link).split('#join=')[1] ?? '';
  await run(`{ invitation(secret: "${secrets['invitation']}") { mapName } }`, {});
  const made = await run(
    `mutation { createMapLink(input: { mapId: "${map.id}", scope: edit, name: "Volunteers" }) { secret mapLink { id } } }`,
    { cookie },
  );
  secrets['link to a map'] = made.createMapLink.secret;
  await run(
    `mutation { createLocation(input: { mapId: "${map.id}", fields: { Name: "Kiosk", Address: "Lisboa, Portugal" } }) { location { id } } }`,
    { authorization: `Bearer ${secrets['link to a map']}` },
  );
  const replaced = await run(
    `mutation { replaceMapLink(input: { mapId: "${map.id}", id: "${made.createMapLink.mapLink.id}" }) { secret } }`,
    { cookie },
  );
  secrets['replaced link to a map'] = replaced.replaceMapLink.secret;
}

describe('secrets', () => {
  it('of signing in and of links are in no log, and in no file of the store', async () => {
    await start();
    const secrets: Record<string, string> = {
      password: makeCanary(),
      'another password': makeCanary(),
      'the last password': makeCanary(),
      'wrong password': makeCanary(),
      'password in the field of the name': makeCanary(),
      'secret that does not exist': makeCanary(),
    };
    const { password, 'another password': another, 'the last password': last } = secrets;
    const keep = (name: string, { cookie }: Response) => {
      if (cookie === undefined) throw new Error(`There is no cookie of ${name}.`);
      secrets[name] = cookie.split('=')[1] ?? '';
      return cookie;
    };
    secrets['setup link'] = await secretFor('create', 'alice');
    keep('session of the setup', await send('/auth/setup', { secret: secrets['setup link'], password }));
    await signIn('alice', secrets['wrong password'] ?? '');
    await signIn(secrets['password in the field of the name'] ?? '', 'x');
    await send('/auth/reset', { secret: secrets['secret that does not exist'], password });
    await send('/auth/nothing', { password });
    const cookie = keep('session of the password', await signIn('alice', password ?? ''));
    const changePassword = `mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { endedIds } }`;
    const changed = await send(
      '/graphql',
      { query: changePassword, variables: { input: { currentPassword: password, newPassword: another } } },
      { cookie },
    );
    expect(JSON.parse(changed.text).errors).toBeUndefined();
    await send(
      '/graphql',
      {
        query: changePassword,
        variables: { input: { currentPassword: secrets['wrong password'], newPassword: last } },
      },
      { cookie },
    );
    await shareByLinks(secrets, cookie);
    secrets['reset link'] = await secretFor('reset', 'alice');
    keep(
      'session of the reset',
      await send('/auth/reset', { secret: secrets['reset link'], password: last }),
    );
    await server.stop();
    expect(Object.keys(secrets)).toHaveLength(14);
    expect(findCanaries(secrets, server.stderr() + server.stdout())).toEqual([]);
    expect(findInFiles(secrets, cwd)).toEqual({});
    const lines = readFileSync(join(cwd, 'audit.log'), 'utf8');
    for (const operation of ['setUpAccount', 'signIn', 'signInFailed', 'changePassword', 'resetPassword']) {
      expect(lines).toContain(`"operation":"${operation}"`);
    }
  });
});
