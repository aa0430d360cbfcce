/** The colours of a map's categories in its KML export. */

import { dataOf, makeMap } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Kind', type: 'category' },
];

describe('the KML export of a map with categories', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());

  async function mapOf(kinds: readonly string[], fields: readonly object[] = FIELDS): Promise<string> {
    const { id } = await makeMap(server, { isPublished: true, fields });
    const locations = kinds.map((Kind, index) => ({
      fields: { Name: `Place ${index}`, Address: 'here', Kind },
      position: { latitude: 1, longitude: 2 },
    }));
    const mutation = `mutation ($input: CreateLocationsInput!) {
      createLocations(input: $input) { results { location { id } } } }`;
    dataOf(await server.graphql(mutation, { input: { mapId: id, locations } }));
    return id;
  }

  async function update(id: string, input: object): Promise<void> {
    const mutation = 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }';
    dataOf(await server.graphql(mutation, { input: { id, ...input } }));
  }

  async function exportOf(id: string, options: { token?: null } = {}) {
    const { status, text, headers } = await server.request('GET', `/maps/${id}/locations.kml`, options);
    expect(status).toBe(200);
    const colors = new Map(
      [...text.matchAll(/<Style id="([^"]+)"><IconStyle><color>([^<]+)</g)].map(([, style, color]) => [
        style,
        color,
      ]),
    );
    const pins = [...text.matchAll(/<styleUrl>#([^<]+)</g)].map(([, style]) => colors.get(style));
    return { text, pins, etag: headers['etag'] };
  }

  it('has the colours of the settings, and of the page for other categories', async () => {
    const id = await mapOf(['cafe', 'museum', 'park', 'cafe', '']);
    const before = await exportOf(id);
    expect(before.pins).toEqual(['ffb87700', 'ff1305ef', 'ff5c6b00', 'ffb87700', 'ffffffff']);
    await update(id, {
      categories: [
        { value: 'cafe', color: '#8a3ffc' },
        { value: 'park', label: 'Parks' },
      ],
    });
    const after = await exportOf(id);
    expect(after.pins).toEqual(['fffc3f8a', 'ffb87700', 'ff1305ef', 'fffc3f8a', 'ffffffff']);
    expect(after.etag).not.toBe(before.etag);
  });

  it('has only the colours of the settings if the map has more than 100 locations', async () => {
    const id = await mapOf(Array.from({ length: 101 }, (_, index) => (index % 2 === 0 ? 'cafe' : 'park')));
    expect((await exportOf(id)).text).not.toContain('<Style');
    await update(id, { categories: [{ value: 'park', color: '#8a3ffc' }] });
    const { pins } = await exportOf(id);
    expect(pins).toHaveLength(101);
    expect(pins.slice(0, 3)).toEqual(['ffffffff', 'fffc3f8a', 'ffffffff']);
  });

  it('shows no colours of hidden categories to the public', async () => {
    const [name, address, kind] = FIELDS;
    const id = await mapOf(['cafe', 'park'], [name!, address!, { ...kind, isPublic: false }]);
    await update(id, { categories: [{ value: 'cafe', color: '#8a3ffc' }] });
    expect((await exportOf(id, { token: null })).text).not.toMatch(/style/i);
    expect((await exportOf(id)).pins).toEqual(['fffc3f8a', 'ffb87700']);
  });

  it('has no styles without a category field', async () => {
    const id = await mapOf(['cafe', 'park'], FIELDS.slice(0, 2));
    expect((await exportOf(id)).text).not.toMatch(/style/i);
  });
});
