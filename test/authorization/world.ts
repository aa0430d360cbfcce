/** The owners, tokens and maps of the matrix, and the request of each operation. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { createStoreList } from '../../src/rest/locations-page.ts';
import { createTable } from '../../src/rest/table.ts';
import { createSchema } from '../../src/graphql/schema.ts';
import { openStorage } from '../../src/storage/open.ts';
import { dataOf, lastHistoryId, makeLocations, makeWebhook } from '../support/graphql.ts';
import { Issuer } from '../support/issuer.ts';
import { addMember, makeMapLink, removeMember, shareMap } from '../support/members.ts';
import { listen } from '../support/raw-http.ts';
import type { Ids } from '../support/root-fields.ts';
import {
  MUTATIONS,
  PUBLIC_QUERIES,
  QUERIES,
  SESSION_MUTATIONS,
  SUBSCRIPTIONS,
  UNKNOWN,
} from '../support/root-fields.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { cheapPasswords, jarOf, OWN_PAGE, PASSWORD, postAuth, signUp } from '../support/sign-in.ts';
import type { StorageProxy } from '../support/storage-proxy.ts';
import { proxyStorage } from '../support/storage-proxy.ts';
import { textOfExport } from '../support/zip.ts';
import type { CallerName, LinkRule, Rule, TargetName } from './rules.ts';
import { EXPORT_RULE, GRAPHQL_RULES, LINK_RULES, TARGETS, V0_RULES } from './rules.ts';

/** Part of every name and key of a map, so that a response that leaks one can be detected. */
export const TELLTALE = 'telltale';

export interface TargetMap {
  readonly ids: Ids;
  /** Tokens limited to the map, if it is the owner's. */
  readonly limited: { readonly write: string; readonly read: string } | null;
  /** Links to the map, likewise. */
  readonly links: { readonly edit: string; readonly view: string } | null;
}

/** What a request authenticates with. */
export interface Credentials {
  readonly token: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Operation {
  readonly name: string;
  readonly rule: Rule;
  /** The least that a link to the map must allow. */
  readonly link: LinkRule;
  /** Whether it changes the store when allowed. */
  readonly writes: boolean;
  ask(server: TestServer, ids: Ids, credentials: Credentials): Promise<TestResponse>;
  /** The result in an allowed response; null where it is absent. */
  resultOf(response: TestResponse): unknown;
}

export interface World {
  readonly server: TestServer;
  /** Records the store calls. */
  readonly store: StorageProxy;
  /** A new map of that kind, with a location and a token. */
  createTarget(target: TargetName): Promise<TargetMap>;
  credentialsOf(caller: CallerName, target: TargetMap): Credentials;
  close(): Promise<void>;
}

/** The owners that are members of the owner's maps. */
const MEMBERS = { viewer: 'a viewer', editor: 'an editor', owner: 'a second owner' } as const;
const REMOVED = 'a removed member';

const HOUR_MS = 3_600_000;

/** @param url the URL of an empty store */
export async function createWorld(url: string): Promise<World> {
  const issuer = await Issuer.start();
  const store = proxyStorage(await openStorage(url, { timeoutMs: 5_000 }));
  let clock = Date.now;
  const server = await createTestServer(issuer.settings, {
    storage: store.storage,
    clock: () => clock(),
    passwords: cheapPasswords().passwords,
  });
  const { tokens } = server.gateway.services;
  await listen(server);

  // The JWTs belong to the operator's owner of that name.
  const owner = `${issuer.url}#owner`;
  const another = `${issuer.url}#another`;
  const create = (of: string, scope: 'read' | 'write' = 'write', mapId: string | null = null) =>
    server.createToken({ owner: of, scope, mapId });
  const ownersToken = await create(owner);
  const thirdsToken = await create('a third owner');
  const tokenOfMember: Partial<Record<CallerName, string>> = {
    "a viewer's": await create(MEMBERS.viewer),
    "a viewer's to read": await create(MEMBERS.viewer, 'read'),
    "an editor's": await create(MEMBERS.editor),
    "an editor's to read": await create(MEMBERS.editor, 'read'),
    "a second owner's": await create(MEMBERS.owner),
    "a removed member's": await create(REMOVED),
  };

  const createTarget = async (name: TargetName): Promise<TargetMap> => {
    const { isOwners, isPublished, isDeleted } = TARGETS[name];
    const token = isOwners ? ownersToken : thirdsToken;
    const { record } = await tokens.createToken({
      owner: isOwners ? owner : 'a third owner',
      scope: 'read',
      mapId: null,
      expiresAt: null,
    });
    if (name === 'unknown') {
      return { ids: UNKNOWN, limited: null, links: null };
    }
    const made = await server.graphql(
      `mutation ($input: CreateMapInput!) { createMap(input: $input) { map { id } } }`,
      {
        input: {
          name: `${TELLTALE} map`,
          isPublished,
          providerMapApiKey: `${TELLTALE} key`,
          geocodingApiKey: `${TELLTALE} key`,
        },
      },
      token,
    );
    const mapId: string = dataOf(made).createMap.map.id;
    const [location] = await makeLocations(server, mapId, [null], token);
    const historyId = await lastHistoryId(server, mapId, token);
    const webhookId = await makeWebhook(server, mapId, token);
    const shared = await shareMap(server, mapId, token);
    if (isOwners) await addMembers(server, mapId);
    const limited = isOwners
      ? { write: await create(owner, 'write', mapId), read: await create(owner, 'read', mapId) }
      : null;
    const link = async (allows: 'edit' | 'view') =>
      (await makeMapLink(server, mapId, token, { scope: allows })).secret;
    const links = isOwners ? { edit: await link('edit'), view: await link('view') } : null;
    if (isDeleted) {
      dataOf(
        await server.graphql(
          `mutation { deleteMap(input: {id: "${mapId}"}) { map { id } } }`,
          undefined,
          token,
        ),
      );
    }
    const ids = {
      mapId,
      locationId: location?.id ?? '',
      tokenId: record.id,
      webhookId,
      historyId,
      ...shared,
    };
    return { ids, limited, links };
  };

  const otherMap = await createTarget('own');
  clock = () => Date.now() - 2 * HOUR_MS;
  const expired = await tokens.createToken({
    owner,
    scope: 'write',
    mapId: null,
    expiresAt: Date.now() - HOUR_MS,
  });
  clock = Date.now;
  const revoked = await create(owner);
  await tokens.revokeToken(revoked);

  const session = await signUp(server, owner);
  const ended = jarOf(await postAuth(server, 'sign-in', { name: owner, password: PASSWORD }));
  await postAuth(server, 'sign-out', {}, ended);
  const headersOfCaller: Partial<Record<CallerName, Record<string, string>>> = {
    'a session': { ...OWN_PAGE, ...session },
    'a session, from another site': { ...session, 'sec-fetch-site': 'cross-site' },
    'a session that has ended': { ...OWN_PAGE, ...ended },
    "another owner's session": { ...OWN_PAGE, ...(await signUp(server, another)) },
    "a viewer's session": { ...OWN_PAGE, ...(await signUp(server, MEMBERS.viewer)) },
    "an editor's session": { ...OWN_PAGE, ...(await signUp(server, MEMBERS.editor)) },
    "a second owner's session": { ...OWN_PAGE, ...(await signUp(server, MEMBERS.owner)) },
  };
  const tokenOfCaller: Partial<Record<CallerName, string | null>> = {
    'no token': null,
    'an unknown token': 'mlt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'an expired token': expired.token,
    'a revoked token': revoked,
    "the owner's": ownersToken,
    "the owner's to read": await create(owner, 'read'),
    "the owner's for another map": otherMap.limited?.write ?? null,
    'a link of another map': otherMap.links?.edit ?? null,
    "another owner's": await create(another),
    "another owner's to read": await create(another, 'read'),
    'a JWT to write': await issuer.sign({ sub: 'owner' }),
    'a JWT to read': await issuer.sign({ sub: 'owner', scope: 'map-locations:read' }),
    'a JWT without a scope': await issuer.sign({ sub: 'owner', scope: 'openid' }),
    'a JWT that is over': await issuer.sign({ sub: 'owner', exp: Math.floor(Date.now() / 1000) - 3600 }),
    ...tokenOfMember,
    "another owner's JWT": await issuer.sign({ sub: 'another' }),
  };

  return {
    server,
    store,
    createTarget,
    credentialsOf(caller, { limited, links }) {
      const headers = headersOfCaller[caller];
      if (headers !== undefined) return { token: null, headers };
      const ofMap = limited ?? otherMap.limited;
      if (caller === "the owner's for this map") return { token: ofMap?.write ?? null, headers: {} };
      if (caller === "the owner's to read this map") return { token: ofMap?.read ?? null, headers: {} };
      const linksOfMap = links ?? otherMap.links;
      if (caller === 'a view link of the map') return { token: linksOfMap?.view ?? null, headers: {} };
      if (caller === 'an edit link of the map') return { token: linksOfMap?.edit ?? null, headers: {} };
      const token = tokenOfCaller[caller];
      if (token === undefined) throw new Error(`No token is made for ${caller}.`);
      return { token, headers: {} };
    },
    async close() {
      await server.close();
      await issuer.stop();
    },
  };
}

async function addMembers(server: TestServer, mapId: string): Promise<void> {
  for (const role of ['viewer', 'editor', 'owner'] as const) {
    await addMember(server, mapId, MEMBERS[role], role);
  }
  await addMember(server, mapId, REMOVED, 'editor');
  await removeMember(server, mapId, REMOVED);
}

type Document = (ids: Ids) => string;

/** Documents for fields that not every token may use, or that touch two things at once. */
const DOCUMENTS: Readonly<Record<string, Document>> = {
  ...QUERIES,
  ...PUBLIC_QUERIES,
  ...MUTATIONS,
  ...SESSION_MUTATIONS,
  ...SUBSCRIPTIONS,
  nodes: ({ locationId }) => `{ nodes(ids: ["${locationId}"]) { id } }`,
  // A token cannot create one that outlives it.
  createToken: ({ mapId }) =>
    `mutation { createToken(input: { scope: read, mapId: "${mapId}", expiresAt: "${new Date(Date.now() + 60_000).toISOString()}" }) { token { id } } }`,
};

/** Other forms of a root field, with the differences in their rules. */
const FORMS: readonly (readonly [field: string, form: string, Document, Partial<Rule>])[] = [
  [
    'node',
    'of a location',
    ({ locationId }) => `{ node(id: "${locationId}") { id } }`,
    { ofDeleted: 'NULL' },
  ],
  ['nodes', 'of maps', ({ mapId }) => `{ nodes(ids: ["${mapId}"]) { id } }`, { ofDeleted: 'OK' }],
  [
    'map',
    'with its locations',
    ({ mapId }) => `{ map(id: "${mapId}") { locations { nodes { id } } } }`,
    { ofDeleted: 'MAP_DELETED' },
  ],
  [
    'createLocations',
    'in a dry run',
    ({ mapId }) =>
      `mutation { createLocations(input: { mapId: "${mapId}", dryRun: true, locations: [{ fields: { Name: "N", Address: "A" } }] }) { map { id } } }`,
    {},
  ],
  [
    'upsertLocations',
    'in a dry run',
    ({ mapId }) =>
      `mutation { upsertLocations(input: { mapId: "${mapId}", dryRun: true, locations: [{ externalId: "e", fields: { Name: "N", Address: "A" } }] }) { map { id } } }`,
    {},
  ],
  [
    'deleteLocations',
    'by a filter',
    ({ mapId }) =>
      `mutation { deleteLocations(input: { mapId: "${mapId}", filter: {}, expectedCount: 1 }) { deletedIds } }`,
    {},
  ],
];

/** Every root field of the schema. @throws where one has no rule or no document */
export function graphqlOperations(): Operation[] {
  const schema = createSchema();
  const types = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = types.flatMap((type) => Object.keys(type?.getFields() ?? {}));
  for (const field of fields) {
    if (GRAPHQL_RULES[field] === undefined) throw new Error(`The root field ${field} has no rule.`);
    if (LINK_RULES[field] === undefined) throw new Error(`The root field ${field} has no rule for links.`);
    if (DOCUMENTS[field] === undefined) throw new Error(`The root field ${field} has no document.`);
  }
  const operation = (field: string, name: string, document: Document, rule: Rule): Operation => ({
    name,
    rule,
    link: LINK_RULES[field] as LinkRule,
    writes: field in MUTATIONS || field in SESSION_MUTATIONS,
    ask: (server, ids, credentials) =>
      field in SUBSCRIPTIONS
        ? subscribe(server, document(ids), credentials)
        : server.request('POST', '/graphql', { ...credentials, body: { query: document(ids) } }),
    resultOf: ({ json }) => {
      const value: unknown = json.data?.[field] ?? null;
      return Array.isArray(value) && value.every((item) => item === null) ? null : value;
    },
  });
  return [
    ...Object.entries(GRAPHQL_RULES).map(([field, rule]) =>
      operation(field, field, DOCUMENTS[field] as Document, rule),
    ),
    ...FORMS.map(([field, form, document, more]) =>
      operation(field, `${field} ${form}`, document, { ...(GRAPHQL_RULES[field] as Rule), ...more }),
    ),
  ];
}

/** Subscribes by server-sent events. @returns the first event, after the subscription has ended */
async function subscribe(
  server: TestServer,
  query: string,
  { token, headers: more }: Credentials,
): Promise<TestResponse> {
  const { port } = server.app.server.address() as AddressInfo;
  const connected = once(server.app.server, 'connection') as Promise<[Socket]>;
  const sent = request({
    port,
    path: '/graphql',
    method: 'POST',
    agent: false,
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...more,
    },
  });
  sent.end(JSON.stringify({ query }));
  const [socket] = await connected;
  const left = once(socket, 'close');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers } = response;
  let text = '';
  for await (const chunk of response) {
    text = `${text}${String(chunk)}`;
    if (FIRST_EVENT.test(text)) break;
  }
  sent.destroy();
  await left;
  const [, data = text] = FIRST_EVENT.exec(text) ?? [];
  return { status, headers, text: data, json: JSON.parse(data) };
}

const FIRST_EVENT = /event: next\ndata: (.*)\n\n/;

/** Every route of /v0. @throws where one has no rule */
export function v0Operations(): Operation[] {
  const rows = createTable({ mapProvider: 'provider', singleLocation: 'array' }, createStoreList());
  return rows.map(({ method, path }) => {
    const name = `${method} ${path}`;
    const rule = V0_RULES[name];
    if (rule === undefined) throw new Error(`The route ${name} has no rule.`);
    return {
      name,
      rule,
      link: method === 'GET' ? 'view' : 'edit',
      writes: method !== 'GET',
      ask: (server, { mapId, locationId }, credentials) =>
        server.request(method, path.replace(':mapId', mapId).replace(':locationId', locationId), {
          ...credentials,
          ...(method === 'POST' && { body: { fields: { Name: 'N', Address: 'A' } } }),
        }),
      resultOf: ({ json }) => json,
    };
  });
}

export function exportOperations(): Operation[] {
  return ['geojson', 'csv', 'ndjson', 'xlsx'].map((format) => ({
    name: `GET /maps/:mapId/locations.${format}`,
    rule: EXPORT_RULE,
    link: 'view',
    writes: false,
    ask: (server, { mapId }, credentials) =>
      server.request('GET', `/maps/${mapId}/locations.${format}`, credentials),
    resultOf: ({ bytes }) => textOfExport(bytes),
  }));
}
