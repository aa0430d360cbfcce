/** After a kill during writes and a restart, each acknowledged write is there once, without manual repair. */

import { randomUUID } from 'node:crypto';

import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';

import type { Server } from '../support/program.ts';
import { createFolder, delay, killPrograms, startPlainServer } from '../support/program.ts';
import { PATIENCE_MS, until } from '../support/until.ts';
import type { PreparedMap } from './prepared-map.ts';
import { locationBody, prepareMap } from './prepared-map.ts';

const ROUNDS = 3;
const CLIENTS = 8;

afterAll(killPrograms);

interface Attempt {
  readonly name: string;
  readonly key: string | null;
  /** The body of the response; null where none came. */
  response: string | null;
}

interface Listed {
  readonly id: string;
  readonly name: string;
}

async function create(
  server: Server,
  { token, mapId }: PreparedMap,
  { name, key }: Attempt,
): Promise<string> {
  const response = await fetch(`${server.url}/v0/map/${mapId}/location`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key === null ? {} : { 'idempotency-key': key }),
    },
    body: locationBody(name),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return text;
}

/** Creates one location after another until the server dies; every second one with an idempotency key. */
async function createUntilKilled(
  server: Server,
  map: PreparedMap,
  client: string,
  attempts: Attempt[],
): Promise<void> {
  for (let index = 0; ; index += 1) {
    const key = index % 2 === 0 ? randomUUID() : null;
    const attempt: Attempt = { name: `${client} ${index}`, key, response: null };
    attempts.push(attempt);
    try {
      attempt.response = await create(server, map, attempt);
    } catch {
      return;
    }
  }
}

async function listAll(server: Server, { token, mapId }: PreparedMap): Promise<Listed[]> {
  const listed: Listed[] = [];
  let next: string | undefined = `${server.url}/v0/map/${mapId}/locations`;
  while (next !== undefined) {
    const response: Response = await fetch(next, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    listed.push(...((await response.json()) as Listed[]));
    next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return listed;
}

function idOf(response: string): string {
  return String(JSON.parse(response).data.id);
}

describe('a server killed under load', () => {
  it('has every acknowledged location after a restart, once and unchanged', async () => {
    const cwd = createFolder();
    const map = await prepareMap(cwd);
    const attempts: Attempt[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const server = await startPlainServer(cwd);
      const begun = attempts.length;
      const clients = Array.from({ length: CLIENTS }, (_, client) =>
        createUntilKilled(server, map, `Café ${round}.${client}`, attempts),
      );
      const acknowledged = () => attempts.slice(begun).filter(({ response }) => response !== null).length;
      await until(() => acknowledged() >= 3 * CLIENTS, 'the responses');
      await delay(Math.random() * 250);
      server.signal('SIGKILL');
      expect(await server.exited).toMatchObject({ signal: 'SIGKILL' });
      await Promise.all(clients);

      const again = await startPlainServer(cwd);
      const before = await listAll(again, map);
      expectOnce(before, attempts);
      await retryAll(again, map, attempts);
      const withoutResponse = attempts.filter(({ key, response }) => key === null && response === null);
      const retried = await listAll(again, map);
      expectOnce(retried, attempts);
      // Every attempt with a key is stored now; without a key, only attempts without a response may be missing.
      const names = new Set(retried.map(({ name }) => name));
      const missing = attempts.filter(({ name }) => !names.has(name));
      expect(missing.filter((attempt) => !withoutResponse.includes(attempt))).toEqual([]);
      await again.stop();
      expect(problemsOf(join(cwd, 'store.db'))).toEqual(['ok']);
    }
    const acknowledged = attempts.filter(({ response }) => response !== null).length;
    console.log(
      `${acknowledged} of ${attempts.length} creates acknowledged in ${ROUNDS} rounds; none lost, none twice`,
    );
  });
});

/** Nothing is stored twice, and each response's location is stored under its id. */
function expectOnce(listed: readonly Listed[], attempts: readonly Attempt[]): void {
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
  const nameById = new Map(listed.map(({ id, name }) => [id, name]));
  const lost = attempts.filter(
    ({ name, response }) => response !== null && nameById.get(idOf(response)) !== name,
  );
  expect(lost).toEqual([]);
}

/** Repeats every attempt with a key: it gets its earlier response again, or its first one. */
async function retryAll(server: Server, map: PreparedMap, attempts: readonly Attempt[]): Promise<void> {
  for (const attempt of attempts.filter(({ key }) => key !== null)) {
    const response = await create(server, map, attempt);
    if (attempt.response !== null) expect(response).toBe(attempt.response);
    attempt.response = response;
  }
}

function problemsOf(path: string): string[] {
  const database = new DatabaseSync(path);
  const rows = [...database.prepare('PRAGMA integrity_check').all()];
  const broken = database.prepare('PRAGMA foreign_key_check').all();
  database.close();
  return [...rows.map((row) => String(Object.values(row)[0])), ...broken.map(() => 'a broken reference')];
}
