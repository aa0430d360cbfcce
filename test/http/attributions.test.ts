/** The attributions of geocoders: in GraphQL, and in exports. */

import { createGeocoder } from '../../src/geocoding/create-geocoder.ts';
import { createOfflineGeocoder } from '../../src/geocoding/offline/offline-geocoder.ts';
import type { LocationGeocoding } from '../../src/domain/location.ts';
import { anInsert, insertAll } from '../contract/storage/fixtures.ts';
import { createFakeGeocoder } from '../support/fake-geocoder.ts';
import { providersAt, settingsFor } from '../support/geocoding-settings.ts';
import { dataOf, makeMap } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';
import { read } from '../transfer/xml/reading.ts';
import { assertWellFormed, NO_XMLLINT } from '../transfer/xml/tools.ts';
import { itUnless } from '../support/skip.ts';

/** No server is called. */
const NOWHERE = 'http://127.0.0.1:1';
const OSM = { text: '© OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' };
const GEONAMES = { text: 'GeoNames, CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' };
const GEOCODING: LocationGeocoding = {
  provider: 'manual',
  precision: 'rooftop',
  label: null,
  isAmbiguous: false,
  isChecked: true,
};

describe('the attributions of a map', () => {
  let server: TestServer;
  beforeAll(async () => {
    const { attributions } = createGeocoder(
      settingsFor(NOWHERE, { providers: providersAt(NOWHERE, { geocodejson: { shownName: 'ban' } }) }),
      { offline: createOfflineGeocoder() },
    );
    server = await createTestServer({}, { geocoder: { ...createFakeGeocoder(), attributions } });
  });
  afterAll(() => server.close());

  async function mapOf(...providers: readonly string[]): Promise<string> {
    const { id } = await makeMap(server, { isPublished: true });
    const inserts = providers.map((provider, index) =>
      anInsert(id, {
        location: { name: `Place ${index}`, geocoding: { ...GEOCODING, provider } },
      }),
    );
    await insertAll(server.gateway.storage, id, inserts);
    return id;
  }
  const attributionsOf = async (id: string, root = 'map') =>
    dataOf(
      await server.graphql(
        `query ($id: ID!) { ${root}(id: $id) { attributions { text url } } }`,
        { id },
        root === 'map' ? undefined : null,
      ),
    )[root].attributions;
  const exportOf = async (id: string, format: string) =>
    (await server.request('GET', `/maps/${id}/locations.${format}`)).text;

  it.each<[string, string[], object[]]>([
    ['no points', [], []],
    ['points that people have set', ['manual'], []],
    ['an unknown geocoder', ['gone'], []],
    ['one geocoder', ['offline', 'offline', 'manual'], [GEONAMES]],
    ['geocoders with the same source, also under another name', ['photon', 'nominatim', 'ban'], [OSM]],
    ['several geocoders', ['nominatim', 'offline'], [GEONAMES, OSM]],
  ])('are those of %s, also in the public view', async (_what, providers, expected) => {
    const id = await mapOf(...providers);
    expect(await attributionsOf(id)).toEqual(expected);
    expect(await attributionsOf(id, 'publicMap')).toEqual(expected);
  });

  it('are none for a deleted map, and follow changes of its points', async () => {
    const id = await mapOf('offline', 'nominatim');
    const [first] = await server.gateway.storage.listLocations(id, {
      ...{ limit: 1, fromEnd: false, after: null, before: null },
    });
    await server.gateway.storage.deleteLocation(id, first!.id);
    expect(await attributionsOf(id)).toEqual([OSM]);
    dataOf(await server.graphql(`mutation { deleteMap(input: { id: "${id}" }) { map { id } } }`));
    expect(await attributionsOf(id)).toEqual([]);
  });

  it('are a member of GeoJSON', async () => {
    const geojson = JSON.parse(await exportOf(await mapOf('offline', 'nominatim'), 'geojson'));
    expect(geojson).toMatchObject({
      type: 'FeatureCollection',
      attribution: `GeoNames, CC BY 4.0 (${GEONAMES.url}); © OpenStreetMap contributors (${OSM.url})`,
    });
    expect(geojson.features).toHaveLength(2);
  });

  it('are the description of KML', async () => {
    expect(await exportOf(await mapOf('nominatim'), 'kml')).toContain(
      `<Document>\n<description>© OpenStreetMap contributors (${OSM.url})</description>\n<Placemark>`,
    );
  });

  it('are the copyright of GPX', async () => {
    expect(await exportOf(await mapOf('nominatim'), 'gpx')).toContain(
      `<metadata><copyright author="© OpenStreetMap contributors"><license>${OSM.url}</license></copyright></metadata>\n<wpt`,
    );
    expect(await exportOf(await mapOf('nominatim', 'offline'), 'gpx')).toContain(
      `<copyright author="GeoNames, CC BY 4.0 (${GEONAMES.url}); © OpenStreetMap contributors (${OSM.url})"/>`,
    );
  });

  it.each(['geojson', 'kml', 'gpx', 'csv', 'ndjson'])(
    'change nothing else, nor what an import reads: %s',
    async (format) => {
      const names = async (text: string) =>
        (await read(text, { name: `map.${format}` })).rows.map((row) =>
          typeof row === 'string' ? row : (row['name'] ?? row['Name']),
        );
      const [without, with_] = [await mapOf('manual', 'manual'), await mapOf('nominatim', 'offline')];
      const text = await exportOf(without, format);
      expect(text).not.toMatch(/attribution|copyright|<description>|metadata/);
      expect(await names(await exportOf(with_, format))).toEqual(await names(text));
    },
  );

  itUnless(NO_XMLLINT, 'leave XML well-formed', async () => {
    const id = await mapOf('nominatim', 'offline');
    for (const format of ['kml', 'gpx']) assertWellFormed(await exportOf(id, format));
  });
});
