/**
 * Webhook delivery by real processes: failing receivers and killed processes neither lose nor reorder messages. `npm run
 * torture` runs more changes and kills.
 */

import { join } from 'node:path';

import { Webhook } from 'standardwebhooks';

import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import type { Server, Settings } from '../support/program.ts';
import {
  createFolder,
  delay,
  failuresIn,
  killPrograms,
  runProgram,
  startPlainServer,
} from '../support/program.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { answersHalf, hangs, resets, startReceiver } from '../support/receiver.ts';
import { propertyRuns } from '../support/scope.ts';
import { describeUnless } from '../support/skip.ts';
import { AwaitedList } from '../support/awaited-list.ts';
import { shortOrLong } from '../support/torture.ts';
import { until } from '../support/until.ts';

const mongodb = await testServer();
const CHANGES = shortOrLong(propertyRuns(500), 5_000);
const KILLS = shortOrLong(2, 20);

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(killPrograms);

/** The same sequence in each run; the interleaving differs. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

interface Deployment {
  readonly cwd: string;
  readonly env: Settings;
  readonly token: string;
  readonly mapId: string;
}

async function prepare(url: string, more: Settings = {}): Promise<Deployment> {
  const cwd = createFolder();
  const env = {
    DATABASE_URL: url,
    DATABASE_TIMEOUT_MS: '20000',
    SECRET_KEY: 'a secret key of more than 32 characters',
    LOG_LEVEL: 'debug',
    WEBHOOK_ALLOW_HTTP: '1',
    WEBHOOK_RETRY_MS: '20',
    ...more,
  };
  const run = async (...args: string[]) => (await runProgram(args, { cwd, env })).stdout.trim();
  const token = await run('token', 'create', '--owner', 'alice');
  const mapId = await run('map', 'create', '--owner', 'alice', '--name', 'Cafés');
  return { cwd, env, token, mapId };
}

async function graphql(server: Server, { token }: Deployment, query: string, input: object) {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const { data, errors } = (await response.json()) as { data: Record<string, never>; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

async function createWebhook(server: Server, deployment: Deployment, url: string): Promise<string> {
  const data: Record<string, { secret: string } | undefined> = await graphql(
    server,
    deployment,
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }',
    { mapId: deployment.mapId, url, events: ['created'] },
  );
  return data['createWebhook']?.secret ?? '';
}

/** Creates the location exactly once, also when processes are killed. @returns its id */
async function createLocation(serverOf: () => Server, deployment: Deployment, name: string): Promise<string> {
  const input = {
    mapId: deployment.mapId,
    fields: { Name: name, Address: 'A' },
    position: { latitude: 1, longitude: 2 },
    idempotencyKey: name,
  };
  const query =
    'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }';
  for (const until = performance.now() + 60_000; ;) {
    try {
      const data: Record<string, { location: { id: string } } | undefined> = await graphql(
        serverOf(),
        deployment,
        query,
        input,
      );
      return data['createLocation']?.location.id ?? '';
    } catch (error) {
      if (performance.now() > until) throw error;
      await delay(20);
    }
  }
}

for (const [name, urlOf] of [
  ['SQLite', () => `sqlite:${join(createFolder(), 'store.db')}`],
  ['MongoDB', () => (mongodb === null ? '' : ownDatabase(mongodb))],
] as const) {
  describeUnless(name === 'MongoDB' && mongodb === null && NO_MONGODB, `webhooks on ${name}`, () => {
    const url = urlOf();

    it(`lose nothing and keep the order, with ${CHANGES} changes, ${KILLS} kills of two processes, and a failing receiver`, async () => {
      const deployment = await prepare(url, { WEBHOOK_TIMEOUT_MS: '1000' });
      const random = randomFrom(20_26);
      const start = () => startPlainServer(deployment.cwd, deployment.env);
      const servers = [await start(), await start()] as [Server, Server];
      const secret = await createWebhook(servers[0], deployment, receiver.url);
      /** The messages that the receiver accepted, in order. */
      const taken = new AwaitedList<Received>();
      const wrong: unknown[] = [];
      receiver.behave((exchange) => {
        const chance = random();
        if (chance < 0.03) return 500;
        if (chance < 0.05) return resets(exchange);
        if (chance < 0.06) return hangs(exchange);
        const { message } = exchange;
        try {
          // Verified at once: a signature is valid for five minutes.
          new Webhook(secret).verify(message.body, message.headers as Record<string, string>);
        } catch (error) {
          wrong.push(error);
        }
        taken.add(message);
        // The receiver accepts the message, but the sender gets no response.
        if (chance < 0.08) return resets(exchange);
        if (chance < 0.09) return answersHalf(exchange);
        return 204;
      });
      const made: string[] = [];
      let killed = 0;
      for (let change = 0; change < CHANGES; change += 1) {
        made.push(
          await createLocation(() => servers[change % 2] as Server, deployment, `Location ${change}`),
        );
        if (change < ((killed + 1) * CHANGES) / (KILLS + 1)) continue;
        // In turn, so that the delivering process is killed too.
        const index = killed % 2;
        killed += 1;
        servers[index]?.signal('SIGKILL');
        await servers[index]?.exited;
        servers[index] = await start();
      }
      const idsOf = (all: readonly Received[]) => new Set(all.map(({ data }) => String(data.locationId)));
      await taken.until((all) => idsOf(all).size === CHANGES);
      for (const server of servers) expect(await server.stop()).toMatchObject({ code: 0 });

      const first = [...new Set(taken.all.map(({ id }) => id))];
      const locationOf = new Map(taken.all.map(({ id, data }) => [id, String(data.locationId)]));
      const order = first.map((id) => locationOf.get(id));
      const lost = made.filter((id) => !order.includes(id)).length;
      const outOfOrder = order.filter((id, index) => id !== made[index]).length;
      console.log(
        `${name}: ${CHANGES} changes, ${killed} kills; ${receiver.received.all.length} attempts, ` +
          `${taken.all.length} taken, ${lost} lost, ${taken.all.length - first.length} doubled, ${outOfOrder} out of order`,
      );
      expect([killed, lost, outOfOrder, first.length]).toEqual([KILLS, 0, 0, CHANGES]);
      expect(wrong).toEqual([]);
      for (const server of servers) expect(failuresIn(server.log())).toEqual([]);
    });
  });
}

describe('webhooks', () => {
  it('get their messages from the first process, whichever worker stored the webhook and the changes', async () => {
    const deployment = await prepare('sqlite:store.db', { WORKERS: '2' });
    const server = await startPlainServer(deployment.cwd, deployment.env);
    await createWebhook(server, deployment, receiver.url);
    const made: string[] = [];
    for (let change = 0; change < 10; change += 1) {
      made.push(await createLocation(() => server, deployment, `Location ${change}`));
    }
    const all = await receiver.received.until(10);
    expect(all.map(({ data }) => data.locationId)).toEqual(made);
    expect(await server.stop()).toMatchObject({ code: 0 });
    const delivering = server.log().filter(({ msg }) => String(msg).startsWith('Webhook delivery attempt'));
    expect(new Set(delivering.map(({ pid }) => pid))).toEqual(new Set([server.pid]));
    expect(failuresIn(server.log())).toEqual([]);
  });

  it('continue at once after a clean stop, and send nothing twice', async () => {
    const deployment = await prepare('sqlite:store.db');
    let server = await startPlainServer(deployment.cwd, deployment.env);
    await createWebhook(server, deployment, receiver.url);
    const made: string[] = [];
    for (let change = 0; change < 40; change += 1) {
      made.push(await createLocation(() => server, deployment, `Location ${change}`));
      if (change % 10 !== 9) continue;
      // Deliveries are under way.
      await server.stop();
      server = await startPlainServer(deployment.cwd, deployment.env);
    }
    const all = await receiver.received.until(40);
    expect(all.map(({ data }) => data.locationId)).toEqual(made);
    await server.stop();
  });

  it('log no secrets, and only the host of an address', async () => {
    const deployment = await prepare('sqlite:store.db', { LOG_LEVEL: 'trace' });
    const server = await startPlainServer(deployment.cwd, deployment.env);
    const secret = await createWebhook(server, deployment, `${receiver.url}/canary-path?token=canary-query`);
    receiver.behave(() => 410);
    await createLocation(() => server, deployment, 'canary-name');
    await receiver.received.until(1);
    const messages = new Set(['A webhook was disabled because its receiver does not accept its messages']);
    await until(() => server.log().some(({ msg }) => messages.has(String(msg))), 'that it is disabled');
    await server.stop();
    expect(server.stderr()).toContain(new URL(receiver.url).host);
    for (const canary of ['canary', secret, secret.slice(6)]) expect(server.stderr()).not.toContain(canary);
  });
});
