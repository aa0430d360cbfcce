/** GPX exports, read by other programs and by our import. */

import { itUnless } from '../../support/skip.ts';
import { read } from '../xml/reading.ts';
import { assertWellFormed, describeFile, NO_GDAL, NO_XMLLINT } from '../xml/tools.ts';
import type { Written } from '../xml/writing.ts';
import { write } from '../xml/writing.ts';

const FIELDS = ['Name', 'Address', 'ele', '<Stars>', '\u0001'];
const GIVEN: readonly Written[] = [
  {
    name: 'A & \u0001B\ufffe',
    properties: {
      Name: 'A & \u0001B\ufffe',
      Address: '1 <Main>\r',
      ele: '12.5',
      '<Stars>': 5,
      '\u0001': true,
    },
  },
  // Not in schema order, and not all valid.
  {
    name: 'C',
    properties: {
      type: 't',
      sym: 'Flag',
      ele: 'high',
      time: '2020-01-01',
      desc: 'D',
      cmt: 'c',
      src: '',
      link: 'x',
    },
  },
  { name: 'D', properties: { time: '2020-01-01T00:00:00Z', name: 'other', Name: ['D'] } },
];

describe('a GPX export', () => {
  it('writes the elements of waypoints in schema order', () => {
    expect(write('gpx', GIVEN, { fields: FIELDS })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<gpx version="1.1" creator="Map Locations" xmlns="http://www.topografix.com/GPX/1/1">\n' +
        '<wpt lat="1.5" lon="-2.25"><ele>12.5</ele><name>A &amp; B</name>' +
        '<desc>Address: 1 &lt;Main&gt;&#13;\n&lt;Stars&gt;: 5\n: true</desc></wpt>\n' +
        '<wpt lat="1.5" lon="-2.25"><name>C</name><cmt>c</cmt><desc>D\nele: high</desc><sym>Flag</sym><type>t</type></wpt>\n' +
        '<wpt lat="1.5" lon="-2.25"><time>2020-01-01T00:00:00Z</time><name>D</name></wpt>\n' +
        '</gpx>\n',
    );
  });

  it('restores names and points when imported', async () => {
    const { rows, damage } = await read(write('gpx', GIVEN, { fields: FIELDS }));
    expect(damage).toBeNull();
    expect(rows).toMatchObject(['A & B', 'C', 'D'].map((name) => ({ name, '@': [1.5, -2.25] })));
  });

  it('contains only public fields in the public view', () => {
    const given = [{ name: 'N', properties: { Name: 'N', sym: 'secret', desc: 'secret', Stars: 5 } }];
    const shown = write('gpx', given, { fields: ['Name', 'Stars'], isPublic: true });
    expect(shown).toContain('<wpt lat="1.5" lon="-2.25"><name>N</name><desc>Stars: 5</desc></wpt>');
  });

  itUnless(NO_XMLLINT, 'is well-formed XML', () => {
    assertWellFormed(write('gpx', GIVEN, { fields: FIELDS }));
  });

  itUnless(NO_GDAL, 'is read by GDAL', () => {
    const said = describeFile(write('gpx', GIVEN, { fields: FIELDS }), 'gpx');
    expect(said).toMatch(/Layer name: waypoints\nGeometry: Point\nFeature Count: 3/);
    expect(said).toContain('name (String) = A & B');
    expect(said).toContain('ele (Real) = 12.5');
    expect(said).toContain('sym (String) = Flag');
    expect(said).toContain('POINT (-2.25 1.5)');
  });
});
