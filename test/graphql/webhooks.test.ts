/** A map's webhooks in GraphQL: created, updated, tested, deleted; and the messages they receive. */

import { Webhook } from 'standardwebhooks';

import type { Environment } from '../../src/app/config.ts';
import { VERSION } from '../../src/lib/version.ts';
import { codesOf, dataOf, deleteMap, makeLocations, makeMap, messageOf } from '../support/graphql.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { hangs, resets, startReceiver } from '../support/receiver.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { PATIENCE_MS } from '../support/until.ts';

const WEBHOOK = 'id url events status lastAttemptAt lastStatus lastError';
const UNKNOWN = 'webhook_0123456789abcdef';
const HTTPS = 'https://example.org/hook';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Messages are sent while tests run, so results may change at any moment and operations are not executed twice. */
const PARTS = { post: undefined, onStorageCommand: () => {} };

interface Shown {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly status: string;
  readonly lastAttemptAt: string | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

describe('webhooks through GraphQL', () => {
  let server: TestServer;
  let receiver: Receiver;
  let mapId: string;

  const open = async (environment: Environment = {}) => {
    server = await createTestServer(
      { WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_RETRY_MS: '10', ...environment },
      PARTS,
    );
    server.gateway.dispatcher.start();
    mapId = (await makeMap(server)).id;
  };
  beforeEach(async () => {
    receiver = await startReceiver();
    await open();
  });
  afterEach(async () => {
    await server.close();
    await receiver.close();
  });

  const run = (field: string, input: object, selection: string, token?: string | null) =>
    server.graphql(
      `mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${selection} } }`,
      { input },
      token,
    );
  const create = (input: object = {}, token?: string | null) =>
    run(
      'createWebhook',
      { mapId, url: receiver.url, events: ['created', 'updated', 'moved', 'deleted'], ...input },
      `webhook { ${WEBHOOK} } secret`,
      token,
    );
  const made = async (input: object = {}): Promise<{ webhook: Shown; secret: string }> =>
    dataOf(await create(input)).createWebhook;
  const update = (id: string, input: object, token?: string | null) =>
    run('updateWebhook', { mapId, id, ...input }, `webhook { ${WEBHOOK} }`, token);
  const rotate = (id: string) => run('rotateWebhookSecret', { mapId, id }, `webhook { ${WEBHOOK} } secret`);
  const test = (id: string) => run('testWebhook', { mapId, id }, `webhook { id } delivered status error`);
  const listed = async (): Promise<Shown[]> =>
    dataOf(await server.graphql(`{ map(id: "${mapId}") { webhooks { ${WEBHOOK} } } }`)).map.webhooks;
  const shown = async (id: string): Promise<Shown | undefined> =>
    (await listed()).find((each) => each.id === id);
  const until = async (id: string, isSo: (webhook: Shown) => boolean): Promise<Shown> => {
    for (const endsAt = performance.now() + PATIENCE_MS; ;) {
      const webhook = await shown(id);
      if (webhook !== undefined && isSo(webhook)) return webhook;
      if (performance.now() > endsAt) throw new Error(`Not in time: ${JSON.stringify(webhook)}`);
    }
  };
  const verifies = (secret: string, { body, headers }: Received) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };

  it('are created, and receive every change from then on, signed by the standard', async () => {
    await makeLocations(server, mapId, [null]);
    const { webhook, secret } = await made();
    expect(webhook).toEqual({
      id: expect.stringMatching(/^webhook_/) as unknown,
      url: receiver.url,
      events: ['created', 'updated', 'moved', 'deleted'],
      status: 'active',
      lastAttemptAt: null,
      lastStatus: null,
      lastError: null,
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const [location] = await makeLocations(server, mapId, ['7']);
    const id = location?.id ?? '';
    const [created] = await receiver.received.until(1);
    await run('updateLocation', { mapId, id, fields: { Seats: 3 } }, 'location { id }');
    await receiver.received.until(2);
    await run('updateLocation', { mapId, id, order: '8' }, 'location { id }');
    await receiver.received.until(3);
    await run('deleteLocation', { mapId, id }, 'deletedId');
    const all = await receiver.received.until(4);
    expect(all.map(({ type }) => type)).toEqual([
      'location.created',
      'location.updated',
      'location.moved',
      'location.deleted',
    ]);
    for (const message of all) {
      expect(verifies(secret, message)).toBe(true);
      expect(verifies('whsec_c2VjcmV0', message)).toBe(false);
      expect(message.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': `map-locations/${VERSION}`,
      });
    }
    const { type, data, ...rest } = JSON.parse(created?.body ?? '');
    expect(type).toBe('location.created');
    expect(rest).toEqual({ timestamp: expect.stringMatching(TIME) as unknown });
    expect(data).toEqual({
      mapId,
      kind: 'created',
      cursor: expect.any(String) as unknown,
      locationId: id,
      location: {
        id,
        name: 'Place 0',
        placeId: expect.stringMatching(/^fake:/) as unknown,
        latitude: expect.any(Number) as unknown,
        longitude: expect.any(Number) as unknown,
        properties: { Name: 'Place 0', Address: '0 Some Street' },
        order: '7',
        externalId: null,
        version: 1,
        createdAt: expect.stringMatching(TIME) as unknown,
        updatedAt: expect.stringMatching(TIME) as unknown,
        geocoding: {
          provider: 'fake',
          precision: 'rooftop',
          label: expect.stringMatching(/^Found: /),
          isAmbiguous: false,
          isChecked: false,
        },
      },
    });
    expect(all[3]?.data).toMatchObject({ kind: 'deleted', locationId: id, location: null });
    const after = await until(webhook.id, ({ lastStatus }) => lastStatus === 200);
    expect(after).toMatchObject({ status: 'active', lastError: null });
    expect(Date.parse(after.lastAttemptAt ?? '')).toBeGreaterThan(0);
  });

  it('are listed in creation order, without secrets', async () => {
    const all = [await made(), await made({ url: `${receiver.url}/2`, events: ['deleted', 'deleted'] })];
    expect(await listed()).toEqual(all.map(({ webhook }) => webhook));
    expect(all[1]?.webhook.events).toEqual(['deleted']);
    const response = await server.graphql(`{ map(id: "${mapId}") { webhooks { ${WEBHOOK} } } }`);
    for (const { secret } of all) expect(response.text).not.toContain(secret.slice(6));
  });

  it.each([
    ['http://example.org/', /^url must be https, or http to this machine\.$/],
    ['http://192.168.0.1/', /^url must be https, or http to this machine\.$/],
    ['ftp://example.org/', /^url must be https/],
    ['example.org', /^url must be an absolute https, or http to this machine address/],
    [' https://example.org', /^url must be an absolute/],
    [`https://example.org/${'a'.repeat(2_048)}`, /at most 2,048 characters/],
    ['https://me:secret@example.org/', /^url must have neither user information nor a fragment\.$/],
    ['https://example.org/#here', /fragment/],
    ['https://127.0.0.1/', /not globally routable/],
    ['https://localhost/', /not globally routable/],
    ['https://[::1]/', /not globally routable/],
    ['https://[::ffff:10.0.0.1]/', /not globally routable/],
    ['https://0x7f.1/', /not globally routable/],
    ['https://2130706433/', /not globally routable/],
    ['https://169.254.169.254/latest/meta-data', /not globally routable/],
  ])('are not created from %s', async (url, message) => {
    for (const response of [await create({ url }), await update((await made()).webhook.id, { url })]) {
      expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
      expect(messageOf(response)).toMatch(message);
      expect(messageOf(response)).not.toContain('secret');
    }
    expect((await listed()).map((webhook) => webhook.url)).toEqual([receiver.url]);
  });

  it('require at least one kind of change, and are limited in number by the operator', async () => {
    expect(messageOf(await create({ events: [] }))).toBe('events must name at least one kind of change.');
    await Promise.all(Array.from({ length: 12 }, () => create({ url: HTTPS })));
    expect(await listed()).toHaveLength(10);
    const response = await create();
    expect([codesOf(response), messageOf(response)]).toEqual([
      ['BAD_USER_INPUT'],
      'The map already has 10 webhooks, the maximum; delete one first.',
    ]);
  });

  it('are updated; absent and null members stay unchanged', async () => {
    const { webhook } = await made({ url: HTTPS });
    const url = 'https://example.org/other?token=1';
    const changed = dataOf(await update(webhook.id, { url, events: null, status: 'disabled' })).updateWebhook
      .webhook;
    expect(changed).toEqual({ ...webhook, url, status: 'disabled' });
    expect(dataOf(await update(webhook.id, { events: ['moved'] })).updateWebhook.webhook).toEqual({
      ...changed,
      events: ['moved'],
    });
    expect(dataOf(await update(webhook.id, { status: 'active' })).updateWebhook.webhook).toEqual({
      ...changed,
      events: ['moved'],
      status: 'active',
    });
  });

  it('receive nothing while disabled, and the missed changes when enabled', async () => {
    const { webhook } = await made();
    await makeLocations(server, mapId, [null]);
    await receiver.received.until(1);
    await update(webhook.id, { status: 'disabled' });
    const missed = await makeLocations(server, mapId, [null, null]);
    expect(receiver.received.all).toHaveLength(1);
    await update(webhook.id, { status: 'active' });
    const all = await receiver.received.until(3);
    expect(all.slice(1).map(({ data }) => data.locationId)).toEqual(missed.map(({ id }) => id));
  });

  it('receive nothing after deletion', async () => {
    const { webhook } = await made();
    const { webhook: other } = await made({ url: `${receiver.url}/other` });
    expect(dataOf(await run('deleteWebhook', { mapId, id: webhook.id }, 'deletedId'))).toEqual({
      deleteWebhook: { deletedId: webhook.id },
    });
    expect((await listed()).map(({ id }) => id)).toEqual([other.id]);
    await makeLocations(server, mapId, [null]);
    const [message] = await receiver.received.until(1);
    expect(message?.path).toBe('/hook/other');
  });

  it('that are unknown, or of another map, are WEBHOOK_NOT_FOUND', async () => {
    const { webhook } = await made();
    const { id: elsewhere } = await makeMap(server);
    for (const [of, id] of [
      [mapId, UNKNOWN],
      [mapId, 'nonsense'],
      [elsewhere, webhook.id],
    ]) {
      for (const [field, selection] of [
        ['updateWebhook', 'webhook { id }'],
        ['deleteWebhook', 'deletedId'],
        ['rotateWebhookSecret', 'secret'],
        ['testWebhook', 'delivered'],
      ] as const) {
        const response = await run(field, { mapId: of, id }, selection);
        expect([field, codesOf(response), messageOf(response)]).toEqual([
          field,
          ['WEBHOOK_NOT_FOUND'],
          'The map has no such webhook.',
        ]);
      }
    }
  });

  it('sign with both secrets after a rotation', async () => {
    const { webhook, secret } = await made();
    const { secret: next } = dataOf(await rotate(webhook.id)).rotateWebhookSecret;
    expect(next).not.toBe(secret);
    await makeLocations(server, mapId, [null]);
    const [message] = await receiver.received.until(1);
    expect([secret, next].map((each) => verifies(each, message as Received))).toEqual([true, true]);
    const { secret: last } = dataOf(await rotate(webhook.id)).rotateWebhookSecret;
    await makeLocations(server, mapId, [null]);
    const [, second] = await receiver.received.until(2);
    expect([secret, next, last].map((each) => verifies(each, second as Received))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('sign with the previous secret for a day', async () => {
    await server.close();
    let now = Date.now() - 24 * 3_600_000 - 1;
    server = await createTestServer({ WEBHOOK_ALLOW_HTTP: '1' }, { ...PARTS, clock: () => now });
    mapId = (await makeMap(server)).id;
    const { webhook, secret } = await made();
    dataOf(await rotate(webhook.id));
    now = Date.now();
    await test(webhook.id);
    const [message] = await receiver.received.until(1);
    expect(verifies(secret, message as Received)).toBe(false);
  });

  it('are tested with a test message, which changes nothing', async () => {
    const { webhook, secret } = await made({ events: ['deleted'] });
    await update(webhook.id, { status: 'disabled' });
    const response = dataOf(await test(webhook.id)).testWebhook;
    expect(response).toEqual({ webhook: { id: webhook.id }, delivered: true, status: 200, error: null });
    const [message] = await receiver.received.until(1);
    expect(verifies(secret, message as Received)).toBe(true);
    expect(JSON.parse(message?.body ?? '')).toEqual({
      type: 'webhook.test',
      timestamp: expect.stringMatching(/Z$/) as unknown,
      data: { mapId },
    });
    expect(await shown(webhook.id)).toEqual({ ...webhook, status: 'disabled' });
  });

  it('report why a test failed, without the content of the response', async () => {
    const { webhook } = await made();
    const tried = async () => {
      const { delivered, status, error } = dataOf(await test(webhook.id)).testWebhook;
      return [delivered, status, error] as const;
    };
    receiver.behave(({ response }) => void response.writeHead(500).end('the receiver’s internals'));
    expect(await tried()).toEqual([
      false,
      500,
      'The receiver responded with 500; only 2xx counts as received.',
    ]);
    receiver.behave(({ response }) => void response.writeHead(302, { location: `${receiver.url}/2` }).end());
    expect(await tried()).toEqual([
      false,
      302,
      'The receiver responded with 302; redirects are not followed, so url must be the final address.',
    ]);
    receiver.behave(resets);
    expect(await tried()).toEqual([false, null, 'The connection failed (ECONNRESET).']);
    expect(receiver.received.all.map(({ path }) => path)).toEqual(Array(3).fill('/hook'));
  });

  it('report that a test had no response in time', async () => {
    await server.close();
    await open({ WEBHOOK_TIMEOUT_MS: '200' });
    const { webhook } = await made();
    receiver.behave(hangs);
    expect(dataOf(await test(webhook.id)).testWebhook).toMatchObject({
      delivered: false,
      status: null,
      error: 'The receiver did not respond in time (ETIMEDOUT (request)).',
    });
  });

  it('share the time of one attempt among many tests in one request', async () => {
    await server.close();
    await open({ WEBHOOK_TIMEOUT_MS: '200' });
    const { webhook } = await made();
    receiver.behave(hangs);
    const input = `input: { mapId: "${mapId}", id: "${webhook.id}" }`;
    const response = await server.graphql(
      `mutation { one: testWebhook(${input}) { delivered } two: testWebhook(${input}) { delivered } }`,
    );
    expect(response.json.data).toEqual({ one: { delivered: false }, two: null });
    expect(messageOf(response)).toMatch(/^The other tests of this request have used up its time/);
  });

  it('show that and why they fail, and continue when the receiver is back', async () => {
    const { webhook } = await made();
    receiver.behave(() => 503);
    const locations = await makeLocations(server, mapId, [null, null]);
    const failing = await until(webhook.id, ({ status }) => status === 'failing');
    expect(failing).toMatchObject({
      lastStatus: 503,
      lastError: 'The receiver responded with 503; only 2xx counts as received.',
    });
    receiver.behave(() => 204);
    expect(await until(webhook.id, ({ status }) => status === 'active')).toMatchObject({
      lastStatus: 204,
      lastError: null,
    });
    const { all } = receiver.received;
    const ids = [...new Set(all.map(({ id }) => id))];
    expect(ids.map((id) => all.find((each) => each.id === id)?.data.locationId)).toEqual(
      locations.map(({ id }) => id),
    );
  });

  it('send undelivered messages to a new url at once', async () => {
    await server.close();
    await open({ WEBHOOK_RETRY_MS: '3600000' });
    const { webhook } = await made();
    receiver.behave(({ message }) => (message.path === '/hook' ? 503 : 200));
    const [location] = await makeLocations(server, mapId, [null]);
    await until(webhook.id, ({ status }) => status === 'failing');
    const moved = await update(webhook.id, { url: `${receiver.url}/new` });
    expect(dataOf(moved).updateWebhook.webhook.status).toBe('active');
    const [first, second] = await receiver.received.until(2);
    expect([second?.path, second?.id, second?.data.locationId]).toEqual([
      '/hook/new',
      first?.id,
      location?.id,
    ]);
  });

  it('of a deleted map are refused like everything else of it', async () => {
    const { webhook } = await made();
    await deleteMap(server, mapId);
    const responses = [
      await create(),
      await update(webhook.id, {}),
      await test(webhook.id),
      await server.graphql(`{ map(id: "${mapId}") { webhooks { id } } }`),
    ];
    expect(responses.map(codesOf)).toEqual(responses.map(() => ['MAP_DELETED']));
  });

  it('are hidden from read-only tokens, and in the public view from every token', async () => {
    await made();
    const reader = await server.createToken({ scope: 'read' });
    const query = `{ map(id: "${mapId}") { webhooks { id } } }`;
    expect(codesOf(await server.graphql(query, {}, reader))).toEqual(['FORBIDDEN']);
    await server.graphql(
      `mutation { updateMap(input: { id: "${mapId}", isPublished: true }) { map { id } } }`,
    );
    const open1 = `{ publicMap(id: "${mapId}") { webhooks { id } } }`;
    for (const token of [null, reader, undefined]) {
      const response = await server.graphql(open1, {}, token);
      expect([codesOf(response), response.json.data]).toEqual([['FORBIDDEN'], { publicMap: null }]);
    }
  });

  it('without a secret, as after a restore, send nothing until they get one', async () => {
    const { webhook } = await made();
    const { storage } = server.gateway;
    await storage.updateWebhook(mapId, webhook.id, { secret: null }, null);
    expect(await shown(webhook.id)).toMatchObject({ status: 'disabled' });
    for (const response of [await update(webhook.id, { status: 'active' }), await test(webhook.id)]) {
      expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
      expect(messageOf(response)).toMatch(/rotateWebhookSecret/);
    }
    const { secret } = dataOf(await rotate(webhook.id)).rotateWebhookSecret;
    await makeLocations(server, mapId, [null]);
    const [message] = await receiver.received.until(1);
    expect(verifies(secret, message as Received)).toBe(true);
  });

  it('are stored encrypted with SECRET_KEY', async () => {
    await server.close();
    await open({ SECRET_KEY: 'a secret key of more than 32 characters' });
    const { webhook, secret } = await made();
    dataOf(await rotate(webhook.id));
    const [stored] = await server.gateway.storage.listWebhooks(mapId);
    expect(stored?.secret).toMatch(/^aes-256-gcm:/);
    expect(stored?.formerSecret?.secret).toMatch(/^aes-256-gcm:/);
    await makeLocations(server, mapId, [null]);
    const [message] = await receiver.received.until(1);
    expect(verifies(secret, message as Received)).toBe(true);
  });
});
