/**
 * What each field reachable through `publicMap` shows without a token. A new field must be added here with what the
 * public sees of it. access.test.ts checks that no other root field is public.
 */

import type { GraphQLSchema } from 'graphql';
import { getNamedType, isAbstractType, isLeafType, isObjectType } from 'graphql';

import { createSchema } from '../../src/graphql/schema.ts';
import { anInsert, insertAll } from '../contract/storage/fixtures.ts';
import { createFakeGeocoder } from '../support/fake-geocoder.ts';
import { codesOf, dataOf, deleteLocation, makeLocations, makeMap, makeWebhook } from '../support/graphql.ts';
import { asDataUrl, LOGOS } from '../support/logos.ts';
import { makeInvitation, makeMapLink } from '../support/members.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const CANARY = 'canary';
const FIELDS = [
  { name: 'Name', type: 'placeName', isPublic: false },
  { name: 'Kind', type: 'category' },
  { name: 'Notes', type: 'text', isPublic: false },
  { name: 'Address', type: 'address', isPublic: false },
];
const LOCATION_FIELDS = { Notes: CANARY, Kind: 'bar', Name: 'The name', Address: CANARY, more: CANARY };

/** How each type is reached from a map; `$x` is the selection on it. */
const PATHS: Readonly<Record<string, string>> = {
  Map: '$x',
  Field: 'fields { $x }',
  MapGeocoding: 'geocoding { $x }',
  GeocodingCount: 'geocodingCounts { $x }',
  MapTheme: 'theme { $x }',
  MapLogo: 'theme { logo { $x } }',
  CategoryStyle: 'categories { $x }',
  Attribution: 'attributions { $x }',
  Location: 'location(id: $location) { $x }',
  LatLngLiteral: 'location(id: $location) { latLngLiteral { $x } }',
  Geocoding: 'location(id: $location) { geocoding { $x } }',
  LocationConnection: 'locations(filter: {near: {latitude: 1, longitude: 2, radius: 9}}) { $x }',
  LocationEdge: 'locations { edges { $x } }',
  PageInfo: 'locations { pageInfo { $x } }',
  Cluster: 'clusters(bbox: {south: 0, west: 0, north: 9, east: 9}, zoom: 2) { $x }',
  MapMember: 'members { $x }',
  Invitation: 'invitations { $x }',
  MapLink: 'links { $x }',
  HistoryConnection: 'history { $x }',
  HistoryEdge: 'history { edges { $x } }',
  HistoryEntry: 'history { nodes { $x } }',
  Actor: 'history { nodes { by { $x } } }',
  TrashConnection: 'trash { $x }',
  TrashEdge: 'trash { edges { $x } }',
  TrashedLocation: 'trash { nodes { $x } }',
  LocationVersionConnection: 'location(id: $location) { versions { $x } }',
  LocationVersionEdge: 'location(id: $location) { versions { edges { $x } } }',
  LocationVersion: 'location(id: $location) { versions { nodes { $x } } }',
  VersionChange: 'location(id: $location) { versions { nodes { changes { $x } } } }',
  Webhook: 'webhooks { $x }',
  Bbox: 'clusters(bbox: {south: 0, west: 0, north: 9, east: 9}, zoom: 2) { bbox { $x } }',
};

/** Arguments that a field needs. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  'Map.location': '(id: $location)',
  'Map.locationByExternalId': `(externalId: "${CANARY}")`,
  'Map.locationAt': '(place: 1)',
  'Map.clusters': '(bbox: {south: 0, west: 0, north: 9, east: 9}, zoom: 2)',
};

/** What the owner sees; an object whose fields have their own rows; a refusal; or exactly this value. */
type Shows = 'the same' | 'its fields' | 'refused' | { readonly just: unknown };
const NOTHING = { just: [null] };

const SHOWN: Readonly<Record<string, Shows>> = {
  'Map.id': 'the same',
  'Map.name': 'the same',
  'Map.isDeleted': 'the same',
  'Map.isPublished': 'the same',
  'Map.createdAt': 'the same',
  'Map.updatedAt': 'the same',
  'Map.providerMapApiKey': NOTHING,
  'Map.geocodingApiKey': NOTHING,
  'Map.geocoding': NOTHING,
  'MapGeocoding.countries': { just: [] },
  'MapGeocoding.bounds': { just: [] },
  'MapGeocoding.language': { just: [] },
  'Map.language': 'the same',
  'Map.timeZone': 'the same',
  'Map.theme': 'its fields',
  'MapTheme.accent': 'the same',
  'MapTheme.accentOnLight': 'the same',
  'MapTheme.accentOnDark': 'the same',
  'MapTheme.font': 'the same',
  'MapTheme.appearance': 'the same',
  'MapTheme.poweredBy': 'the same',
  'MapTheme.logo': 'its fields',
  'MapLogo.type': 'the same',
  'MapLogo.hash': 'the same',
  'MapLogo.bytes': 'the same',
  'Map.categories': 'its fields',
  'CategoryStyle.value': 'the same',
  'CategoryStyle.label': 'the same',
  'CategoryStyle.color': 'the same',
  'CategoryStyle.icon': 'the same',
  'Map.geocodingCounts': 'its fields',
  'Map.attributions': 'its fields',
  'Attribution.text': 'the same',
  'Attribution.url': 'the same',
  'GeocodingCount.precision': 'the same',
  'GeocodingCount.isChecked': 'the same',
  'GeocodingCount.count': 'the same',
  'Map.fields': 'its fields',
  'Map.location': 'its fields',
  'Map.locationByExternalId': NOTHING,
  'Map.locationAt': NOTHING,
  'Map.locations': 'its fields',
  'Map.clusters': 'its fields',
  'Map.myRole': NOTHING,
  'Map.members': 'refused',
  'MapMember.id': 'refused',
  'MapMember.name': 'refused',
  'MapMember.displayName': 'refused',
  'MapMember.role': 'refused',
  'MapMember.since': 'refused',
  'MapMember.isMe': 'refused',
  'Map.invitations': 'refused',
  'Invitation.id': 'refused',
  'Invitation.role': 'refused',
  'Invitation.note': 'refused',
  'Invitation.expiresAt': 'refused',
  'Invitation.maxUses': 'refused',
  'Invitation.uses': 'refused',
  'Invitation.createdAt': 'refused',
  'Invitation.createdBy': 'refused',
  'Invitation.createdByOwner': 'refused',
  'Map.links': 'refused',
  'MapLink.id': 'refused',
  'MapLink.name': 'refused',
  'MapLink.scope': 'refused',
  'MapLink.expiresAt': 'refused',
  'MapLink.lastUsedAt': 'refused',
  'MapLink.createdAt': 'refused',
  'MapLink.createdBy': 'refused',
  'MapLink.createdByOwner': 'refused',
  'Map.history': 'refused',
  'HistoryConnection.edges': 'refused',
  'HistoryConnection.nodes': 'refused',
  'HistoryConnection.pageInfo': 'refused',
  'HistoryEdge.cursor': 'refused',
  'HistoryEdge.node': 'refused',
  'HistoryEntry.id': 'refused',
  'HistoryEntry.at': 'refused',
  'HistoryEntry.by': 'refused',
  'HistoryEntry.operation': 'refused',
  'HistoryEntry.created': 'refused',
  'HistoryEntry.updated': 'refused',
  'HistoryEntry.moved': 'refused',
  'HistoryEntry.deleted': 'refused',
  'HistoryEntry.locationIds': 'refused',
  'Actor.kind': 'refused',
  'Actor.name': 'refused',
  'Actor.owner': 'refused',
  'Map.trash': 'refused',
  'TrashConnection.edges': 'refused',
  'TrashConnection.nodes': 'refused',
  'TrashConnection.pageInfo': 'refused',
  'TrashEdge.cursor': 'refused',
  'TrashEdge.node': 'refused',
  'TrashedLocation.location': 'refused',
  'TrashedLocation.deletedAt': 'refused',
  'TrashedLocation.deletedBy': 'refused',
  'TrashedLocation.keptUntil': 'refused',
  'TrashedLocation.historyId': 'refused',
  'Location.versions': 'refused',
  'LocationVersionConnection.edges': 'refused',
  'LocationVersionConnection.nodes': 'refused',
  'LocationVersionConnection.pageInfo': 'refused',
  'LocationVersionEdge.cursor': 'refused',
  'LocationVersionEdge.node': 'refused',
  'LocationVersion.version': 'refused',
  'LocationVersion.at': 'refused',
  'LocationVersion.by': 'refused',
  'LocationVersion.operation': 'refused',
  'LocationVersion.historyId': 'refused',
  'LocationVersion.changes': 'refused',
  'VersionChange.path': 'refused',
  'VersionChange.before': 'refused',
  'VersionChange.after': 'refused',
  'Map.webhooks': 'refused',
  'Webhook.id': 'refused',
  'Webhook.url': 'refused',
  'Webhook.events': 'refused',
  'Webhook.status': 'refused',
  'Webhook.lastAttemptAt': 'refused',
  'Webhook.lastStatus': 'refused',
  'Webhook.lastError': 'refused',
  'Field.name': { just: ['Kind'] },
  'Field.type': { just: ['category'] },
  'Field.isPublic': { just: [true] },
  'Location.id': 'the same',
  'Location.name': 'the same',
  'Location.placeId': 'the same',
  'Location.latLngLiteral': 'its fields',
  'Location.latitude': 'the same',
  'Location.longitude': 'the same',
  'Location.properties': { just: [{ Kind: 'bar' }] },
  'Location.order': 'the same',
  'Location.externalId': NOTHING,
  'Location.version': 'the same',
  'Location.createdAt': 'the same',
  'Location.updatedAt': 'the same',
  'Location.geocoding': 'its fields',
  'Location.map': 'its fields',
  'LatLngLiteral.lat': 'the same',
  'LatLngLiteral.lng': 'the same',
  'Geocoding.provider': 'the same',
  'Geocoding.precision': 'the same',
  'Geocoding.label': 'the same',
  'Geocoding.isAmbiguous': 'the same',
  'Geocoding.isChecked': 'the same',
  'LocationConnection.edges': 'its fields',
  'LocationConnection.nodes': 'its fields',
  'LocationConnection.pageInfo': 'its fields',
  'LocationConnection.totalCount': 'the same',
  'LocationConnection.nextOrder': 'the same',
  'LocationEdge.cursor': 'the same',
  'LocationEdge.node': 'its fields',
  'LocationEdge.distance': 'the same',
  'PageInfo.hasNextPage': 'the same',
  'PageInfo.hasPreviousPage': 'the same',
  'PageInfo.startCursor': 'the same',
  'PageInfo.endCursor': 'the same',
  'Cluster.latitude': 'the same',
  'Cluster.longitude': 'the same',
  'Cluster.count': 'the same',
  'Cluster.bbox': 'its fields',
  'Cluster.location': 'its fields',
  'Bbox.south': 'the same',
  'Bbox.west': 'the same',
  'Bbox.north': 'the same',
  'Bbox.east': 'the same',
};

/** The fields of all types that are reachable from a type. */
function reachable(schema: GraphQLSchema, from: string): readonly string[] {
  const seen = new Set<string>();
  const found: string[] = [];
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const type = schema.getType(name);
    if (isAbstractType(type)) for (const each of schema.getPossibleTypes(type)) visit(each.name);
    if (!isObjectType(type)) return;
    for (const field of Object.values(type.getFields())) {
      found.push(`${name}.${field.name}`);
      visit(getNamedType(field.type).name);
    }
  };
  visit(from);
  return found;
}

/** All values of a response under the alias `x`. */
function seenIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(seenIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'x' ? [inner] : seenIn(inner)));
}

describe('the public view of the schema', () => {
  const schema = createSchema();
  let server: TestServer;
  let mapId: string;
  let location: string;
  beforeAll(async () => {
    const attributions = new Map([['offline', [{ text: 'A source', url: 'https://example.org/' }]]]);
    server = await createTestServer({}, { geocoder: { ...createFakeGeocoder(), attributions } });
    const keys = { providerMapApiKey: CANARY, geocodingApiKey: CANARY };
    const bounds = { south: 0, west: 0, north: 9, east: 9 };
    const geocoding = { countries: ['DE'], bounds, language: 'de' };
    mapId = (await makeMap(server, { isPublished: true, fields: FIELDS, geocoding, ...keys })).id;
    const made = await server.graphql(
      'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }',
      {
        input: {
          mapId,
          fields: LOCATION_FIELDS,
          externalId: CANARY,
          position: { latitude: 1, longitude: 2 },
        },
      },
    );
    location = dataOf(made).createLocation.location.id;
    const geocoded = { provider: 'offline', precision: 'rooftop', label: null, isAmbiguous: false };
    await insertAll(server.gateway.storage, mapId, [
      anInsert(mapId, { order: '9', location: { geocoding: { ...geocoded, isChecked: true } } }),
    ]);
    const page = {
      language: 'de',
      theme: { accent: '#ffcc00', logo: asDataUrl(LOGOS['image/png']) },
      categories: [{ value: 'bar', icon: 'bar' }],
    };
    dataOf(
      await server.graphql('mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }', {
        input: { id: mapId, ...page },
      }),
    );
    await makeWebhook(server, mapId);
    await makeInvitation(server, mapId, undefined, { note: CANARY });
    await makeMapLink(server, mapId, undefined, { name: CANARY });
    const update = 'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { map { id } } }';
    for (const Kind of ['café', 'bar']) {
      dataOf(await server.graphql(update, { input: { mapId, id: location, fields: { Kind } } }));
    }
    const [deleted] = await makeLocations(server, mapId, [null]);
    await deleteLocation(server, mapId, deleted?.id ?? '');
  });
  afterAll(() => server.close());

  const execute = (root: string, selection: string, token?: null): Promise<TestResponse> =>
    server.graphql(
      `query ($map: ID!, $location: ID!) { ${root}(id: $map) { id one: location(id: $location) { id } ${selection} } }`,
      { map: mapId, location },
      token,
    );
  const selectionOf = (field: string): string => {
    const [type = '', name = ''] = field.split('.');
    const definition = (
      schema.getType(type) as { getFields?(): Record<string, { type: never }> }
    ).getFields?.();
    const isLeaf = isLeafType(getNamedType(definition?.[name]?.type));
    const inner = `x: ${name}${ARGUMENTS[field] ?? ''}${isLeaf ? '' : ' { __typename }'}`;
    return (PATHS[type] ?? '').replace('$x', inner);
  };

  it('lists every field that is reachable through a public map', () => {
    expect(Object.keys(SHOWN).toSorted()).toEqual(reachable(schema, 'Map').toSorted());
    const types = new Set(Object.keys(SHOWN).map((field) => field.split('.')[0]));
    expect(Object.keys(PATHS).toSorted()).toEqual([...types].toSorted());
  });

  it.each(Object.entries(SHOWN))('%s shows %j', async (field, shows) => {
    const selection = selectionOf(field);
    const [theirs, ours] = [await execute('publicMap', selection, null), await execute('map', selection)];
    expect(theirs.text).not.toContain(CANARY);
    const owners = seenIn(dataOf(ours).map);
    expect(owners.length).toBeGreaterThan(0);
    if (shows === 'refused') {
      expect(codesOf(theirs)).toEqual(['FORBIDDEN']);
      expect(seenIn(theirs.json.data).every((value) => value === null)).toBe(true);
      return;
    }
    const seen = seenIn(theirs.json.data.publicMap);
    if (shows === 'the same') expect(seen).toEqual(owners);
    else if (shows === 'its fields') expect(seen.length).toBeGreaterThan(0);
    else {
      expect(seen).toEqual(shows.just);
      expect(owners).not.toEqual(seen);
    }
  });
});
