/** /ogc as other programs read it: GDAL, OWSLib, and the schemas of the standard. */

import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Ajv } from 'ajv';
import { parse } from 'yaml';

import { disturbing } from '../support/disturbing.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { leftToFull } from '../support/scope.ts';
import { itUnless } from '../support/skip.ts';
import { describeOnStores } from '../support/stores.ts';
import { NO_GDAL } from '../transfer/xml/tools.ts';

const run = promisify(execFile);

let server: TestServer;
let url: string;

function useServer(databaseUrl: string): void {
  beforeAll(async () => {
    server = await createTestServer({ DATABASE_URL: databaseUrl });
    url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());
}

const tenths = (count: number) => Number((count / 10).toFixed(1));

const makeMap = (count: number, isPublished = true) =>
  createPublishedMap(server, {
    isPublished,
    locations: Array.from({ length: count }, (_, index) =>
      placeAt(`P${index}`, tenths((index % 1700) - 850), tenths((index % 3600) - 1800)),
    ),
  });

describeOnStores('the documents', (databaseUrl) => {
  useServer(databaseUrl);
  const source = readFileSync(new URL('../support/ogc/ogcapi-features-1.yaml', import.meta.url), 'utf8');
  const { components } = parse(source) as { components: object };
  const ajv = new Ajv({ strict: false, formats: { uri: true, 'date-time': true } });
  ajv.addSchema({ components }, 'ogc');
  const assertSchema = (name: string, value: unknown) => {
    const validate = ajv.getSchema(`ogc#/components/schemas/${name}`);
    expect([name, validate?.(value), validate?.errors]).toEqual([name, true, null]);
  };
  const fetchJson = async (path: string) =>
    (await server.request('GET', path, { token: null })).json as unknown;

  it('match the schemas of OGC API - Features 1.0', async () => {
    const { mapId, ids } = await makeMap(20);
    const items = `/ogc/collections/${mapId}/items`;
    assertSchema('landingPage', await fetchJson('/ogc'));
    assertSchema('confClasses', await fetchJson('/ogc/conformance'));
    assertSchema('collections', await fetchJson('/ogc/collections'));
    assertSchema('collection', await fetchJson(`/ogc/collections/${mapId}`));
    assertSchema('featureCollectionGeoJSON', await fetchJson(items));
    assertSchema('featureCollectionGeoJSON', await fetchJson(`${items}?bbox=0,0,1,1&limit=1`));
    assertSchema('featureGeoJSON', await fetchJson(`${items}/${ids[0]}`));
    assertSchema('exception', await fetchJson(`${items}?limit=0`));
  });
});

describeOnStores('GDAL', (databaseUrl, store) => {
  useServer(databaseUrl);
  const isLeft = store === 'MongoDB' && leftToFull('GDAL reads the pages of each store alike');
  itUnless(
    NO_GDAL || isLeft,
    'reads a whole map, equal to its export, in 1,000 pages while others write',
    async () => {
      const { mapId, ids } = await makeMap(3_000);
      const known = new Set(ids);
      const exported = await server.request('GET', `/maps/${mapId}/locations.geojson`, { token: null });
      const disturb = disturbing(server, mapId, ids);
      let isReading = true;
      const write = async () => {
        let writes = 0;
        for (; isReading; writes += 1) await disturb();
        return writes;
      };
      const folder = mkdtempSync(join(tmpdir(), 'map-locations-'));
      try {
        const writing = write();
        const path = join(folder, 'a.geojson');
        const source = `OAPIF:${url}/ogc/collections/${mapId}`;
        await run('ogr2ogr', [
          '-f',
          'GeoJSON',
          path,
          source,
          '-oo',
          'PAGE_SIZE=3',
          '-lco',
          'COORDINATE_PRECISION=15',
        ]);
        isReading = false;
        expect(await writing).toBeGreaterThan(10);
        const { features } = JSON.parse(readFileSync(path, 'utf8')) as { features: Feature[] };
        const all = exported.json.features as Feature[];
        // Those made meanwhile may be there.
        const read = features.filter((feature) => known.has(String(idOf(feature))));
        expect(read.map(contentOf)).toEqual(all.map(contentOf));
        expect(new Set(features.map(idOf)).size).toBe(features.length);
      } finally {
        isReading = false;
        rmSync(folder, { recursive: true });
      }
    },
  );

  itUnless(NO_GDAL, 'filters by a box, and reads maps that are not published with a token', async () => {
    const { mapId } = await makeMap(100, false);
    const token = await server.createToken({ scope: 'read' });
    const args = ['-ro', '-so', '-spat', '-180', '-85', '-179.05', '-84', `OAPIF:${url}/ogc`, mapId];
    const env = { ...process.env, GDAL_HTTP_HEADERS: `Authorization: Bearer ${token}` };
    const { stdout } = await run('ogrinfo', args, { env });
    expect(stdout).toMatch(/Feature Count: 10\n/);
    expect(stdout).toMatch(/Geometry: Point/);
  });
});

interface Feature {
  readonly id?: string;
  readonly geometry: { readonly coordinates: readonly number[] };
  readonly properties: { readonly id?: string; readonly Name: string; readonly Address: string };
}

/** GDAL makes an id that is a text a property. */
const idOf = ({ id, properties }: Feature) => properties.id ?? id;

const contentOf = (feature: Feature) => {
  const { geometry, properties } = feature;
  return JSON.stringify([idOf(feature), geometry.coordinates, properties.Name, properties.Address]);
};

const OWSLIB_READER = `
import json, sys
from owslib.ogcapi.features import Features
url, map_id, location_id, token = sys.argv[1:]
api = Features(url, headers={'Authorization': 'Bearer ' + token})
items = api.collection_items(map_id, limit=5, bbox=[-180, -90, 180, 90])
item = api.collection_item(map_id, location_id)
print(json.dumps([
    sorted(name.rsplit('/', 1)[1] for name in api.conformance()['conformsTo']),
    map_id in api.feature_collections(), api.collection(map_id)['title'],
    items['numberReturned'], [item['id'], item['properties']['Name']],
]))
`;
const python = process.env['TEST_OWSLIB'] ?? 'python3';
const hasOwslib = spawnSync(python, ['-c', 'import owslib']).status === 0;

const NO_OWSLIB = !hasOwslib && 'needs owslib of Python: `pip install owslib`, or TEST_OWSLIB=$(.ci/owslib)';

describeOnStores('OWSLib', (databaseUrl) => {
  useServer(databaseUrl);
  itUnless(NO_OWSLIB, 'reads maps and locations', async () => {
    const { mapId, ids } = await makeMap(20, false);
    const token = await server.createToken({ scope: 'read' });
    const args = ['-c', OWSLIB_READER, `${url}/ogc`, mapId, String(ids[7]), token];
    const { stdout } = await run(python, args);
    expect(JSON.parse(stdout)).toEqual([
      ['core', 'geojson', 'html', 'oas30'],
      true,
      'Lighthouses',
      5,
      [ids[7], 'P7'],
    ]);
  });
});
