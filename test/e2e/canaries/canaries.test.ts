/**
 * Secrets do not leak: not to the trace log, the audit log, the metrics, a response, an export, a backup or a file of the
 * store, whatever succeeds or fails at either endpoint or on the command line.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findCanaries, findInFiles, makeCanary } from '../../support/canaries.ts';
import type { Canaries } from '../../support/canaries.ts';
import { googleStatus } from '../../support/geocoding-fixtures.ts';
import type { GeocodingServer, Scene } from '../../support/geocoding-server.ts';
import { found, hangsUp, halfJson, json, startGeocodingServer } from '../../support/geocoding-server.ts';
import { Issuer } from '../../support/issuer.ts';
import { NO_MONGODB, ownDatabase, testServer, withClient } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';
import { isTorture } from '../../support/torture.ts';
import { freePort } from '../../support/free-port.ts';
import type { Run, Server, Settings } from '../../support/program.ts';
import { createFolder, killPrograms, runProgram, startPlainServer } from '../../support/program.ts';
import { until } from '../../support/until.ts';
import { openConnection } from '../raw-http.ts';

const secrets = {
  secretKey: makeCanary('secret-key-that-is-long-enough-'),
  googleKey: makeCanary('AIza'),
  mapboxToken: makeCanary('pk.'),
  providerKey: makeCanary('AIza'),
  geocodingKey: makeCanary('AIza'),
  changedKey: makeCanary('AIza'),
  removedKey: makeCanary('AIza'),
  /** A valid token with a typing error in its last letter. */
  wrongToken: makeCanary('mlt_'),
  databasePassword: makeCanary(),
  /** Sent where no secret belongs, as a careless client may. */
  inQuery: makeCanary(),
  inLiteral: makeCanary(),
  inVariable: makeCanary(),
  inBody: makeCanary(),
  inHeader: makeCanary(),
  inGarbage: makeCanary(),
};
/** Values from a client that only the stored row may hold. */
const values = {
  idempotencyKey: makeCanary(),
  property: makeCanary(),
  address: makeCanary('1 '),
  webhookPath: makeCanary(),
  webhookQuery: makeCanary(),
};

const webhookUrl = `http://127.0.0.1:9/${values.webhookPath}?key=${values.webhookQuery}`;
const STORED = Object.keys(values);

let geocoders: GeocodingServer;
let issuer: Issuer;
beforeAll(async () => {
  geocoders = await startGeocodingServer();
  issuer = await Issuer.start();
});
afterAll(async () => {
  killPrograms();
  await geocoders.close();
  await issuer.stop();
});

/** Providers that repeat the key: in a refusal, in a server error and in a redirect. */
const leakyScenes: readonly Scene[] = [
  ({ received }) =>
    googleStatus('REQUEST_DENIED', `The provided API key ${received.query['key']} is invalid.`),
  (exchange) => json(500, `GET ${exchange.request.url}`)(exchange),
  ({ request, response }) =>
    void response.writeHead(302, { location: `http://127.0.0.1:9${request.url}` }).end(),
  ({ request, response }) => void response.end(`not JSON ${request.url}`),
  hangsUp,
  halfJson,
];

interface Setup {
  readonly cwd: string;
  readonly databaseUrl: string;
  readonly env: Settings;
  readonly canaries: Record<string, string>;
  readonly token: string;
  readonly mapId: string;
  readonly jwt: string;
  /** Command output that must not hold a canary. */
  readonly outputs: string[];
  readonly run: (args: readonly string[], env?: Settings) => Promise<Run>;
}

/** @param database the URL of an empty store; null for a new file */
async function setUp(withSecretKey: boolean, database: string | null): Promise<Setup> {
  const cwd = createFolder();
  const databaseUrl = database ?? `sqlite:${join(cwd, 'data', 'store.db')}`;
  const env: Settings = {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'trace',
    AUDIT_LOG: join(cwd, 'audit.log'),
    GEOCODER: 'google,mapbox',
    GOOGLE_API_KEY: secrets.googleKey,
    MAPBOX_ACCESS_TOKEN: secrets.mapboxToken,
    GOOGLE_GEOCODING_URL: geocoders.url,
    MAPBOX_URL: geocoders.url,
    DATABASE_TIMEOUT_MS: '20000',
    WEBHOOK_ALLOW_HTTP: '1',
    ...issuer.settings,
    ...(withSecretKey && { SECRET_KEY: secrets.secretKey }),
  };
  mkdirSync(join(cwd, 'data'));
  mkdirSync(join(cwd, 'out'));
  mkdirSync(join(cwd, 'in'));
  const outputs: string[] = [];
  const run: Setup['run'] = async (args, more = {}) => {
    const done = await runProgram(args, { cwd, env: { ...env, ...more } });
    outputs.push(done.stdout, done.stderr);
    return done;
  };
  writeFileSync(join(cwd, 'in', 'provider.key'), secrets.providerKey);
  // Only the command that creates a token may print it.
  const made = await runProgram(['token', 'create', '--owner', `${issuer.url}#alice`], { cwd, env });
  const token = made.stdout.trim();
  expect(token).toMatch(/^mlt_/);
  const keys = ['--provider-key', '@in/provider.key', '--geocoding-key', secrets.geocodingKey];
  const map = await run([
    ...['map', 'create', '--owner', `${issuer.url}#alice`, '--name', 'Cafés', '--published'],
    ...[
      '--field',
      'Name:placeName',
      '--field',
      'Address:address:hidden',
      '--field',
      'Notes:text:hidden',
      ...keys,
    ],
  ]);
  expect(map.code).toBe(0);
  const jwt = await issuer.sign();
  return {
    cwd,
    databaseUrl,
    env,
    token,
    mapId: map.stdout.trim(),
    jwt,
    outputs,
    run,
    canaries: {
      ...secrets,
      token,
      jwt,
      signature: jwt.split('.')[2] ?? '',
      ...values,
    },
  };
}

/** Sends valid and invalid requests to both endpoints. @returns the responses that must not hold a canary */
async function requestEverything(server: Server, { token, mapId, jwt, canaries }: Setup): Promise<string[]> {
  const responses: string[] = [];
  const send = async (method: string, path: string, init: RequestInit & { auth?: string } = {}) => {
    const { auth = `Bearer ${token}`, headers, ...rest } = init;
    const response = await fetch(`${server.url}${path}`, {
      method,
      redirect: 'manual',
      ...rest,
      headers: { ...(auth && { authorization: auth }), 'content-type': 'application/json', ...headers },
    });
    const heads = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    const text = [...heads, await response.text()].join('\n');
    return { status: response.status, text };
  };
  const note = async (...args: Parameters<typeof send>) => {
    const { status, text } = await send(...args);
    responses.push(text);
    return { status, text };
  };
  const graphql = (query: string, variables?: unknown, auth?: string) =>
    note('POST', '/graphql', {
      body: JSON.stringify({ query, variables }),
      ...(auth !== undefined && { auth }),
    });
  const create = (fields: unknown, headers: Record<string, string> = {}, auth?: string) =>
    send('POST', `/v0/map/${mapId}/location`, {
      body: JSON.stringify({ fields }),
      headers,
      ...(auth !== undefined && { auth }),
    });
  const fields = { Name: 'A', Address: values.address, Notes: values.property };

  // A webhook without a receiver; the response holds its secret once.
  const hook = { mapId, url: webhookUrl, events: ['created'] };
  const hooked = await send('POST', '/graphql', {
    body: JSON.stringify({
      query:
        'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret webhook { id } } }',
      variables: { input: hook },
    }),
  });
  const [webhookSecret = ''] = /whsec_[^"]+/.exec(hooked.text) ?? [];
  const [webhookId = ''] = /webhook_\w+/.exec(hooked.text) ?? [];
  expect(webhookSecret).toMatch(/^whsec_/);
  canaries['webhookSecret'] = webhookSecret;

  // Authorized callers get the stored row.
  geocoders.play(found);
  for (const auth of [`Bearer ${token}`, `Bearer ${jwt}`]) {
    const key = { 'idempotency-key': values.idempotencyKey };
    for (let times = 0; times < 2; times += 1) expect((await create(fields, key, auth)).status).toBe(200);
    responses.push((await create({ ...fields, Name: 'B' }, key, auth)).text);
  }
  const change = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
  await graphql(change, { input: { id: mapId, providerMapApiKey: secrets.removedKey } });
  await graphql(change, { input: { id: mapId, providerMapApiKey: secrets.changedKey } });
  await graphql(
    `mutation { createMap(input: {name: "New", providerMapApiKey: "${secrets.providerKey}", fields: []}) { map { id } } }`,
  );
  await graphql(
    `mutation { updateMap(input: {id: "none", geocodingApiKey: "${secrets.geocodingKey}"}) { map { id } } }`,
  );

  // Providers that fail and repeat the request.
  for (const [index, scene] of leakyScenes.entries()) {
    geocoders.play(scene);
    responses.push((await create({ ...fields, Address: `${values.address} ${index}` })).text);
  }
  geocoders.play(found);

  // Unauthenticated requests.
  const forged = `${jwt.slice(0, -8)}AAAAAAAA`;
  const wrong = [
    `Bearer ${secrets.wrongToken}`,
    `Bearer ${forged}`,
    `Basic ${Buffer.from(`alice:${secrets.inHeader}`).toString('base64')}`,
    `Bearer ${secrets.inHeader} and more`,
    secrets.inHeader,
    token,
  ];
  for (const auth of wrong) {
    await note('GET', `/v0/map/${mapId}`, { auth });
    await graphql('{ viewer { owner } }', {}, auth);
    await note('GET', `/maps/${mapId}/locations.csv`, { auth });
  }

  // Secrets in wrong fields.
  for (const path of [`/v0/map/${mapId}`, '/graphql', `/maps/${mapId}`, '/oembed', '/healthz', '/none']) {
    await note('GET', `${path}?access_token=${token}&key=${secrets.inQuery}`, { auth: '' });
  }
  await note('GET', `/graphql?query=${encodeURIComponent(`{ map(id: "${secrets.inQuery}") { id } }`)}`);
  await note('GET', `/v0/map/none/locations?limit=${secrets.inQuery}`);
  await note('GET', '/maps/none/locations.csv');
  await note('GET', '/none/%zz');
  await note('PATCH', '/v0/map/none');
  for (const query of [
    `{ map(id: "${secrets.inLiteral}") { id } }`,
    `{ map(id: "${secrets.inLiteral}" }`,
    `{ map(id: "${secrets.inLiteral}") { id none(a: "${secrets.inLiteral}") } }`,
    `mutation { createToken(input: {scope: "${secrets.inLiteral}"}) { secret } }`,
    `mutation { createLocation(input: {mapId: "${mapId}", fields: "${secrets.inLiteral}"}) { location { id } } }`,
    `{ map(id: "${mapId}") { locations(after: "${secrets.inLiteral}") { nodes { id } } } }`,
    `{ map(id: "${mapId}") { locations(filter: {search: "${secrets.inLiteral} - - - -", property: {name: "${secrets.inLiteral}"}}) { nodes { id } } } }`,
  ]) {
    await graphql(query);
  }
  const input =
    'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }';
  for (const variables of [
    { input: secrets.inVariable },
    { input: { mapId: { a: secrets.inVariable }, fields: {} } },
    { input: { mapId, fields: secrets.inVariable } },
    { input: { mapId, fields: { Name: 'A', Address: 'A' }, order: `${secrets.inVariable}\u0000` } },
    {
      input: {
        mapId,
        fields: { Name: 'A', Address: 'A' },
        position: { latitude: secrets.inVariable, longitude: 1 },
      },
    },
    { input: { mapId, fields: { Name: 'A', Address: 'A' }, idempotencyKey: `${secrets.inVariable}\n` } },
  ]) {
    await graphql(input, variables);
  }
  const bodies = [
    `{"fields": {"Name": "${secrets.inBody}`,
    `{"fields": "${secrets.inBody}"}`,
    `{"fields": {"Name": "A", "Address": "A"}, "order": {"a": "${secrets.inBody}"}}`,
    JSON.stringify({ fields: { Name: 'A', Address: 'A', big: secrets.inBody.repeat(3_000) } }),
    secrets.inBody.repeat(50_000),
  ];
  for (const body of bodies) {
    await note('POST', `/v0/map/${mapId}/location`, { body });
    await note('POST', '/graphql', { body });
  }
  await note('POST', `/v0/map/${mapId}/location`, {
    body: 'x',
    headers: { 'content-type': `text/${secrets.inHeader}` },
  });
  await note('GET', '/v0/map/0123456789abcdef', {
    headers: {
      'x-request-id': `${secrets.inHeader}${'x'.repeat(200)}`,
      traceparent: secrets.inHeader,
      'x-api-key': secrets.inHeader,
    },
  });

  // Malformed HTTP.
  for (const garbage of [
    `GARBAGE ${secrets.inGarbage}\r\n\r\n`,
    `GET /${secrets.inGarbage} HTTP/9.9\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nBad header ${secrets.inGarbage}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nX: ${secrets.inGarbage.repeat(800)}\r\n\r\n`,
    `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: ${secrets.inGarbage}\r\n\r\n`,
  ]) {
    const connection = await openConnection(server.port);
    connection.write(garbage);
    await connection.closed;
    responses.push(connection.rest(), ...connection.responses().map(({ body }) => body));
  }

  await graphql(
    `mutation { testWebhook(input: {mapId: "${mapId}", id: "${webhookId}"}) { delivered error } }`,
  );
  await graphql(
    `mutation { updateWebhook(input: {mapId: "${mapId}", id: "${webhookId}", url: "ftp://${secrets.inLiteral}"}) { webhook { id } } }`,
  );
  await until(() => server.stderr().includes('Webhook delivery attempt'), 'a delivery attempt');

  // Responses to a read token and to the public.
  for (const path of [`/maps/${mapId}`, `/oembed?url=${encodeURIComponent(`${server.url}/maps/${mapId}`)}`]) {
    expect((await note('GET', path, { auth: '' })).status).toBe(200);
  }
  for (const format of ['geojson', 'csv', 'ndjson', 'xlsx']) {
    expect((await note('GET', `/maps/${mapId}/locations.${format}`, { auth: '' })).status).toBe(200);
  }
  await graphql(
    `{ publicMap(id: "${mapId}") { name providerMapApiKey geocodingApiKey fields { name } } }`,
    {},
    '',
  );
  for (const path of ['/readyz', '/console', '/docs', '/v0/openapi.json', '/schema.graphql', '/graphiql']) {
    await note('GET', path, { auth: '' });
  }
  return responses;
}

/** Runs commands that succeed and commands that fail. */
async function runEverything({ cwd, run, mapId }: Setup): Promise<void> {
  writeFileSync(
    join(cwd, 'in', 'rows.csv'),
    `Name,Address,Notes\nA,"${values.address}",${values.property}\n,${values.address},\n`,
  );
  writeFileSync(join(cwd, 'in', 'wrong.geojson'), '{"type": "Other"}');
  const away = `mongodb://alice:${secrets.databasePassword}@127.0.0.1:9/maps`;
  const both = (args: string[], more?: Settings) => [
    [args, more] as const,
    [[...args, '--json'], more] as const,
  ];
  const commands = [
    ...both(['token', 'list']),
    ...both(['token', 'revoke', secrets.wrongToken]),
    ...both(['map', 'list']),
    ...both(['map', 'update', mapId, '--geocoding-key', secrets.geocodingKey]),
    ...both(['map', 'update', 'none', '--geocoding-key', secrets.geocodingKey]),
    ...both(['map', 'create', '--owner', 'bob', '--name', ' ', '--provider-key', secrets.providerKey]),
    ...both(['map', 'create', '--owner', 'bob', '--name', 'x', '--wrong-option', secrets.providerKey]),
    ...both(['location', 'update', mapId, 'none', '--field', 'x']),
    ...both(['import', mapId, 'in/rows.csv']),
    ...both(['import', mapId, 'in/wrong.geojson']),
    ...both(['doctor']),
    ...both(['doctor'], { SECRET_KEY: `${secrets.secretKey}-another` }),
    ...both(['serve'], { SECRET_KEY: `${secrets.secretKey}-another`, PORT: '0' }),
    ...['postgres', 'mongodb', 'mongodb+srv'].flatMap((scheme) =>
      both(['token', 'list'], { DATABASE_URL: `${scheme}://alice:${secrets.databasePassword}@[bad/maps` }),
    ),
    ...both(['serve'], { SECRET_KEY: secrets.secretKey.slice(-20), PORT: '0' }),
    ...both(['serve'], { JWT_ISSUER: `https://alice:${secrets.databasePassword}@id.example.org`, PORT: '0' }),
    ...both(['serve'], {
      GOOGLE_GEOCODING_URL: `https://alice:${secrets.databasePassword}@g.example.org`,
      PORT: '0',
    }),
    ...both(['serve'], { PUBLIC_URL: `https://alice:${secrets.databasePassword}@example.org`, PORT: '0' }),
    ...both(['serve'], { RATE_LIMIT: secrets.inBody, PORT: '0' }),
  ];
  for (const [args, more] of commands) await run(args, more);
  const storeAway = { DATABASE_URL: away, DATABASE_TIMEOUT_MS: '500' };
  const waiting = [
    run(['token', 'list'], storeAway),
    run(['doctor', '--json'], storeAway),
    run(['backup', 'out/none.gz'], storeAway),
    run(['copy', '--from', away, '--to', `sqlite:${join(cwd, 'data', 'never.db')}`], storeAway),
  ];
  for (const { code } of await Promise.all(waiting)) expect(code).not.toBe(0);
}

/** Backs up, copies and exports the whole store. */
async function archiveEverything({ cwd, databaseUrl, run, token }: Setup): Promise<void> {
  const done = [
    await run(['backup', 'out/backup.gz', '--json']),
    await run(['backup', 'out/without.gz', '--without-secrets']),
    await run(['copy', '--from', databaseUrl, '--to', `sqlite:${join(cwd, 'data', 'copy.db')}`]),
    await run(['restore', 'out/backup.gz'], { DATABASE_URL: `sqlite:${join(cwd, 'data', 'restored.db')}` }),
    await run(['doctor'], { DATABASE_URL: `sqlite:${join(cwd, 'data', 'restored.db')}` }),
    await run(['token', 'revoke', token]),
  ];
  expect(done.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
  await run(['restore', 'out/backup.gz', '--json']);
}

/** The canaries with these names. */
const among = (canaries: Canaries, names: readonly string[]): Canaries =>
  Object.fromEntries(Object.entries(canaries).filter(([name]) => names.includes(name)));

/** All documents of a MongoDB database, as BSON. */
function documentsOf(url: string): Promise<Buffer> {
  return withClient(url, async (client) => {
    const parts: Uint8Array[] = [];
    for (const collection of await client.db().collections()) {
      for await (const document of collection.find({}, { raw: true }))
        parts.push(document as unknown as Uint8Array);
    }
    return Buffer.concat(parts);
  });
}

const mongodb = await testServer();
const database = mongodb === null ? null : ownDatabase(mongodb);

for (const { how, isSealed, isOnMongodb } of [
  { how: 'with SECRET_KEY', isSealed: true, isOnMongodb: false },
  { how: 'without SECRET_KEY', isSealed: false, isOnMongodb: false },
  { how: 'with SECRET_KEY, on MongoDB', isSealed: true, isOnMongodb: true },
]) {
  describeUnless(isOnMongodb && database === null && NO_MONGODB, `canaries ${how}`, () => {
    let setup: Setup;
    let outputs: readonly string[];
    let responses: readonly string[];
    let metrics: string;
    beforeAll(async () => {
      setup = await setUp(isSealed, isOnMongodb ? database : null);
      const metricsPort = await freePort();
      const server = await startPlainServer(setup.cwd, { ...setup.env, METRICS_PORT: String(metricsPort) });
      responses = await requestEverything(server, setup);
      metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      // Without a SECRET_KEY the commands would seal the store. On MongoDB they are slow and add little.
      if (isSealed && (isTorture || !isOnMongodb)) await runEverything(setup);
      await archiveEverything(setup);
      await server.stop();
      outputs = [server.stdout(), server.stderr(), ...setup.outputs];
    });

    it('are in no output of the program at log level trace', () => {
      expect(outputs.join('').length).toBeGreaterThan(20_000);
      expect(outputs.join('')).toContain('GEOCODER_REFUSED');
      const lines = outputs.flatMap((output) => output.split('\n'));
      expect(lines.filter((line) => findCanaries(setup.canaries, line).length > 0)).toEqual([]);
    });

    it('are in no response except the stored row', () => {
      expect(responses.length).toBeGreaterThan(60);
      expect(responses.filter((response) => findCanaries(setup.canaries, response).length > 0)).toEqual([]);
    });

    it('are neither in the metrics nor in the audit log', () => {
      expect(metrics).toContain('map_locations_');
      expect(findCanaries(setup.canaries, metrics)).toEqual([]);
      const audit = readFileSync(join(setup.cwd, 'audit.log'));
      expect(audit.toString()).toContain('createLocation');
      expect(findCanaries(setup.canaries, audit)).toEqual([]);
    });

    it('are in the files of the store only in the rows that hold them', async () => {
      const keys = isSealed ? [] : ['changedKey', 'geocodingKey', 'webhookSecret'];
      const expected = [...STORED, ...keys].sort();
      const files = [...(isOnMongodb ? [] : ['store.db']), 'copy.db', 'restored.db'];
      expect(findInFiles(setup.canaries, join(setup.cwd, 'data'))).toEqual(
        Object.fromEntries(files.map((name) => [name, expected])),
      );
      if (isOnMongodb) {
        expect(findCanaries(setup.canaries, await documentsOf(setup.databaseUrl)).sort()).toEqual(expected);
      }
    });

    it('are in a backup as in the store, without keys in a backup without secrets', () => {
      const rows = among(setup.canaries, STORED);
      const keys = isSealed ? [] : ['changedKey', 'geocodingKey', 'webhookSecret'];
      expect(findInFiles(setup.canaries, join(setup.cwd, 'out'))).toEqual({
        'backup.gz': [...Object.keys(rows), ...keys].sort(),
        'without.gz': Object.keys(rows).sort(),
      });
      rmSync(setup.cwd, { recursive: true });
    });
  });
}
