/** A published map with locations at given points, for tests of the public view. */

import type { TestServer } from './server.ts';

export interface PublishedMapOptions {
  readonly name?: string;
  readonly fields?: readonly { readonly name: string; readonly type: string; readonly isPublic?: boolean }[];
  readonly isPublished?: boolean;
  readonly locations?: readonly {
    readonly fields: Readonly<Record<string, unknown>>;
    readonly position: { readonly latitude: number; readonly longitude: number };
  }[];
}

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
];

/** @returns the map's id, and the locations' in the order given */
export async function createPublishedMap(
  server: TestServer,
  { name = 'Lighthouses', fields = FIELDS, isPublished = true, locations = [] }: PublishedMapOptions = {},
): Promise<{ mapId: string; ids: string[] }> {
  const made = await server.graphql(
    'mutation ($input: CreateMapInput!) { createMap(input: $input) { map { id } } }',
    {
      input: { name, fields, isPublished },
    },
  );
  const mapId: string = made.json.data.createMap.map.id;
  const ids: string[] = [];
  for (let start = 0; start < locations.length; start += 1_000) {
    const response = await server.graphql(
      `mutation ($input: CreateLocationsInput!) {
        createLocations(input: $input) { results { location { id } error { message } } }
      }`,
      { input: { mapId, locations: locations.slice(start, start + 1_000) } },
    );
    for (const { location, error } of response.json.data.createLocations.results) {
      if (location === null) throw new Error(error.message);
      ids.push(location.id);
    }
  }
  return { mapId, ids };
}

/** A location of a map with the default fields. */
export function placeAt(name: string, latitude: number, longitude: number) {
  return { fields: { Name: name, Address: `near ${name}` }, position: { latitude, longitude } };
}
