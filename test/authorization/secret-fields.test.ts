/** Searches everything that a token can select in the schema for a map's secret values. */

import type { GraphQLObjectType, GraphQLOutputType } from 'graphql';
import { getNamedType, isInterfaceType, isLeafType, isObjectType } from 'graphql';

import { createSchema } from '../../src/graphql/schema.ts';
import { dataOf } from '../support/graphql.ts';
import { makeInvitation, makeMapLink } from '../support/members.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const KEY = 'canary-of-a-key';
const HIDDEN = 'canary-of-a-hidden-field';
const EXTERNAL = 'canary-of-an-external-id';
const NOTE = 'canary-of-an-invitation';
/** The default owner of tokens. */
const OWNER = 'tester';
const HOOK = 'https://example.org/canary-of-a-webhook';

const schema = createSchema();
/** Fails for callers without access, and with it the whole map; their selections leave it out. */
const REFUSING = 'Map.webhooks';
/** Deep enough to go from a location to its map and on to a location. */
const DEPTH = 4;

/** Every field below a type, with one row of each connection. */
function selectionOf(
  type: GraphQLOutputType,
  values: Readonly<Record<string, string>>,
  depth: number,
  leavesOut: readonly string[],
): string {
  const named = getNamedType(type);
  if (isInterfaceType(named)) {
    const parts = schema
      .getPossibleTypes(named)
      .map((of) => `... on ${of.name} ${selectionOf(of, values, depth, leavesOut)}`);
    return `{ ${parts.join(' ')} }`;
  }
  if (!isObjectType(named)) return '';
  const parts = Object.values(named.getFields()).flatMap((field) => {
    const isLeaf = isLeafType(getNamedType(field.type));
    if ((!isLeaf && depth === 0) || leavesOut.includes(`${named.name}.${field.name}`)) return [];
    const args = field.args.flatMap(({ name }) => {
      const value = values[name];
      return value === undefined ? [] : [`${name}: ${value}`];
    });
    const call = `${field.name}${args.length === 0 ? '' : `(${args.join(', ')})`}`;
    // Aliases: a field of two types must not conflict in one selection.
    return [
      `${named.name}_${field.name}: ${call} ${isLeaf ? '' : selectionOf(field.type, values, depth - 1, leavesOut)}`,
    ];
  });
  return `{ __typename ${parts.join(' ')} }`;
}

describe('the largest selection', () => {
  let server: TestServer;
  let values: Readonly<Record<string, string>>;
  let nodeIds: readonly string[];
  let secret: string;
  beforeAll(async () => {
    server = await createTestServer({
      GRAPHQL_MAX_DEPTH: '30',
      GRAPHQL_MAX_ALIASES: '5000',
      GRAPHQL_MAX_ROWS: '1000000',
      GRAPHQL_MAX_TOKENS: '100000',
      GRAPHQL_MAX_CHARACTERS: '2000000',
      BODY_LIMIT: '4000000',
    });
    const made = await server.graphql(
      'mutation ($input: CreateMapInput!) { createMap(input: $input) { map { id } } }',
      {
        input: {
          name: 'A map',
          isPublished: true,
          providerMapApiKey: KEY,
          geocodingApiKey: KEY,
          fields: [
            { name: 'Name', type: 'placeName' },
            { name: 'Address', type: 'address' },
            { name: 'Notes', type: 'text', isPublic: false },
          ],
        },
      },
    );
    const mapId: string = dataOf(made).createMap.map.id;
    const created = await server.graphql(
      'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }',
      {
        input: {
          mapId,
          externalId: EXTERNAL,
          fields: { Name: 'N', Address: 'A', Notes: HIDDEN, undefined: HIDDEN },
        },
      },
    );
    const locationId: string = dataOf(created).createLocation.location.id;
    nodeIds = [mapId, locationId];
    const hooked = await server.graphql(
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }',
      { input: { mapId, url: HOOK, events: ['created'] } },
    );
    secret = dataOf(hooked).createWebhook.secret;
    const invitation = await makeInvitation(server, mapId, undefined, { note: NOTE });
    values = {
      secret: `"${invitation.secret}"`,
      mapId: `"${mapId}"`,
      id: `"${locationId}"`,
      externalId: `"${EXTERNAL}"`,
      ids: JSON.stringify(nodeIds),
      address: '"A"',
      text: '"Abc"',
      latitude: '1',
      longitude: '2',
      bbox: '{south: -90, west: -180, north: 90, east: 180}',
      zoom: '0',
      place: '1',
      first: '1',
    };
  });
  afterAll(() => server.close());

  /** The data and errors of a root field with everything below it. */
  async function everythingOf(
    field: string,
    token: string | null,
    more: Record<string, string> = {},
    leavesOut: readonly string[] = [REFUSING],
  ): Promise<string> {
    const definition = (schema.getQueryType() as GraphQLObjectType).getFields()[field];
    if (definition === undefined) throw new Error(`The schema has no ${field}.`);
    const argumentValues = { ...values, ...more };
    const args = definition.args.flatMap(({ name }) =>
      argumentValues[name] ? [`${name}: ${argumentValues[name]}`] : [],
    );
    const selection = selectionOf(definition.type, values, DEPTH, leavesOut);
    // Otherwise a timer may store it between two executions whose responses are compared.
    await server.graphql('{ __typename }', undefined, token);
    await server.gateway.services.tokens.saveUses();
    const { status, text } = await server.graphql(
      `{ root: ${field}${args.length > 0 ? `(${args.join(', ')})` : ''} ${selection} }`,
      undefined,
      token,
    );
    expect(status).toBe(200);
    return text;
  }

  const ofRoots = async (token: string, leavesOut?: readonly string[]): Promise<Record<string, string>> => {
    const [mapId = ''] = nodeIds;
    const results: Record<string, string> = {};
    for (const field of Object.keys(schema.getQueryType()?.getFields() ?? {})) {
      const more: Record<string, string> =
        field === 'map' || field === 'publicMap' ? { id: `"${mapId}"` } : {};
      results[field] = await everythingOf(field, token, more, field === 'publicMap' ? [REFUSING] : leavesOut);
    }
    return results;
  };
  const fieldsWith = (results: Record<string, string>, canary: string) =>
    Object.keys(results).filter((field) => results[field]?.includes(canary));

  it('shows the API keys to a write token through every root field that leads to a map', async () => {
    const results = await ofRoots(await server.createToken(), []);
    expect(fieldsWith(results, HOOK)).toEqual(['viewer', 'map', 'location', 'node', 'nodes']);
    expect(fieldsWith(results, NOTE)).toEqual(['invitation', 'viewer', 'map', 'location', 'node', 'nodes']);
    expect(fieldsWith(results, secret)).toEqual([]);
    expect(fieldsWith(results, KEY)).toEqual(['viewer', 'map', 'location', 'node', 'nodes']);
    expect(fieldsWith(results, HIDDEN)).toEqual(['viewer', 'map', 'location', 'node', 'nodes']);
  });

  it('shows them nowhere to a read token', async () => {
    const reader = await server.createToken({ scope: 'read' });
    const withWebhooks = await ofRoots(reader, []);
    for (const canary of [KEY, HOOK]) expect(fieldsWith(withWebhooks, canary)).toEqual([]);
    const results = await ofRoots(reader);
    expect(fieldsWith(results, KEY)).toEqual([]);
    expect(fieldsWith(results, HIDDEN)).toEqual(['viewer', 'map', 'location', 'node', 'nodes']);
  });

  it('shows no keys, hidden fields or external ids on public fields, whatever the token', async () => {
    const [mapId = ''] = nodeIds;
    const tokens = [
      null,
      await server.createToken({ scope: 'read' }),
      await server.createToken({ owner: 'another' }),
    ];
    for (const token of [...tokens, await server.createToken()]) {
      const text = await everythingOf('publicMap', token, { id: `"${mapId}"` });
      expect(text).toContain('A map');
      const withWebhooks = await everythingOf('publicMap', token, { id: `"${mapId}"` }, []);
      expect(withWebhooks).not.toContain(HOOK);
      for (const canary of [KEY, HIDDEN, EXTERNAL, NOTE]) expect(text).not.toContain(canary);
    }
  });

  it('shows a link the content of its map, but no keys, members, links and invitations', async () => {
    const [mapId = ''] = nodeIds;
    for (const scope of ['view', 'edit']) {
      const { secret: link } = await makeMapLink(server, mapId, undefined, { scope, name: 'Opened' });
      const other = await makeMapLink(server, mapId, undefined, { name: 'canary-of-another-link' });
      const withWebhooks = await ofRoots(link, []);
      for (const canary of [KEY, HOOK]) expect(fieldsWith(withWebhooks, canary)).toEqual([]);
      const results = await ofRoots(link);
      expect(fieldsWith(results, HIDDEN)).toEqual(['viewer', 'map', 'location', 'node', 'nodes']);
      for (const canary of [KEY, OWNER, other.id, 'canary-of-another-link']) {
        expect(fieldsWith(results, canary)).toEqual(canary === OWNER ? ['invitation'] : []);
      }
      expect(fieldsWith(results, NOTE)).toEqual(['invitation']);
      expect(results['viewer']).toContain('"link:Opened"');
    }
  });

  it('shows another owner nothing', async () => {
    const results = await ofRoots(await server.createToken({ owner: 'another' }));
    for (const canary of [KEY, HIDDEN, EXTERNAL]) expect(fieldsWith(results, canary)).toEqual([]);
    expect(fieldsWith(results, NOTE)).toEqual(['invitation']);
  });
});
