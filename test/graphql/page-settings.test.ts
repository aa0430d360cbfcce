/** The settings of a map's page: language, time zone, theme and categories. */

import { codesOf, dataOf, makeMap, messageOf } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const PAGE = `language timeZone theme { accent accentOnLight accentOnDark font appearance poweredBy }
  categories { value label color icon }`;
const PLAIN_THEME = {
  ...{ accent: null, accentOnLight: null, accentOnDark: null },
  ...{ font: 'system', appearance: 'auto', poweredBy: true },
};
const PLAIN = { language: null, timeZone: null, theme: PLAIN_THEME, categories: [] };
const NAMED = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
];

describe('the settings of a map’s page', () => {
  let server: TestServer;
  let id: string;
  let now = Date.UTC(2026, 0, 1);
  beforeAll(async () => {
    server = await createTestServer({}, { clock: () => (now += 1_000) });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    const fields = [...NAMED, { name: 'Kind', type: 'category' }];
    id = (await makeMap(server, { isPublished: true, fields })).id;
  });

  const update = (changes: object) =>
    server.graphql(
      `mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { updatedAt ${PAGE} } } }`,
      { input: { id, ...changes } },
    );
  const updated = async (changes: object) => dataOf(await update(changes)).updateMap.map;
  const read = async (root: 'map' | 'publicMap') =>
    dataOf(await server.graphql(`query ($id: ID!) { ${root}(id: $id) { ${PAGE} } }`, { id }))[root];

  it('are those of all pages in a new map', async () => {
    expect(await read('map')).toEqual(PLAIN);
    expect(await read('publicMap')).toEqual(PLAIN);
  });

  it('can be set one by one, and are removed by null', async () => {
    await updated({ language: 'pt-br' });
    await updated({ timeZone: 'America/Sao_Paulo' });
    await updated({ theme: { accent: '#FFCC00', poweredBy: false } });
    await updated({ theme: { font: 'serif' } });
    await updated({ categories: [{ value: 'Café', label: 'Cafés', color: '#0B6BCB', icon: 'cafe' }] });
    const theme = { ...PLAIN_THEME, accent: '#ffcc00', font: 'serif', poweredBy: false };
    const expected = {
      language: 'pt-BR',
      timeZone: 'America/Sao_Paulo',
      theme: { ...theme, accentOnLight: expect.stringMatching(/^#/), accentOnDark: '#ffcc00' },
      categories: [{ value: 'Café', label: 'Cafés', color: '#0b6bcb', icon: 'cafe' }],
    };
    expect(await read('map')).toEqual(expected);
    expect(await read('publicMap')).toEqual(expected);
    expect((await read('map')).theme.accentOnLight).not.toBe('#ffcc00');

    await updated({ name: 'Another' });
    expect(await read('map')).toEqual(expected);
    await updated({ theme: { accent: null } });
    expect((await read('map')).theme).toEqual({ ...PLAIN_THEME, font: 'serif', poweredBy: false });
    await updated({ language: null, timeZone: null, theme: null, categories: null });
    expect(await read('map')).toEqual(PLAIN);
  });

  it('count as a change of the map only if they differ', async () => {
    const changes = { theme: { accent: '#FFCC00' }, categories: [{ value: 'a' }], language: 'de' };
    const first = await updated(changes);
    expect((await updated(changes)).updatedAt).toBe(first.updatedAt);
    expect((await updated({ theme: {} })).updatedAt).toBe(first.updatedAt);
    expect((await updated({ theme: { accent: '#ffcc01' } })).updatedAt).not.toBe(first.updatedAt);
  });

  it.each<[object, RegExp]>([
    [{ language: 'ru' }, /^language must be one of en, de/],
    [{ timeZone: 'Berlin' }, /^timeZone must be a time zone/],
    [{ theme: { accent: 'red' } }, /^theme\.accent must be a colour/],
    [{ theme: { font: 'Comic Sans' } }, /MapFont/],
    [{ theme: { css: 'x' } }, /css/],
    [{ categories: [{ value: 'a' }, { value: 'a' }] }, /^categories\[1\]\.value repeats/],
    [{ categories: [{ value: 'a', icon: 'nope' }] }, /^categories\[0\]\.icon must be one of/],
  ])('cannot be %j', async (changes, message) => {
    const response = await update(changes);
    expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
    expect(messageOf(response)).toMatch(message);
    expect(await read('map')).toEqual(PLAIN);
  });

  it('do not name hidden categories to the public', async () => {
    const categories = [{ value: 'secret kind', label: null, color: null, icon: null }];
    await updated({ categories, fields: [...NAMED, { name: 'Kind', type: 'category', isPublic: false }] });
    expect((await read('map')).categories).toEqual(categories);
    expect((await read('publicMap')).categories).toEqual([]);
    // The second category field is not the one of the styles.
    const more = { name: 'Other', type: 'category' };
    const hidden = { name: 'Kind', type: 'category', isPublic: false };
    await updated({ fields: [...NAMED, hidden, more] });
    expect((await read('publicMap')).categories).toEqual([]);
  });
});
