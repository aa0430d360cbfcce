/** geocodeLocations: geocoding again, without losing what a person has set. */

import { nominatimFound } from '../support/geocoding-fixtures.ts';
import type { GeocodingServer, Scene } from '../support/geocoding-server.ts';
import { json } from '../support/geocoding-server.ts';
import { codesOf, dataOf, makeMap, messageOf } from '../support/graphql.ts';
import { createServerCalling, startServerWithProvider } from '../support/server-with-provider.ts';
import type { TestServer } from '../support/server.ts';

const GEOCODING = 'geocoding { provider precision label isAmbiguous isChecked }';
const LOCATION = `id version name latitude longitude properties ${GEOCODING}`;
const POINT = 'latitude longitude precision provider';
const RESULT = `outcome distance before { ${POINT} } after { ${POINT} } error { code message } location { ${LOCATION} }`;

/** Ranks of Nominatim. */
const HOUSE = 30;
const STREET = 26;
const TOWN = 16;

describe('geocodeLocations', () => {
  let provider: GeocodingServer;
  let server: TestServer;
  let close: () => Promise<void>;
  let mapId: string;
  /** What the geocoder finds, by address. */
  let places: Record<string, { latitude: number; rank: number }>;
  const found: Scene = ({ received: { address } }) => {
    const place = places[address];
    return place === undefined ? [] : nominatimFound({ ...place, longitude: 2, houseNumber: '1' }, place);
  };
  beforeAll(async () => {
    ({ provider, server, close } = await startServerWithProvider(
      { geocoder: ['nominatim'] },
      { BULK_MAX_LOCATIONS: '5' },
    ));
  });
  afterAll(() => close());
  beforeEach(async () => {
    provider.received.length = 0;
    provider.play(found);
    places = {};
    ({ id: mapId } = await makeMap(server));
  });

  const send = (input: object, { at = server, token = '' } = {}) =>
    at.graphql(
      `mutation ($input: GeocodeLocationsInput!) { geocodeLocations(input: $input) { map { id } results { ${RESULT} } } }`,
      { input },
      token || undefined,
    );
  const geocode = async (input: object) => dataOf(await send({ mapId, ...input })).geocodeLocations.results;
  const outcomesOf = (results: { outcome: string }[]) => results.map(({ outcome }) => outcome);
  /** Each test has addresses of its own, since results are cached. */
  const create = async (address: string, place: (typeof places)[string], more: object = {}, at = server) => {
    places[address] = place;
    const response = await at.graphql(
      `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { ${LOCATION} } } }`,
      { input: { mapId, fields: { Name: address, Address: address }, ...more } },
    );
    return dataOf(response).createLocation.location;
  };
  /** A new language makes the cached results useless, as new data do after their time. */
  const changeLanguage = (language: string) =>
    server.graphql(
      `mutation { updateMap(input: { id: "${mapId}", geocoding: { language: "${language}" } }) { map { id } } }`,
    );
  const read = async (id: string) =>
    dataOf(await server.graphql(`{ location(mapId: "${mapId}", id: "${id}") { ${LOCATION} } }`)).location;

  it('replaces points by better and equal ones, and keeps better ones', async () => {
    const better = await create('Better 1', { latitude: 48, rank: TOWN });
    const equal = await create('Equal 1', { latitude: 48, rank: STREET });
    const worse = await create('Worse 1', { latitude: 48, rank: HOUSE });
    const same = await create('Same 1', { latitude: 48, rank: HOUSE });
    await changeLanguage('de');
    places['Better 1'] = { latitude: 48.1, rank: HOUSE };
    places['Equal 1'] = { latitude: 48.2, rank: STREET };
    places['Worse 1'] = { latitude: 48.3, rank: TOWN };
    const ids = [same.id, worse.id, equal.id, better.id];
    const results = await geocode({ ids });
    expect(outcomesOf(results)).toEqual(['unchanged', 'kept', 'changed', 'changed']);
    expect(results[3]).toEqual({
      outcome: 'changed',
      distance: 11119.508,
      before: { latitude: 48, longitude: 2, precision: 'locality', provider: 'nominatim' },
      after: { latitude: 48.1, longitude: 2, precision: 'rooftop', provider: 'nominatim' },
      error: null,
      location: {
        ...better,
        version: 2,
        latitude: 48.1,
        geocoding: { ...better.geocoding, precision: 'rooftop' },
      },
    });
    expect(results[1]).toMatchObject({ after: { latitude: 48.3, precision: 'locality' }, location: worse });
    expect(await read(better.id)).toEqual(results[3].location);
    expect(await read(worse.id)).toEqual(worse);
    const [replaced] = await geocode({ ids: [worse.id], onlyBetter: false });
    expect(replaced).toMatchObject({ outcome: 'changed', location: { latitude: 48.3, version: 2 } });
  });

  it('keeps points that a person has set or checked, unless they are included, and calls no geocoder for them', async () => {
    const byHand = await create(
      'Hand 1',
      { latitude: 48, rank: HOUSE },
      { position: { latitude: 1, longitude: 2 } },
    );
    const checked = await create('Checked 1', { latitude: 48, rank: STREET });
    const mark = `mutation { checkLocations(input: { mapId: "${mapId}", ids: ["${checked.id}"], isChecked: true }) { map { id } } }`;
    dataOf(await server.graphql(mark));
    await changeLanguage('fr');
    provider.received.length = 0;
    places['Checked 1'] = { latitude: 48.1, rank: HOUSE };
    const ids = [byHand.id, checked.id];
    const kept = await geocode({ ids });
    expect(kept).toMatchObject([
      { outcome: 'kept', after: null, distance: null, error: null },
      { outcome: 'kept', after: null },
    ]);
    expect(provider.received).toEqual([]);
    const results = await geocode({ ids, includeManual: true });
    expect(outcomesOf(results)).toEqual(['changed', 'changed']);
    expect(results[0].location.geocoding).toMatchObject({ provider: 'nominatim', isChecked: false });
    expect(results[1].location).toMatchObject({ latitude: 48.1, geocoding: { isChecked: false } });
  });

  it('reports an address that is not found or missing, and geocodes the others', async () => {
    const gone = await create('Gone 1', { latitude: 48, rank: HOUSE });
    const other = await create('Other 1', { latitude: 48, rank: TOWN });
    await changeLanguage('it');
    delete places['Gone 1'];
    places['Other 1'] = { latitude: 49, rank: HOUSE };
    const [missing, changed] = await geocode({ ids: [gone.id, other.id] });
    expect(missing).toMatchObject({
      outcome: 'not_found',
      after: null,
      error: { code: 'ADDRESS_NOT_FOUND' },
      location: gone,
    });
    expect(changed).toMatchObject({ outcome: 'changed' });
  });

  it('stores nothing in a dry run, and uses cached results', async () => {
    const location = await create('Dry 1', { latitude: 48, rank: TOWN });
    await changeLanguage('es');
    places['Dry 1'] = { latitude: 49, rank: HOUSE };
    provider.received.length = 0;
    const [tried] = await geocode({ ids: [location.id], dryRun: true });
    expect(tried).toMatchObject({ outcome: 'changed', after: { latitude: 49 }, location });
    expect(await read(location.id)).toEqual(location);
    expect(outcomesOf(await geocode({ ids: [location.id] }))).toEqual(['changed']);
    expect(provider.received).toHaveLength(1);
  });

  it('takes ids once each, ignores unknown ones, and takes a filter instead', async () => {
    const locations = [];
    for (const name of ['a', 'b', 'c'])
      locations.push(await create(`Filter ${name}`, { latitude: 48, rank: HOUSE }));
    const [a, b] = locations;
    const twice = await geocode({ ids: [b.id, 'unknown', a.id, b.id, `${mapId}_000000000000`] });
    expect(twice.map(({ location }: { location: { id: string } }) => location.id)).toEqual([b.id, a.id]);
    const all = await geocode({ filter: { search: 'filter' }, expectedCount: 3 });
    expect(all.map(({ location }: { location: { id: string } }) => location.id)).toEqual(
      locations.map(({ id }) => id),
    );
    const other = await send({ mapId, filter: { search: 'filter' }, expectedCount: 2 });
    expect([codesOf(other), messageOf(other)]).toEqual([['CONFLICT'], expect.stringContaining('3')]);
  });

  it('takes a filter by precision, which finds nothing after the points are better', async () => {
    await create('Counted One 1', { latitude: 48, rank: HOUSE });
    await create('Counted Two 1', { latitude: 48, rank: TOWN });
    const checked = await create('Counted Three 1', { latitude: 48, rank: TOWN });
    const filter = { geocoding: { precision: ['locality'], isChecked: false } };
    const look = async () =>
      dataOf(
        await server.graphql(
          `query ($filter: LocationFilter) { map(id: "${mapId}") {
            geocodingCounts { precision isChecked count }
            locations(filter: $filter) { totalCount nodes { name } }
          } }`,
          { filter },
        ),
      ).map;
    dataOf(
      await server.graphql(
        'mutation ($input: CheckLocationsInput!) { checkLocations(input: $input) { map { id } } }',
        { input: { mapId, ids: [checked.id], isChecked: true } },
      ),
    );
    expect(await look()).toEqual({
      geocodingCounts: [
        { precision: 'rooftop', isChecked: false, count: 1 },
        { precision: 'locality', isChecked: false, count: 1 },
        { precision: 'locality', isChecked: true, count: 1 },
      ],
      locations: { totalCount: 1, nodes: [{ name: 'Counted Two 1' }] },
    });
    await changeLanguage('de');
    places['Counted Two 1'] = { latitude: 48.1, rank: HOUSE };
    expect(outcomesOf(await geocode({ filter, expectedCount: 1 }))).toEqual(['changed']);
    expect(await look()).toEqual({
      geocodingCounts: [
        { precision: 'rooftop', isChecked: false, count: 2 },
        { precision: 'locality', isChecked: true, count: 1 },
      ],
      locations: { totalCount: 0, nodes: [] },
    });
    const deleted = await server.graphql(
      `mutation { deleteMap(input: { id: "${mapId}" }) { map { geocodingCounts { count } } } }`,
    );
    expect(dataOf(deleted).deleteMap.map).toEqual({ geocodingCounts: [] });
  });

  it('refuses a wrong input', async () => {
    for (let index = 0; index < 6; index += 1) await create(`Many ${index}`, { latitude: 48, rank: HOUSE });
    for (const [input, message] of [
      [{}, /either ids or filter/],
      [{ ids: ['a'], filter: {} }, /either ids or filter/],
      [{ ids: ['a'], expectedCount: 1 }, /expectedCount is allowed only with filter/],
      [{ ids: [] }, /ids has 0 items; 1 to 5/],
      [{ ids: Array(6).fill('a') }, /ids has 6 items; 1 to 5/],
      [{ filter: { search: 'many' } }, /filter matches more than the 5 locations/],
      [{ filter: { bbox: { south: 91, west: 0, north: 0, east: 0 } } }, /filter\.bbox\.south/],
    ] as const) {
      const response = await send({ mapId, ...input });
      expect([input, codesOf(response)]).toEqual([input, ['BAD_USER_INPUT']]);
      expect(messageOf(response)).toMatch(message);
    }
    const reader = await server.createToken({ scope: 'read' });
    expect(codesOf(await send({ mapId, ids: [] }, { token: reader }))).toEqual(['FORBIDDEN']);
  });

  it('stores what it has geocoded when a quota ends the run', async () => {
    const limited = await createServerCalling(provider.url, {
      geocoder: ['nominatim'],
      mapQuota: 6,
      concurrency: 1,
    });
    try {
      ({ id: mapId } = await makeMap(limited));
      const ids: string[] = [];
      for (let index = 0; index < 4; index += 1) {
        ids.push((await create(`Quota ${index}`, { latitude: 48, rank: TOWN }, {}, limited)).id);
      }
      const language = `mutation { updateMap(input: { id: "${mapId}", geocoding: { language: "nl" } }) { map { id } } }`;
      dataOf(await limited.graphql(language));
      for (const address of Object.keys(places)) places[address] = { latitude: 49, rank: HOUSE };
      const { results } = dataOf(await send({ mapId, ids }, { at: limited })).geocodeLocations;
      expect(outcomesOf(results)).toEqual(['changed', 'changed', 'not_asked', 'not_asked']);
      expect(results.map(({ error }: { error: { code: string } | null }) => error?.code ?? null)).toEqual([
        null,
        null,
        'RATE_LIMITED',
        'RATE_LIMITED',
      ]);
      expect(results.map(({ location }: { location: { latitude: number } }) => location.latitude)).toEqual([
        49, 49, 48, 48,
      ]);
    } finally {
      await limited.close();
    }
  });

  it('keeps a point that a person sets meanwhile', async () => {
    const location = await create('Race 1', { latitude: 48, rank: TOWN });
    await changeLanguage('pl');
    places['Race 1'] = { latitude: 49, rank: HOUSE };
    provider.play((exchange) => {
      const moved = server.graphql(
        `mutation { updateLocation(input: { mapId: "${mapId}", id: "${location.id}", position: { latitude: 5, longitude: 6 } }) { location { id } } }`,
      );
      void moved.then(() => json(200, found(exchange))(exchange));
    });
    const [result] = await geocode({ ids: [location.id] });
    expect(result).toMatchObject({ outcome: 'kept', location: { latitude: 5, longitude: 6, version: 2 } });
    expect(await read(location.id)).toMatchObject({ latitude: 5, version: 2 });
  });

  it('geocodes a location that is renamed meanwhile', async () => {
    const location = await create('Rename 1', { latitude: 48, rank: TOWN });
    await changeLanguage('pt');
    places['Rename 1'] = { latitude: 49, rank: HOUSE };
    provider.play((exchange) => {
      const renamed = server.graphql(
        `mutation { updateLocation(input: { mapId: "${mapId}", id: "${location.id}", fields: { Name: "New" } }) { location { id } } }`,
      );
      void renamed.then(() => json(200, found(exchange))(exchange));
    });
    const [result] = await geocode({ ids: [location.id] });
    expect(result).toMatchObject({ outcome: 'changed', location: { name: 'New', latitude: 49, version: 3 } });
  });

  it('is refused by the public Nominatim, by its name', async () => {
    const publicly = await createServerCalling('https://nominatim.openstreetmap.org', {
      geocoder: ['nominatim'],
    });
    try {
      ({ id: mapId } = await makeMap(publicly));
      const response = await send({ mapId, ids: ['a'] }, { at: publicly });
      expect([codesOf(response), messageOf(response)]).toEqual([
        ['GEOCODER_REFUSED'],
        expect.stringMatching(/public Nominatim server .*NOMINATIM_URL/),
      ]);
    } finally {
      await publicly.close();
    }
  });
});
