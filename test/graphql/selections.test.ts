/**
 * An object has the same values whatever is selected: each leaf alone and each pair of leaves (one in five pairs in
 * `npm test`), on every path to the object. Stores and gateways read only what a selection needs, so selections take
 * different paths.
 */

import type { GraphQLSchema } from 'graphql';
import { isObjectType } from 'graphql';

import { createSchema } from '../../src/graphql/schema.ts';
import { createUpstreamSchema } from '../../src/upstream/graphql/schema.ts';
import type { UpstreamService } from '../../src/upstream/services/upstream-service.ts';
import { openGatewayEndpoints } from '../support/gateway.ts';
import { dataOf, makeMap } from '../support/graphql.ts';
import { asDataUrl, LOGOS } from '../support/logos.ts';
import { addMember, makeInvitation, makeMapLink } from '../support/members.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import type { SelectionOptions, Path, ObjectPath } from '../support/selections.ts';
import {
  findObjectPaths,
  isSmall,
  objectsAt,
  pairsOf,
  pick,
  selectionText,
  withAlias,
} from '../support/selections.ts';
import type { TestResponse, TestEndpoints, TestServer } from '../support/server.ts';
import { sampled } from '../support/scope.ts';
import { createTestServer } from '../support/server.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

/** The variables of the operations. */
const VARIABLES = {
  mapId: 'ID!',
  id: 'ID!',
  lastId: 'ID!',
  webhookId: 'ID!',
  memberId: 'ID!',
  secret: 'String!',
  historyId: 'ID!',
} as const;
type Values = Readonly<Record<keyof typeof VARIABLES, string>>;

const NEAR = 'filter: {near: {latitude: 48, longitude: 9, radius: 500000}}';
const WORLD = 'bbox: {south: -90, west: -180, north: 90, east: 180}';
const FOUND = 'filter: {search: "shop"}';
const FIELDS = 'fields: {Name: "Created", Address: "Main Street 9"}';

/** Root fields that a gateway serves, too. */
const SERVED: SelectionOptions['argumentsOf'] = {
  'Query.map': ['id: $mapId'],
  'Query.location': ['mapId: $mapId, id: $id'],
  'Map.location': ['id: $id'],
  'Map.locations': ['', 'first: 2'],
  'Mutation.createLocation': [`input: {mapId: $mapId, ${FIELDS}, idempotencyKey: "one"}`],
  // Not repeatable.
  'Mutation.deleteLocation': [],
};

const ARGUMENTS: SelectionOptions['argumentsOf'] = {
  ...SERVED,
  'Query.publicMap': ['id: $mapId'],
  'Query.invitation': ['secret: $secret'],
  'Query.node': ['id: $mapId', 'id: $id'],
  'Query.nodes': ['ids: [$mapId, $id]'],
  'Query.reverseGeocode': ['mapId: $mapId, latitude: 48.1, longitude: 9'],
  'Query.suggestAddresses': ['mapId: $mapId, text: "Main"'],
  'Query.geocode': ['mapId: $mapId, address: "several: Main Street"'],
  'Viewer.locations': ['first: 2', `last: 2, ${NEAR}, orderBy: {by: distance}`],
  'Viewer.maps': ['', 'filter: {search: "shops"}, orderBy: {by: name}'],
  'Map.locations': [
    'first: 2',
    `first: 2, ${FOUND}`,
    'last: 2, orderBy: {by: name, direction: desc}',
    `${NEAR}, orderBy: {by: distance}`,
  ],
  'Map.history': ['first: 2'],
  'Map.trash': ['first: 1'],
  'Location.versions': ['first: 2'],
  'Map.locationAt': ['place: 1'],
  'Map.locationByExternalId': ['externalId: "e1"'],
  'Map.clusters': [`${WORLD}, zoom: 10`, `${WORLD}, zoom: 10, ${FOUND}`],
  'Mutation.createLocations': [
    `input: {mapId: $mapId, locations: [{${FIELDS}, idempotencyKey: "many"}, {fields: {Name: "No address"}}]}`,
  ],
  'Mutation.updateLocation': ['input: {mapId: $mapId, id: $id, fields: {Name: "Shop 1"}}'],
  'Mutation.upsertLocations': [
    `input: {mapId: $mapId, locations: [{externalId: "e9", ${FIELDS}}, {externalId: "e8", fields: {}}]}`,
  ],
  'Mutation.geocodeLocations': [
    'input: {mapId: $mapId, ids: [$id, $lastId], includeManual: true, dryRun: true}',
  ],
  'Mutation.checkLocations': ['input: {mapId: $mapId, ids: [$lastId], isChecked: true}'],
  'Mutation.moveLocations': ['input: {mapId: $mapId, ids: [$lastId], toEnd: true}'],
  'Mutation.restoreLocations': ['input: {mapId: $mapId, ids: [$id, "unknown"]}'],
  'Mutation.purgeLocations': ['input: {mapId: $mapId, ids: ["unknown"]}'],
  'Mutation.restoreVersion': ['input: {mapId: $mapId, id: $lastId, version: 1}'],
  'Mutation.undoChange': ['input: {mapId: $mapId, historyId: $historyId, dryRun: true}'],
  'Mutation.updateMap': ['input: {id: $mapId, isPublished: true}'],
  'Mutation.restoreMap': ['input: {id: $mapId}'],
  'Mutation.updateWebhook': ['input: {mapId: $mapId, id: $webhookId, events: [deleted]}'],
  'Mutation.testWebhook': ['input: {mapId: $mapId, id: $webhookId}'],
  'Mutation.updateMember': ['input: {mapId: $mapId, id: $memberId, role: viewer}'],
  'Mutation.acceptInvitation': ['input: {secret: $secret}'],
  // Not repeatable.
  'Mutation.createMap': [],
  'Mutation.deleteMap': [],
  'Mutation.deleteLocations': [],
  'Mutation.endSessions': [],
  'Mutation.changePassword': [],
  'Mutation.createToken': [],
  'Mutation.revokeToken': [],
  'Mutation.createInvitation': [],
  'Mutation.revokeInvitation': [],
  'Mutation.createMapLink': [],
  'Mutation.replaceMapLink': [],
  'Mutation.revokeMapLink': [],
  'Mutation.removeMember': [],
  'Mutation.leaveMap': [],
  'Mutation.createWebhook': [],
  'Mutation.deleteWebhook': [],
  'Mutation.rotateWebhookSecret': [],
};

/** Refused below `publicMap`. */
const NOT_PUBLIC: ReadonlySet<string> = new Set([
  'Map.locationAt',
  'Map.locationByExternalId',
  'Map.members',
  'Map.invitations',
  'Map.links',
  'Map.history',
  'Map.trash',
  'Location.versions',
  'Map.webhooks',
]);
/** Paths without an object: the token of the requests is not limited to a map, and its owner has no account. */
const NOWHERE: ReadonlySet<string> = new Set([
  'viewer > account',
  'viewer > sessions',
  'viewer > token > map',
  'publicMap > geocoding',
  'publicMap > geocoding > bounds',
]);

/** Types that only subscriptions and mutations that cannot be repeated return. */
const NOT_SELECTED = [
  ...['Subscription', 'LocationChange'],
  ...['CreateMapPayload', 'DeleteMapPayload', 'DeleteLocationPayload', 'DeleteLocationsPayload'],
  ...['CreateTokenPayload', 'CreateWebhookPayload', 'RotateWebhookSecretPayload'],
  ...['CreateInvitationPayload', 'CreateMapLinkPayload', 'ReplaceMapLinkPayload'],
];

const ROOTS = ['Query', 'Mutation'] as const;

/** Concurrent operations. */
const AT_ONCE = 4;
/** Pairs of leaves in one operation, under aliases: an operation for each would take a minute. */
const PAIRS_AT_ONCE = 20;
/** Limits that fit such operations, also on a busy machine. */
const ROOM = {
  GRAPHQL_MAX_ALIASES: '1000',
  GRAPHQL_MAX_ROWS: '100000',
  DATABASE_TIMEOUT_MS: '60000',
  SEARCH_TIMEOUT_MS: '60000',
} as const;

interface Setting {
  readonly endpoints: TestEndpoints;
  readonly values: Values;
  close(): Promise<void>;
}

/** Stores at least one object for every path. */
async function fill(server: TestServer): Promise<Values> {
  const execute = async (query: string, variables: Record<string, unknown> = {}) =>
    dataOf(await server.graphql(query, variables));
  const fields = [
    { name: 'Name', type: 'placeName' },
    { name: 'Address', type: 'address' },
    { name: 'Notes', type: 'text', isPublic: false },
    { name: 'Kind', type: 'category' },
  ];
  const settings = {
    providerMapApiKey: 'provider',
    geocodingApiKey: 'geocoding',
    geocoding: { bounds: { south: -90, west: -180, north: 90, east: 180 } },
  };
  const { id: mapId } = await makeMap(server, { name: 'Shops', isPublished: true, fields, ...settings });
  await execute('mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }', {
    input: {
      ...{ id: mapId, categories: [{ value: 'shop', icon: 'shop' }] },
      theme: { logo: asDataUrl(LOGOS['image/png']) },
    },
  });
  const locations = [1, 2, 3, 4].map((n) => ({
    fields: { Name: `Shop ${n}`, Address: `Main Street ${n}`, Notes: `No. ${n}` },
    externalId: `e${n}`,
    ...(n % 2 === 0 && { position: { latitude: 48 + n / 10, longitude: 9 } }),
  }));
  const { createLocations } = await execute(
    `mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { results { location { id } } historyId } }`,
    { input: { mapId, locations } },
  );
  const ids = (createLocations.results as { location: { id: string } }[]).map(({ location }) => location.id);
  const [id = '', second = '', lastId = ''] = [ids[0], ids[1], ids.at(-1)];
  // One has been changed, and one has no external id.
  await execute(
    'mutation ($a: UpdateLocationInput!, $b: UpdateLocationInput!) { a: updateLocation(input: $a) { map { id } } b: updateLocation(input: $b) { map { id } } }',
    { a: { mapId, id, fields: { Notes: 'Changed' } }, b: { mapId, id: second, externalId: null } },
  );
  const deleted = { mapId, fields: { Name: 'Deleted', Address: 'Main Street 0' } };
  const { createLocation } = await execute(
    'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }',
    { input: deleted },
  );
  const gone = { mapId, id: createLocation.location.id as string };
  await execute(
    'mutation ($a: UpdateLocationInput!, $b: DeleteLocationInput!) { updateLocation(input: $a) { map { id } } deleteLocation(input: $b) { map { id } } }',
    { a: { ...gone, fields: { Notes: 'Changed' } }, b: gone },
  );
  await execute(
    'mutation ($mapId: ID!) { createToken(input: {scope: read, mapId: $mapId, name: "Kiosk"}) { secret } }',
    { mapId },
  );
  const { createWebhook } = await execute(
    'mutation ($mapId: ID!) { createWebhook(input: {mapId: $mapId, url: "https://example.org/", events: [deleted]}) { webhook { id } } }',
    { mapId },
  );
  // A token's last use is stored with a delay, and then stays the same because the clock is fixed.
  await until(async () => {
    const { viewer } = await execute('{ viewer { token { lastUsedAt } } }');
    return viewer.token.lastUsedAt !== null;
  }, 'the last use of the token was stored');
  const memberId = await addMember(server, mapId, 'A member', 'editor');
  const { secret } = await makeInvitation(server, mapId, undefined, { note: 'Welcome' });
  await makeMapLink(server, mapId);
  return {
    mapId,
    id,
    lastId,
    webhookId: createWebhook.webhook.id,
    memberId,
    secret,
    historyId: createLocations.historyId,
  };
}

async function openServer(databaseUrl: string): Promise<Setting & { readonly endpoints: TestServer }> {
  const now = Date.now();
  const server = await createTestServer(
    { DATABASE_URL: databaseUrl, ...ROOM },
    { clock: () => now },
    { executesOnce: true },
  );
  return { endpoints: server, values: await fill(server), close: () => server.close() };
}

async function openStoreApplication(databaseUrl: string): Promise<Setting> {
  const deployment = await openServer(databaseUrl);
  const { endpoints: upstream, values } = deployment;
  const url = await upstream.app.listen({ host: '127.0.0.1', port: 0 });
  const endpoints = await openGatewayEndpoints(url, {
    token: await upstream.createToken(),
    executesOnce: true,
  });
  return {
    endpoints,
    values,
    async close() {
      await endpoints.close();
      await deployment.close();
    },
  };
}

type Execute = (root: string, paths: readonly Path[]) => Promise<TestResponse>;
type Selection = readonly Path[];

function executorOf({ endpoints, values }: Setting): Execute {
  return (root, paths) => {
    const selection = selectionText(paths);
    const used = Object.entries(VARIABLES).filter(([name]) => new RegExp(`\\$${name}\\b`).test(selection));
    const definitions = used.map(([name, type]) => `$${name}: ${type}`);
    const head = used.length === 0 ? '' : `(${definitions.join(', ')})`;
    return endpoints.graphql(`${root.toLowerCase()} ${head} ${selection}`, values);
  };
}

/** Compares an object with itself on other paths. */
class SeenObjects {
  readonly #known = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** @returns a description of each object that has other values elsewhere */
  see({ type, view, name, path, root }: ObjectPath, data: unknown): readonly string[] {
    const objects = objectsAt(data, path);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + objects.length);
    // Mutations may change it.
    if (root !== 'Query') return [];
    return objects.flatMap(({ id, ...values }) => {
      if (typeof id !== 'string') return [];
      const [key, text] = [`${view} ${type} ${id}`, JSON.stringify(values)];
      const known = this.#known.get(key) ?? text;
      this.#known.set(key, known);
      return known === text ? [] : [`${name} gives ${text}\n  and another path ${known}`];
    });
  }

  get emptyPaths(): readonly string[] {
    return [...this.#counts].flatMap(([objectPath, count]) => (count === 0 ? [objectPath] : []));
  }
}

/** The selections on a path, grouped into operations: each single leaf has its own. */
function operationsFor({ root, path, leaves }: ObjectPath, isBatching: boolean): (readonly Selection[])[] {
  const alone = leaves.map((leaf) => [[leaf]]);
  // A mutation returns what it has in memory, whatever is selected.
  if (root === 'Mutation') return alone;
  const pairs = [...sampled(pairsOf(leaves), 5)];
  const size = isBatching && path.length > 0 ? PAIRS_AT_ONCE : 1;
  const batches = Array.from({ length: Math.ceil(pairs.length / size) }, (_, index) =>
    pairs.slice(index * size, (index + 1) * size),
  );
  return [...alone, ...batches];
}

function pathsOf({ path }: ObjectPath, selections: readonly Selection[]): readonly Path[] {
  return selections.flatMap((leaves, index) => {
    const start = selections.length === 1 ? path : withAlias(path, `s${index}`);
    return leaves.map((leaf) => [...start, ...leaf]);
  });
}

interface Trial {
  readonly execute: Execute;
  readonly seen: SeenObjects;
  /** Whether one operation selects many pairs. In a gateway the reads of one would serve the others. */
  readonly isBatching: boolean;
}

/** @returns a description of each selection whose values differ from those of the whole object */
async function tryObjectPath(
  { execute, seen, isBatching }: Trial,
  objectPath: ObjectPath,
): Promise<readonly string[]> {
  const { root } = objectPath;
  const all = pathsOf(objectPath, [objectPath.leaves]);
  const whole = await execute(root, all);
  if (whole.json.errors !== undefined) return [`${selectionText(all)}\n  gives ${whole.text}`];
  const wrong = [...seen.see(objectPath, whole.json.data)];
  const tryAll = async (selections: readonly Selection[]): Promise<void> => {
    const paths = pathsOf(objectPath, selections);
    const text = (await execute(root, paths)).text.trim();
    const expected = JSON.stringify({ data: pick(whole.json.data, paths) });
    if (text === expected) return;
    const before = wrong.length;
    if (selections.length > 1) for (const one of selections) await tryAll([one]);
    if (wrong.length === before) wrong.push(`${selectionText(paths)}\n  gives ${text}\n  not   ${expected}`);
  };
  const waiting = operationsFor(objectPath, isBatching);
  const worker = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await tryAll(next);
  };
  await Promise.all(Array.from({ length: root === 'Query' ? AT_ONCE : 1 }, worker));
  return wrong;
}

interface SuiteOptions extends Pick<Trial, 'isBatching'> {
  readonly open: () => Promise<Setting>;
  readonly options: SelectionOptions;
}

function suite(name: string, schema: GraphQLSchema, { open, options, isBatching }: SuiteOptions): void {
  describe(`whatever is selected, an object has the same values: ${name}`, () => {
    const objectPaths = findObjectPaths(schema, ROOTS, options);
    const seen = new SeenObjects();
    let setting: Setting;
    beforeAll(async () => {
      setting = await open();
    });
    afterAll(() => setting.close());
    const warnings: Error[] = [];
    const listen = (warning: Error) => void warnings.push(warning);
    beforeAll(() => void process.on('warning', listen));
    afterAll(() => void process.off('warning', listen));

    const titleOf = ({ type, root }: ObjectPath) => `${type}, by a ${root.toLowerCase()}`;
    for (const title of new Set(objectPaths.map(titleOf))) {
      it(title, async () => {
        const trial = { execute: executorOf(setting), seen, isBatching };
        const wrong: string[] = [];
        for (const objectPath of objectPaths.filter((one) => titleOf(one) === title)) {
          wrong.push(...(await tryObjectPath(trial, objectPath)));
        }
        if (wrong.length > 0) throw new Error(`${wrong.length} differ:\n${wrong.slice(0, 20).join('\n')}`);
      });
    }

    it('without leak warnings from Node, however much an operation reads at once', () => {
      expect(warnings.filter(({ name: kind }) => kind === 'MaxListenersExceededWarning')).toEqual([]);
    });

    it('on paths that all have objects', () => {
      expect(seen.emptyPaths.filter((objectPath) => !NOWHERE.has(objectPath))).toEqual([]);
    });
  });
}

const OF_A_STORE: SelectionOptions = {
  argumentsOf: ARGUMENTS,
  includes: (coordinate, _field, root) => root !== 'publicMap' || !NOT_PUBLIC.has(coordinate),
  views: ['publicMap'],
};
const OF_A_GATEWAY: SelectionOptions = {
  argumentsOf: SERVED,
  includes: (_coordinate, { description }) => !description?.includes('Not part of /v0'),
};

it('every object type has a path, or is part of another type', () => {
  const schema = createSchema();
  const selected = new Set(findObjectPaths(schema, ROOTS, OF_A_STORE).map(({ type }) => type));
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('__') && !isSmall(type),
  );
  const notSelected = types.map(({ name }) => name).filter((name) => !selected.has(name));
  expect(notSelected.toSorted()).toEqual(NOT_SELECTED.toSorted());
});

suite('SQLite', createSchema(), {
  open: () => openServer('sqlite::memory:'),
  options: OF_A_STORE,
  isBatching: true,
});
suite('a gateway', createUpstreamSchema({} as UpstreamService), {
  open: () => openStoreApplication('sqlite::memory:'),
  options: OF_A_GATEWAY,
  isBatching: false,
});

const mongodb = await testServer();
const databaseUrl = mongodb === null ? '' : ownDatabase(mongodb);
describeUnless(mongodb === null && NO_MONGODB, 'on MongoDB', () => {
  suite('MongoDB', createSchema(), {
    open: () => openServer(databaseUrl),
    options: OF_A_STORE,
    isBatching: true,
  });
});
