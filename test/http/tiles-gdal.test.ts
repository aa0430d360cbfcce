/** Vector tiles as GDAL reads them. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { referenceTile } from '../domain/filter/reference-clusters.ts';
import { dataOf, makeMap } from '../support/graphql.ts';
import { listen } from '../support/raw-http.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { itUnless } from '../support/skip.ts';
import { describeOnStores } from '../support/stores.ts';
import { NO_GDAL } from '../transfer/xml/tools.ts';

const run = promisify(execFile);

interface Feature {
  readonly geometry: { readonly type: string; readonly coordinates: readonly [number, number] };
  readonly properties: Readonly<Record<string, unknown>>;
}

describeOnStores('a vector tile in GDAL', (url) => {
  const folder = mkdtempSync(join(tmpdir(), 'map-locations-'));
  let server: TestServer;
  let origin: string;
  let map: string;
  beforeAll(async () => {
    server = await createTestServer({ DATABASE_URL: url });
    origin = `http://127.0.0.1:${await listen(server)}`;
    const fields = [
      { name: 'Name', type: 'placeName' },
      { name: 'Address', type: 'address' },
      { name: 'Höhe', type: 'number' },
    ];
    map = (await makeMap(server, { isPublished: true, fields })).id;
    const locations = Array.from({ length: 40 }, (_, index) => ({
      fields: { Name: `Ort ${index} – 東京`, Address: 'x', Höhe: index % 2 === 0 ? index : index + 0.5 },
      position: { latitude: 47 + index / 100, longitude: 8 - index / 100 },
    }));
    dataOf(
      await server.graphql(
        'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { map { id } } }',
        { input: { mapId: map, locations } },
      ),
    );
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await server.close();
  });

  const addressOf = (zoom: number) => {
    const { x, y } = referenceTile({ latitude: 47.2, longitude: 7.8 }, zoom);
    return `MVT:${origin}/maps/${map}/tiles/${zoom}/${x}/${y}.mvt`;
  };
  const featuresOf = async (zoom: number): Promise<readonly Feature[]> => {
    const file = join(folder, `${zoom}.geojson`);
    await run('ogr2ogr', ['-t_srs', 'EPSG:4326', '-f', 'GeoJSON', file, addressOf(zoom)]);
    return (JSON.parse(readFileSync(file, 'utf8')) as { features: readonly Feature[] }).features;
  };

  itUnless(NO_GDAL, 'has one layer of points with typed fields', async () => {
    const { stdout } = await run('ogrinfo', ['-ro', '-so', '-al', addressOf(6)]);
    expect(stdout).toMatch(/^Layer name: locations\nGeometry: (?:Multi )?Point\nFeature Count: 40$/m);
    expect(stdout).toMatch(/^id: String /m);
    expect(stdout).toMatch(/^Höhe: Real /m);
  });

  itUnless(NO_GDAL, 'has the locations of the export, within a unit of the tile', async () => {
    const { json } = await server.request('GET', `/maps/${map}/locations.geojson`, { token: null });
    const exported = new Map<string, Feature>(
      json.features.map((feature: Feature & { id: string }) => [feature.id, feature]),
    );
    const found = await featuresOf(6);
    expect(found).toHaveLength(40);
    const unit = 360 / 2 ** 6 / 4096;
    for (const { geometry, properties } of found) {
      const { geometry: exact, properties: fields } = exported.get(String(properties['id']))!;
      // GDAL takes Name for name.
      const { Name: name, ...others } = fields;
      expect(properties).toMatchObject({ name, ...others });
      for (const axis of [0, 1] as const) {
        expect(Math.abs(geometry.coordinates[axis] - exact.coordinates[axis])).toBeLessThan(unit);
      }
    }
  });
});
