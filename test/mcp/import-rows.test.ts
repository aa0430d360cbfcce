/** The tool import_rows: a check, then an import of the good rows. */

import type { Client } from '@modelcontextprotocol/client';

import { callTool, connectMcp, textOf } from '../support/mcp.ts';
import { createPublishedMap } from '../support/published-map.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Opening hours', type: 'openingHours' },
];
const MAX_CHARACTERS = 32_000;

describe('import_rows', () => {
  let server: TestServer;
  let client: Client;
  let mapId: string;
  beforeAll(async () => {
    server = await createTestServer({ MCP_WRITE: '1' }, {}, { executesOnce: true });
    client = await connectMcp(server, { token: await server.createToken() });
  });
  beforeEach(async () => {
    ({ mapId } = await createPublishedMap(server, { fields: FIELDS }));
    server.geocoder.asked.length = 0;
  });
  afterAll(async () => {
    await client.close();
    await server.close();
  });

  const importRows = (rows: readonly object[], more: object = {}) =>
    callTool(client, 'import_rows', { mapId, rows, ...more });
  const stored = async () => (await callTool(client, 'find_locations', { mapId, limit: 100 })).locations;

  const ROWS = [
    { name: 'Tower', address: 'Main St 1', 'opening hours': '24/7', Lat: '52.5', lng: 13.4, Seats: 4 },
    { name: 'No address' },
    { name: 'Mill', address: 'Mill St', externalId: 'mill' },
    { name: 'North', address: 'Ice', lat: 95, lng: 0 },
    { name: 'Word', address: 'Elsewhere', lat: 'north', lng: 0 },
    { name: 'Mill again', address: 'Mill St', externalId: 'mill' },
  ];

  it('without confirm, says what would be stored; stores nothing, and geocodes nothing', async () => {
    const result = await importRows(ROWS);
    expect(result).toMatchObject({
      isDryRun: true,
      rowCount: 6,
      storedCount: 2,
      rejectedCount: 4,
      geocodedCount: 1,
      sample: [
        {
          row: 1,
          fields: { Name: 'Tower', Address: 'Main St 1', 'Opening hours': '24/7', Seats: 4 },
          latitude: 52.5,
          longitude: 13.4,
        },
        { row: 3, fields: { Name: 'Mill' }, externalId: 'mill' },
      ],
    });
    expect(result.rejected.map(({ row }: { row: number }) => row)).toEqual([2, 4, 5, 6]);
    const [noAddress, outOfRange, noNumber, taken] = result.rejected.map(
      ({ error }: { error: string }) => error,
    );
    expect(noAddress).toContain('"Address"');
    expect(outOfRange).toContain('latitude');
    expect(noNumber).toContain('BAD_USER_INPUT');
    expect(taken).toContain('CONFLICT');
    expect(result.columns).toEqual(
      expect.arrayContaining([
        { column: 'name', use: 'field', field: 'Name' },
        { column: 'Lat', use: 'latitude', field: null },
        { column: 'Seats', use: 'property', field: 'Seats' },
        { column: 'externalId', use: 'externalId', field: null },
      ]),
    );
    expect(await stored()).toEqual([]);
    expect(server.geocoder.asked).toEqual([]);
  });

  it('with confirm, stores the good rows as one change, and reports the others', async () => {
    const checked = await importRows(ROWS);
    const { sample: _, ...counts } = checked;
    expect(await importRows(ROWS, { confirm: true })).toEqual({ ...counts, isDryRun: false });
    expect(await stored()).toMatchObject([
      { name: 'Tower', latitude: 52.5, longitude: 13.4, fields: { Seats: 4 } },
      { name: 'Mill', externalId: 'mill' },
    ]);
    expect(new Set(server.geocoder.asked)).toEqual(new Set(['Mill St']));
    expect((await importRows(ROWS)).rejected).toContainEqual({
      row: 3,
      error: expect.stringContaining('CONFLICT'),
    });
  });

  it('a field of the map called externalId is a field', async () => {
    ({ mapId } = await createPublishedMap(server, {
      fields: [...FIELDS.slice(0, 2), { name: 'externalId', type: 'text' }],
    }));
    await importRows([{ Name: 'a', Address: 'b', externalId: 'c' }], { confirm: true });
    expect(await stored()).toMatchObject([{ fields: { externalId: 'c' }, externalId: null }]);
  });

  it('rows are data, whatever they look like', async () => {
    const feature = {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [13, 52] },
      properties: { Name: 'a', Address: 'b' },
    };
    await importRows([feature, { Name: 'c', Address: 'd', __proto__: null, constructor: 'e' }], {
      confirm: true,
    });
    expect(await stored()).toMatchObject([
      { name: 'a', latitude: 52, longitude: 13 },
      { name: 'c', fields: { constructor: 'e' } },
    ]);
    const collection = { type: 'FeatureCollection', features: [feature, feature] };
    for (const rows of [[collection], [collection, feature], [feature, collection]]) {
      const refused = await importRows(rows).catch((error: unknown) => String(error));
      expect(JSON.stringify(refused)).toMatch(/FeatureCollection/);
    }
  });

  it('notes are facts, without advice about options of the command line', async () => {
    const row = { Name: 'a', lat: 1, lng: 2 };
    const feature = {
      type: 'Feature',
      id: 7,
      geometry: { type: 'Point', coordinates: [13, 52] },
      properties: { Name: 'a', Address: 'b' },
    };
    expect((await importRows([row])).notes).toEqual(['1 row had a point but no address.']);
    expect((await importRows([feature])).notes).toEqual(['1 row had a record id, which was ignored.']);
  });

  it('results stay short, however many rows and columns are wrong', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 90 }, (_, index) => [`"column" ${index}`.repeat(5), 'é'.repeat(40)]),
    );
    const rows = Array.from({ length: 500 }, (_, index) =>
      index < 3 ? { ...wide, Name: `n${index}`, Address: 'a' } : { Name: '\u0001'.repeat(100) },
    );
    const result = await client.callTool({ name: 'import_rows', arguments: { mapId, rows } });
    expect(textOf(result).length).toBeLessThanOrEqual(MAX_CHARACTERS);
    expect(result.structuredContent).toMatchObject({
      storedCount: 3,
      rejectedCount: 497,
      omittedColumns: expect.any(Number),
      omittedRejected: expect.any(Number),
    });
  });

  it('refuses too many rows, none, and others than objects', async () => {
    const row = { Name: 'a', Address: 'b' };
    for (const rows of [Array(501).fill(row), [], ['text'], [[1]]]) {
      await expect(importRows(rows)).rejects.toThrow('rows');
    }
    await expect(importRows([row], { confirm: 'yes' })).rejects.toThrow('confirm');
    await expect(importRows([row], { mapId: 'unknown' })).rejects.toThrow('MAP_NOT_FOUND');
    await expect(importRows([row], { idempotencyKey: 'ü', confirm: true })).rejects.toThrow('idempotencyKey');
  });
});
