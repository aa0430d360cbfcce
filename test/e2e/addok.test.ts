/** The program with Addok, a real geocoder: to the door, and back from a point. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Street, Town } from '../support/addok.ts';
import { NO_ADDOK, startAddok } from '../support/addok.ts';
import type { Server } from '../support/program.ts';
import { createFolder, killPrograms, runProgram, startPlainServer } from '../support/program.ts';
import { describeUnless } from '../support/skip.ts';

const TOWNS: readonly Town[] = [
  { name: 'Paris', postcode: '75001', latitude: 48.8566, longitude: 2.3522 },
  { name: 'Strasbourg', postcode: '67000', latitude: 48.58, longitude: 7.75 },
  { name: 'Dole', postcode: '39100', latitude: 47.09, longitude: 5.49 },
];
const STREETS = ['Rue de Rivoli', "Rue de l'Église", 'Rue du 8 Mai 1945', 'Quai des Orfèvres'];

/** The even numbers 2 to 60, seven metres apart, and 8 bis. */
function streetOf(town: Town, name: string, index: number): Street {
  const latitude = town.latitude + 0.002 * (index + 1);
  const houses: Record<string, readonly [number, number]> = {};
  for (let number = 2; number <= 60; number += 2) {
    houses[String(number)] = [latitude, Number((town.longitude + 0.0001 * (number / 2)).toFixed(5))];
  }
  houses['8bis'] = [latitude, Number((town.longitude + 0.00045).toFixed(5))];
  const { name: city, postcode, longitude } = town;
  return { name, city, postcode, latitude, longitude, houses };
}

const ALL = TOWNS.flatMap((town) => STREETS.map((name, index) => streetOf(town, name, index)));

afterAll(killPrograms);

describeUnless(NO_ADDOK, 'with Addok', () => {
  const folder = createFolder();
  let server: Server;
  let token: string;
  let mapId: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    const addok = await startAddok(TOWNS, ALL);
    env = {
      DATABASE_URL: 'sqlite:store.db',
      GEOCODER: 'geocodejson',
      GEOCODEJSON_URL: addok.url,
      GEOCODEJSON_NAME: 'our-addresses',
    };
    server = await startPlainServer(folder, env);
    const made = await runProgram(['token', 'create', '--owner', 'me'], { cwd: folder, env });
    token = made.stdout.trim();
    const { createMap } = await send('mutation { createMap(input: { name: "Shops" }) { map { id } } }');
    mapId = createMap.map.id;
  });

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test knows what it asked for
  const send = async (query: string, variables: object = {}): Promise<any> => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  };
  const create = async (address: string) => {
    const { createLocation } = await send(
      `mutation ($input: CreateLocationInput!) { createLocation(input: $input) {
        location { latitude longitude geocoding { provider precision label isAmbiguous isChecked } }
      } }`,
      { input: { mapId, fields: { Name: 'N', Address: address } } },
    );
    const { geocoding, ...point } = createLocation.location;
    return { ...point, ...geocoding };
  };

  it('finds the door, with the label of the server', async () => {
    expect(await create('12 rue de rivoli, 75001 Paris')).toEqual({
      latitude: 48.8586,
      longitude: 2.3528,
      provider: 'our-addresses',
      precision: 'rooftop',
      label: '12 Rue de Rivoli 75001 Paris',
      isAmbiguous: false,
      isChecked: false,
    });
    expect(await create('14 rue du 8 mai 1945 Dole')).toMatchObject({
      precision: 'rooftop',
      label: '14 Rue du 8 Mai 1945 39100 Dole',
    });
  });

  it('finds the street for a number that is not there, and the town for no street', async () => {
    expect(await create('99 rue de rivoli, 75001 Paris')).toMatchObject({
      precision: 'street',
      label: 'Rue de Rivoli 75001 Paris',
    });
    expect(await create('Strasbourg')).toMatchObject({ precision: 'locality', label: 'Strasbourg' });
  });

  it('takes no other house for the one in the address', async () => {
    expect(await create('8 bis rue du 8 mai 1945 Dole')).toMatchObject({
      precision: 'rooftop',
      label: '8bis Rue du 8 Mai 1945 39100 Dole',
    });
    expect(await create('12 bis rue du 8 mai 1945 Dole')).toMatchObject({
      precision: 'street',
      label: 'Rue du 8 Mai 1945 39100 Dole',
    });
  });

  it('says that a street of several towns is ambiguous', async () => {
    expect(await create("rue de l'église")).toMatchObject({ precision: 'street', isAmbiguous: true });
  });

  it('imports a table to the door', async () => {
    const rows = ALL.flatMap(({ name, city, postcode, houses }) =>
      Object.entries(houses).map(([number, [latitude]]) => ({
        address: `${number} ${name}, ${postcode} ${city}`,
        latitude,
      })),
    );
    // docs/geocoding.md has the number.
    expect(rows).toHaveLength(372);
    const csv = ['Name,Address', ...rows.map(({ address }, index) => `Shop ${index},"${address}"`)];
    writeFileSync(join(folder, 'shops.csv'), csv.join('\n'));
    const { createMap } = await send('mutation { createMap(input: { name: "Table" }) { map { id } } }');
    const { id } = createMap.map;
    const { code, stderr } = await runProgram(['import', id, 'shops.csv'], { cwd: folder, env });
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Stored ${rows.length} `)]);
    const stored: { latitude: number; precision: string; provider: string }[] = [];
    for (let after: string | null = null, isMore = true; isMore;) {
      const { map } = await send(
        `query ($id: ID!, $after: String) { map(id: $id) { locations(first: 100, after: $after) {
          nodes { latitude geocoding { precision provider } } pageInfo { hasNextPage endCursor }
        } } }`,
        { id, after },
      );
      const { nodes, pageInfo } = map.locations;
      for (const { latitude, geocoding } of nodes) stored.push({ latitude, ...geocoding });
      after = pageInfo.endCursor;
      isMore = pageInfo.hasNextPage;
    }
    expect(stored).toEqual(
      rows.map(({ latitude }) => ({ latitude, precision: 'rooftop', provider: 'our-addresses' })),
    );
  });

  it('finds the address of a point, and none in the sea', async () => {
    const reverse = (latitude: number, longitude: number) =>
      send(
        `query ($mapId: ID!, $latitude: Latitude!, $longitude: Longitude!) {
          reverseGeocode(mapId: $mapId, latitude: $latitude, longitude: $longitude) {
            label houseNumber street postcode city distance provider
          }
        }`,
        { mapId, latitude, longitude },
      );
    const [, second] = ALL;
    const [latitude, longitude] = second!.houses['20']!;
    expect(await reverse(latitude, longitude)).toEqual({
      reverseGeocode: {
        label: "20 Rue de l'Église 75001 Paris",
        houseNumber: '20',
        street: "Rue de l'Église",
        postcode: '75001',
        city: 'Paris',
        distance: 0,
        provider: 'our-addresses',
      },
    });
    expect(await reverse(0, 0)).toEqual({ reverseGeocode: null });
  });

  it('suggests addresses for the start of one, and a chosen one is found', async () => {
    const { suggestAddresses } = await send(
      'query ($mapId: ID!) { suggestAddresses(mapId: $mapId, text: "quai des orf", near: { latitude: 47.09, longitude: 5.49 }) { label description } }',
      { mapId },
    );
    expect(suggestAddresses).toHaveLength(3);
    const [{ label }] = suggestAddresses as [{ label: string }];
    expect(label).toBe('Quai des Orfèvres 39100 Dole');
    expect(await create(label)).toMatchObject({ precision: 'street', label });
  });
});
