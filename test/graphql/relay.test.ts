/** The Relay compiler, run as client projects do, on our schema and every use of a connection. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { printSchema } from 'graphql';

import { createSchema } from '../../src/graphql/schema.ts';

const CLI = fileURLToPath(new URL('../../node_modules/relay-compiler/cli.js', import.meta.url));

/** Operations and fragments must be named after their file. */
const SOURCES: Readonly<Record<string, string>> = {
  MapLocations: `
    fragment MapLocations_map on Map
    @refetchable(queryName: "MapLocationsPaginationQuery")
    @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" }) {
      name
      locations(first: $count, after: $cursor) @connection(key: "MapLocations_locations") {
        totalCount
        edges { node { id name latLngLiteral { lat lng } properties } }
      }
    }`,
  MapLocationsBackwards: `
    fragment MapLocationsBackwards_map on Map
    @refetchable(queryName: "MapLocationsBackwardsPaginationQuery")
    @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" }) {
      locations(last: $count, before: $cursor) @connection(key: "MapLocationsBackwards_locations") {
        edges { node { id } }
      }
    }`,
  MapLocationsBothWays: `
    fragment MapLocationsBothWays_map on Map
    @refetchable(queryName: "MapLocationsBothWaysPaginationQuery")
    @argumentDefinitions(
      first: { type: "Int" }, after: { type: "String" }, last: { type: "Int" }, before: { type: "String" }
    ) {
      locations(first: $first, after: $after, last: $last, before: $before)
        @connection(key: "MapLocationsBothWays_locations") {
        edges { node { id } }
      }
    }`,
  ViewerMaps: `
    query ViewerMapsQuery($count: Int!, $cursor: String) {
      viewer {
        owner
        maps(first: $count, after: $cursor) @connection(key: "ViewerMaps_maps") {
          edges { node { id ...MapLocations_map } }
        }
      }
    }`,
  LocationCard: `
    fragment LocationCard_location on Location @refetchable(queryName: "LocationCardRefetchQuery") {
      id name order createdAt map { id name } geocoding { provider precision }
    }`,
  NodeOfAnyKind: `
    query NodeOfAnyKindQuery($id: ID!, $ids: [ID!]!) {
      node(id: $id) { id ... on Map { name } ...LocationCard_location @alias }
      nodes(ids: $ids) { __typename id ... on Location { name } }
    }`,
  AppendLocation: `
    mutation AppendLocationMutation($input: CreateLocationInput!, $connections: [ID!]!) {
      createLocation(input: $input) {
        edge @appendEdge(connections: $connections) { cursor node { ...LocationCard_location } }
        map { locations(first: 1) { totalCount } }
      }
    }`,
  PrependLocation: `
    mutation PrependLocationMutation($input: CreateLocationInput!, $connections: [ID!]!) {
      createLocation(input: $input) { edge @prependEdge(connections: $connections) { cursor node { id } } }
    }`,
  AppendLocationNode: `
    mutation AppendLocationNodeMutation($input: CreateLocationInput!, $connections: [ID!]!) {
      createLocation(input: $input) {
        location @appendNode(connections: $connections, edgeTypeName: "LocationEdge") { id }
      }
    }`,
  AppendMapNode: `
    mutation AppendMapNodeMutation($input: CreateMapInput!, $connections: [ID!]!) {
      createMap(input: $input) { map @appendNode(connections: $connections, edgeTypeName: "MapEdge") { id } }
    }`,
  RemoveLocation: `
    mutation RemoveLocationMutation($input: DeleteLocationInput!, $connections: [ID!]!) {
      deleteLocation(input: $input) {
        deletedId @deleteRecord
        again: deletedId @deleteEdge(connections: $connections)
      }
    }`,
};

interface Compilation {
  readonly ok: boolean;
  readonly output: string;
  /** Generated files, by name, with their text. */
  readonly artifacts: ReadonlyMap<string, string>;
}

function compile(sources: Readonly<Record<string, string>>): Compilation {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'));
  try {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'package.json'), '{"name": "client", "version": "1.0.0"}');
    writeFileSync(join(folder, 'schema.graphql'), printSchema(createSchema()));
    for (const [name, text] of Object.entries(sources))
      writeFileSync(join(folder, 'src', `${name}.js`), `graphql\`${text}\`;\n`);
    const config = {
      src: './src',
      schema: './schema.graphql',
      language: 'typescript',
      artifactDirectory: './generated',
      // Our scalars, so that the generated types show their values.
      customScalarTypes: { DateTime: 'string', JSONObject: 'Record<string, unknown>' },
    };
    writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config));
    mkdirSync(join(folder, 'generated'));
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'relay.config.json'], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
      // Watchman, if installed, would watch the folder that is about to be deleted.
      env: { ...process.env, FORCE_NO_WATCHMAN: '1' },
    });
    const artifacts = new Map(
      readdirSync(join(folder, 'generated')).map((name) => [
        name.replace(/\.graphql\.ts$/, ''),
        readFileSync(join(folder, 'generated', name), 'utf8'),
      ]),
    );
    return { ok: status === 0, output: stdout + stderr, artifacts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the Relay compiler', () => {
  it('accepts the schema, its connections, refetching by node and the edges of mutations', () => {
    const { ok, output, artifacts } = compile(SOURCES);
    expect({ ok, output }).toEqual({ ok: true, output: expect.stringContaining('Compilation completed') });
    expect([...artifacts.keys()]).toEqual(
      expect.arrayContaining([
        'MapLocations_map',
        'MapLocationsPaginationQuery',
        'MapLocationsBackwardsPaginationQuery',
        'MapLocationsBothWaysPaginationQuery',
        'LocationCardRefetchQuery',
        'AppendLocationMutation',
        'RemoveLocationMutation',
        'ViewerMapsQuery',
      ]),
    );
    // The next page of a map is asked for by its id, through `node`.
    expect(artifacts.get('MapLocationsPaginationQuery')).toMatch(/node\(id: \$id\)/);
  });

  it('refuses an invalid connection, so the test above can fail', () => {
    const { ok, output } = compile({
      NoConnection: `fragment NoConnection_map on Map { fields @connection(key: "NoConnection_fields") { name } }`,
    });
    expect(ok).toBe(false);
    expect(output).toMatch(/connection/i);
  });
});
