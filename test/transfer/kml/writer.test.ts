/** KML exports, read by other programs and by our import. */

import fc from 'fast-check';

import type { JsonObject } from '../../../src/domain/json/json.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { itUnless } from '../../support/skip.ts';
import { read } from '../xml/reading.ts';
import { assertWellFormed, describeFile, NO_GDAL, NO_XMLLINT } from '../xml/tools.ts';
import { write } from '../xml/writing.ts';

/** Everything that XML escapes or forbids. */
const NASTY = [
  '',
  ' ',
  '<',
  '&amp;',
  ']]>',
  '"',
  "'",
  '\r',
  '\r\n',
  '\n',
  '\t',
  '\u0001',
  '\u000b',
  '\u0085',
].concat([
  '\ufffe',
  '\uffff',
  '\ufeff',
  '\u2028',
  '\u{1fffe}',
  '😀',
  '<!--',
  '<?x?>',
  '\\u0001',
  '"\\u0001"',
]);
const text = fc
  .string({ unit: fc.oneof(fc.constantFrom(...NASTY), anyCharacter), maxLength: 6 })
  .map((given) => given.replaceAll('\0', ''));
const fieldName = fc.oneof(
  text,
  fc.constantFrom('id', '$id', 'more', 'name', 'lat', 'Folder', 'rejected', '__proto__'),
);

const locations = fc.array(
  fc.record({
    name: text,
    externalId: fc.option(text.filter((id) => id !== '')),
    order: text.filter((order) => order !== ''),
    placeId: text.filter((placeId) => placeId !== ''),
    properties: fc.array(
      fc.tuple(fieldName, fc.oneof(text, fc.double({ noNaN: true, min: -1e15, max: 1e15 }), fc.boolean())),
      {
        maxLength: 4,
      },
    ),
  }),
  { maxLength: 4 },
);

describe('a KML export', () => {
  it('has a name, a Point, and the columns of an exported table as ExtendedData', () => {
    const given = [
      { name: 'A & B', externalId: 'e', properties: { Name: 'A & B', Address: '', note: '<\u0001>' } },
    ];
    expect(write('kml', given, { fields: ['Name', 'Address', 'a"\n<b>'] })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>\n' +
        '<Placemark><name>A &amp; B</name><ExtendedData>' +
        '<Data name="id"><value>id0</value></Data><Data name="externalId"><value>e</value></Data>' +
        '<Data name="order"><value>1</value></Data><Data name="lat"><value>1.5</value></Data>' +
        '<Data name="lng"><value>-2.25</value></Data><Data name="placeId"><value>point:1.5,-2.25</value></Data>' +
        '<Data name="Name"><value>A &amp; B</value></Data><Data name="Address"><value></value></Data>' +
        '<Data name="a&quot;&#10;&lt;b&gt;"><value></value></Data>' +
        '<Data name="more"><value>{"Address":"","note":"&lt;\\u0001&gt;"}</value></Data></ExtendedData>' +
        '<Point><coordinates>-2.25,1.5</coordinates></Point></Placemark>\n' +
        '</Document></kml>\n',
    );
  });

  const categories = {
    field: 'Kind',
    colors: [
      ['cafe', '#8a3ffc'],
      ['5', '#fde047'],
    ],
  } as const;
  const KINDS = ['cafe', ' cafe ', 5, 'park', null, ['cafe']].map((Kind) => ({ properties: { Kind } }));

  it('has a pin in the colour of each category', () => {
    const text = write('kml', KINDS, {
      fields: ['Kind'],
      categories,
      attributions: [{ text: 'A', url: null }],
    });
    const styles = [
      ...text.matchAll(/<Style id="([^"]+)"><IconStyle><color>([0-9a-f]{8})<\/color><Icon><href>/g),
    ];
    expect(styles.map(([, id, color]) => [id, color])).toEqual([
      ['category-1', 'fffc3f8a'],
      ['category-2', 'ff47e0fd'],
      ['category-other', 'ffffffff'],
    ]);
    expect(
      [...text.matchAll(/<\/name><styleUrl>#([^<]+)<\/styleUrl><ExtendedData>/g)].map(([, id]) => id),
    ).toEqual([
      'category-1',
      'category-1',
      'category-2',
      'category-other',
      'category-other',
      'category-other',
    ]);
    // The order of the schema.
    expect(text).toMatch(/<Document>\n<description>A<\/description>\n(<Style .*<\/Style>\n){3}<Placemark>/);
  });

  it('has no styles if no category has a colour', () => {
    const plain = write('kml', KINDS, { fields: ['Kind'] });
    expect(write('kml', KINDS, { fields: ['Kind'], categories: { field: 'Kind', colors: [] } })).toBe(plain);
    expect(plain).not.toMatch(/style/i);
  });

  it('is imported with the same values and the same notes, whether it has styles or not', async () => {
    const options = { format: 'kml', fields: [{ name: 'Kind', type: 'category' as const }] } as const;
    const [styled, plain] = await Promise.all(
      [{ categories }, {}].map((more) => read(write('kml', KINDS, { fields: ['Kind'], ...more }), options)),
    );
    expect([styled?.rows, styled?.notes]).toEqual([plain?.rows, plain?.notes]);
    expect(styled?.rows).toHaveLength(KINDS.length);
  });

  it('restores any values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fieldName, { maxLength: 4 }), locations, async (fields, given) => {
        const written = given.map((one) => ({
          ...one,
          properties: Object.fromEntries(one.properties) as JsonObject,
        }));
        const { rows, damage } = await read(write('kml', written, { fields }), {
          format: 'kml',
          fields: fields.map((name) => ({ name, type: 'text' as const })),
        });
        expect(damage).toBeNull();
        const sorted = (row: object) => Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
        expect(rows.map((row) => sorted(Object(row) as object))).toEqual(
          written.map(({ properties, order, placeId, externalId }) => {
            // JSON writes -0 as 0.
            const stored = JSON.parse(JSON.stringify(properties)) as JsonObject;
            const point = { '@': [1.5, -2.25], '@place': placeId, '@order': order };
            const id = externalId === null ? {} : { '@id': externalId };
            // Object.fromEntries also accepts __proto__.
            return sorted(Object.fromEntries([stored, point, id].flatMap((part) => Object.entries(part))));
          }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('is imported with Points that a user has moved on a map', async () => {
    const given = [
      { name: 'A', placeId: 'own' },
      { name: 'B', placeId: 'own' },
    ];
    const moved = write('kml', given).replace('<coordinates>-2.25,1.5', '<coordinates>10,-20.5,0');
    const { rows, notes } = await read(moved);
    expect(rows).toMatchObject([{ '@': [-20.5, 10] }, { '@': [1.5, -2.25], '@place': 'own' }]);
    expect(rows[0]).not.toHaveProperty('@place');
    expect(notes).toContain(
      'In 1 Placemark of an export, lat and lng differ from the Point; its Point was used.',
    );
  });

  it('contains only public fields in the public view', () => {
    const given = [{ externalId: 'secret', properties: { Name: 'A', Hidden: 'secret', '\u0001': 'shown' } }];
    const shown = write('kml', given, { fields: ['Name', '\u0001'], isPublic: true });
    expect(shown).not.toContain('secret');
    expect(shown).toContain('{"\\u0001":"shown"}');
  });

  itUnless(NO_XMLLINT, 'is well-formed XML', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fieldName, { maxLength: 4 }), locations, (fields, given) => {
        const written = given.map((one) => ({
          ...one,
          properties: Object.fromEntries(one.properties) as JsonObject,
        }));
        assertWellFormed(write('kml', written, { fields }));
      }),
      { numRuns: 30 },
    );
  });

  itUnless(NO_GDAL, 'is read by GDAL', () => {
    const given = [{ name: 'Café <1>', properties: { Name: 'Café <1>', Address: 'A & B' } }, { name: 'Two' }];
    const said = describeFile(write('kml', given), 'kml');
    expect(said).toContain('Feature Count: 2');
    expect(said).toContain('(String) = Café <1>');
    expect(said).toContain('(String) = A & B');
    expect(said).toMatch(/POINT (Z )?\(-2\.25 1\.5/);
  });

  itUnless(NO_GDAL, 'is read by GDAL with the same points and fields, whether it has styles or not', () => {
    const features = (text: string) =>
      describeFile(text, 'kml')
        .split('\n')
        .filter((line) => /^OGRFeature|^ {2}(?!Style)/.test(line));
    const plain = features(write('kml', KINDS, { fields: ['Kind'] }));
    expect(features(write('kml', KINDS, { fields: ['Kind'], categories }))).toEqual(plain);
    expect(plain.filter((line) => line.startsWith('OGRFeature'))).toHaveLength(KINDS.length);
  });
});
