/** Reading KML and KMZ. */

import { FileDamage, UnreadableFileError } from '../../../src/transfer/text/damage.ts';
import { openImport } from '../../../src/transfer/open-import.ts';
import { fileOf, pipeOf, zipOf } from '../../support/zip.ts';
import type { ZipEntry } from '../../support/zip.ts';
import { failureOf, read, rejectedFile } from '../xml/reading.ts';
import { GOOGLE_EARTH, MY_MAPS, SCHEMA_DATA, UMAP } from './files.ts';

const kml = (content: string) => `<kml xmlns="http://www.opengis.net/kml/2.2">${content}</kml>`;
const withPoint = (coordinates: string, more = '') =>
  `<Placemark>${more}<Point><coordinates>${coordinates}</coordinates></Point></Placemark>`;

describe('KML', () => {
  it('of Google My Maps has Placemarks with columns and layers', async () => {
    const { rows, numbers, notes, format } = await read(MY_MAPS, { name: 'paris' });
    expect(format).toBe('kml');
    expect(numbers).toEqual([1, 2, 3]);
    expect(rows).toEqual([
      {
        name: 'Louvre',
        description:
          '<img src="https://x.example/1.jpg" height="200" width="auto" /><br><br>Adresse: Rue de Rivoli<br>Open: yes',
        Adresse: 'Rue de Rivoli',
        gx_media_links: 'https://x.example/1.jpg',
        Folder: 'Museums & more',
        '@': [48.8606, 2.3376],
      },
      'Placemark 2 "Walk" is a LineString; only a Point can become a location.',
      { name: 'Panthéon', address: 'Place du Panthéon, Paris', Folder: 'Imported' },
    ]);
    expect(notes).toEqual([
      'A third coordinate (an altitude) was dropped in 1 row.',
      'Ignored in Placemarks: styleUrl.',
    ]);
  });

  it('of Google Earth has Placemarks, and notes on other content', async () => {
    const { rows, notes } = await read(GOOGLE_EARTH, { isUpsert: true });
    const folder = { Folder: 'Trip / Day 1' };
    expect(rows).toEqual([
      {
        name: 'Cabin',
        address: 'Hill 1',
        phoneNumber: 'tel:+1 555',
        ...folder,
        '@': [46.25, 7.5],
        '@id': 'pm12',
      },
      'Placemark 2 "Path" is a gx:Track; only a Point can become a location.',
      'Placemark 3 "Lot" is a MultiGeometry; only a Point can become a location.',
      { name: 'One', ...folder, '@': [2, 1] },
      'Placemark 5 "Loose" is a Model; only a Point can become a location.',
    ]);
    expect(notes).toEqual([
      'A third coordinate (an altitude) was dropped in 1 row.',
      'The NetworkLink "Live" to https://example.org/live.kml?a=1&b=2 was not followed.',
      'Ignored, because they are not Placemarks: 1 GroundOverlay, 2 PhotoOverlays, 1 gx:Tour.',
      'Ignored in Placemarks: open, atom:author, Snippet, LookAt, styleUrl.',
    ]);
  });

  it('of uMap and of schemas has each value once', async () => {
    expect((await read(UMAP)).rows).toEqual([
      { name: 'Fountain', description: 'drinkable', _umap_options: '{"color":"Blue"}', '@': [45.76, 4.84] },
    ]);
    expect((await read(SCHEMA_DATA)).rows).toEqual([{ name: 'Camp', Sites: '14', number: '7', '@': [2, 1] }]);
  });

  it('keeps two values of one name', async () => {
    const data = '<Data name="k"><value>a</value></Data><Data name="k"><value>b</value></Data>';
    const folder = '<Data name="Folder"><value>mine</value></Data>';
    const text = kml(
      `<Folder><name>F</name>${withPoint('1,2', `<name>a</name><name>b</name><ExtendedData>${data}${folder}</ExtendedData>`)}</Folder>`,
    );
    expect((await read(text)).rows).toEqual([
      { name: 'a', 'name (2)': 'b', k: 'a', 'k (2)': 'b', Folder: 'mine', 'Folder (2)': 'F', '@': [2, 1] },
    ]);
  });

  it('may have properties of any name', async () => {
    const data = ['__proto__', 'constructor', '7', 'a&#10;b', '&lt;'].map(
      (name) => `<Data name="${name}"><value>v</value></Data>`,
    );
    const { rows } = await read(kml(withPoint('1,2', `<ExtendedData>${data.join('')}</ExtendedData>`)));
    expect(Object.entries(rows[0] ?? {})).toEqual([
      ['7', 'v'],
      ['__proto__', 'v'],
      ['constructor', 'v'],
      ['a\nb', 'v'],
      ['<', 'v'],
      ['@', [2, 1]],
    ]);
  });

  it('keeps unescaped markup as text', async () => {
    const description = '<description>a <b class="x">b</b><br/> &amp; c</description>';
    expect((await read(kml(withPoint('1,2', description)))).rows).toEqual([
      { description: 'a <b class="x">b</b><br/> & c', '@': [2, 1] },
    ]);
  });

  it('accepts coordinates with extra white space, and rejects invalid ones', async () => {
    const good = [' -122.1, 37.4, 0 ', '\n\t-122.1,37.4\n', '-122.1 ,37.4,', '-1.221e2,+37.40,1e3'];
    expect((await read(kml(good.map((one) => withPoint(one)).join('')))).rows).toEqual(
      good.map(() => ({ '@': [37.4, -122.1] })),
    );
    const bad = ['1 2', '1', '1,2 3,4', 'a,b', '1,2,3,4', '1,,2', 'NaN,1', '0x1,2', '1,2,x'];
    const { rows } = await read(kml(bad.map((one) => withPoint(one, '<name>N</name>')).join('')));
    expect(rows).toEqual(
      bad.map(
        (text, index) =>
          `Placemark ${index + 1} "N": The coordinates must be "longitude,latitude" or ` +
          `"longitude,latitude,altitude", in degrees, not "${text}".`,
      ),
    );
  });

  it('has no point if the coordinates are empty', async () => {
    const empty = ['<Point/>', '<Point><coordinates> </coordinates></Point>', '<MultiGeometry/>', ''];
    const text = kml(empty.map((one) => `<Placemark><address>A</address>${one}</Placemark>`).join(''));
    expect((await read(text)).rows).toEqual(empty.map(() => ({ address: 'A' })));
  });

  it('rejects a Placemark with several geometries', async () => {
    const point = '<Point><coordinates>1,2</coordinates></Point>';
    const text = kml(
      `<Placemark>${point}${point}</Placemark><Placemark><MultiGeometry><MultiGeometry>${point}</MultiGeometry></MultiGeometry></Placemark>`,
    );
    expect((await read(text)).rows).toEqual([
      'Placemark 1 has 2 geometries; only a Point can become a location.',
      { '@': [2, 1] },
    ]);
  });

  it('may have any namespace and prefix, or none', async () => {
    const point = (p: string) =>
      `<${p}Placemark><${p}name>N</${p}name><${p}Point><${p}coordinates>1,2</${p}coordinates></${p}Point></${p}Placemark>`;
    const files = [
      `<kml>${point('')}</kml>`,
      `<kml xmlns="http://earth.google.com/kml/2.0">${point('')}</kml>`,
      `<kml xmlns="http://www.opengis.net/kml/2.3">${point('')}</kml>`,
      `<k:kml xmlns:k="http://www.opengis.net/kml/2.2">${point('k:')}</k:kml>`,
      `<kml xmlns:a="http://www.opengis.net/kml/2.2"><a:Document xmlns:k="http://earth.google.com/kml/2.1">${point('k:')}</a:Document></kml>`,
    ];
    for (const text of files) expect((await read(text)).rows).toEqual([{ name: 'N', '@': [2, 1] }]);
    // A Placemark of another namespace is not one.
    expect((await read(`<kml xmlns:q="urn:q">${point('q:')}</kml>`)).rows).toEqual([]);
    // An undeclared prefix is accepted.
    expect((await read('<kml><Placemark><gx:Track/></Placemark></kml>')).rows).toEqual([
      'Placemark 1 is a gx:Track; only a Point can become a location.',
    ]);
  });

  it('is refused with another root element', async () => {
    const error = await failureOf(read('<html><body/></html>', { name: 'a.kml' }));
    expect(error).toBeInstanceOf(UnreadableFileError);
    expect(error).toHaveProperty('message', 'The file is not KML: its root element is "html", not "kml".');
  });

  it('lists the first NetworkLinks, and counts the others', async () => {
    const { rows, notes } = await read(
      kml('<NetworkLink><Url><href> a </href></Url></NetworkLink>'.repeat(25)),
    );
    expect(rows).toEqual([]);
    expect(notes).toHaveLength(21);
    expect(notes[0]).toBe('The NetworkLink to a was not followed.');
    expect(notes[20]).toBe('5 more NetworkLinks were not followed.');
  });
});

describe('the file of rejected Placemarks', () => {
  it('is KML with the reasons, which is read as before', async () => {
    const files = {
      GOOGLE_EARTH,
      MY_MAPS,
      SCHEMA_DATA,
      UMAP,
      prefixed:
        '<k:kml xmlns:k="http://www.opengis.net/kml/2.2"><k:Folder><k:name>A &amp; B</k:name><k:Placemark/><k:Placemark><k:ExtendedData/></k:Placemark></k:Folder></k:kml>',
      'XML 1.1': '<?xml version="1.1"?><kml><Placemark><name>&#1;</name></Placemark></kml>',
    };
    for (const [name, text] of Object.entries(files)) {
      const before = await read(text);
      const rejected = rejectedFile(before);
      expect(rejected.match(/Placemark \d+: BAD_USER_INPUT: No &lt;good&gt; &amp; "so"\./g)).toHaveLength(
        before.rows.length,
      );
      const after = await read(rejected);
      expect([name, after.rows]).toEqual([name, before.rows]);
      // Repeatedly.
      expect((await read(rejectedFile(after))).rows).toEqual(before.rows);
    }
  });

  it('keeps a property called rejected', async () => {
    const data = '<ExtendedData><Data name="rejected"><value>by the jury</value></Data></ExtendedData>';
    const before = await read(kml(`<Placemark>${data}</Placemark>`));
    expect(before.rows).toEqual([{ rejected: 'by the jury' }]);
    expect((await read(rejectedFile(before))).rows).toEqual(before.rows);
  });

  it('replaces a Placemark that is too long', async () => {
    const text = kml(`<Placemark><description>${'x'.repeat(1_100_000)}</description></Placemark>`);
    const rejected = rejectedFile(await read(text));
    expect(rejected).toMatch(
      /<Document>\n<Placemark><ExtendedData>.*Placemark 1: BAD_USER_INPUT: .*<\/Placemark>\n<\/Document><\/kml>\n$/,
    );
    expect((await read(rejected)).rows).toEqual([{}]);
  });
});

describe('KMZ', () => {
  const other = '<kml><Placemark><name>other</name></Placemark></kml>';
  const own = '<kml><Placemark><name>own</name></Placemark></kml>';
  const readKmz = async (entries: readonly ZipEntry[], maxExpandedBytes = 1 << 30) => {
    const file = await openImport(fileOf(zipOf(entries), 'a.kmz'), [], { maxExpandedBytes });
    const names: unknown[] = [];
    for await (const row of file.rows) {
      const input = file.readRow(row);
      names.push('fields' in input ? input.fields.name : input.message);
    }
    await file.close();
    return { format: file.format, names, notes: file.report().notes.map(({ text }) => text) };
  };

  it('of Google My Maps is read without images', async () => {
    const images = ['images/icon-1.png', 'images/icon-2.png'].map((name) => ({ name, content: 'png' }));
    const { format, names, notes } = await readKmz([...images, { name: 'doc.kml', content: MY_MAPS }]);
    expect([format, names.length, names[0]]).toEqual(['kml', 3, 'Louvre']);
    expect(notes.at(-1)).toBe(
      'Only "doc.kml" of the archive was read; 2 other files, such as images, were ignored.',
    );
  });

  it('reports KML files that are not read, and other ignored files', async () => {
    const entries = ['doc.kml', 'layers/a.kml', 'b.KML', 'icon.png'].map((name) => ({ name, content: own }));
    expect((await readKmz(entries)).notes).toEqual([
      'Only "doc.kml" of the archive was read; 1 other file, such as an image, was ignored.',
      'Other KML files of the archive were not read: "layers/a.kml", "b.KML". Unpack it, and import each.',
    ]);
  });

  it('is read from doc.kml, else from the first KML file at the root, else from the only one', async () => {
    const archives: readonly (readonly string[])[] = [
      ['a.kml', 'doc.kml'],
      ['x/a.kml', 'DOC.KML', 'b.kml'],
      ['x/doc.kml', 'b.KML', 'c.kml'],
      ['x/y/a.kml', 'x/y/b.png'],
    ];
    const chosen = ['doc.kml', 'DOC.KML', 'b.KML', 'x/y/a.kml'];
    for (const [index, names] of archives.entries()) {
      const entries = names.map((name) => ({ name, content: name === chosen[index] ? own : other }));
      expect([names, (await readKmz(entries)).names]).toEqual([names, ['own']]);
    }
    const several = ['x/a.kml', 'y/b.kml'].map((name) => ({ name, content: own }));
    expect(await failureOf(readKmz(several))).toHaveProperty(
      'message',
      'The archive contains several KML files, none of them at its root: "x/a.kml", "y/b.kml". Unpack it, and import each.',
    );
  });

  it('is read from a pipe, also with a given format', async () => {
    const bytes = zipOf([{ name: 'doc.kml', content: own }]);
    for (const format of ['kml', null] as const) {
      const pipe = pipeOf([bytes.subarray(0, 1), bytes.subarray(1)]);
      const file = await openImport(pipe, [], { format });
      expect((await file.rows.next()).value).toMatchObject({ line: 1 });
      await file.close();
    }
  });

  it('ends at the size limit or the damage, after the rows before', async () => {
    const content = `<kml>${'<Placemark><name>a</name></Placemark>'.repeat(40_000)}</kml>`;
    const doc = { name: 'doc.kml', content };
    const error = await failureOf(readKmz([doc], 10_000));
    expect(error).toBeInstanceOf(UnreadableFileError);
    expect(error).toHaveProperty(
      'message',
      'The unpacked archive is over 10000 bytes (IMPORT_MAX_EXPANDED).',
    );
    const damageOf = async (bytes: Buffer) => {
      const file = await openImport(fileOf(bytes, 'a.kmz'), []);
      let rows = 0;
      try {
        for await (const row of file.rows) rows = row.line;
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(FileDamage);
        return { rows, line: (thrown as FileDamage).line, reason: (thrown as FileDamage).reason };
      } finally {
        await file.close();
      }
      throw new Error('The archive is taken for a good one.');
    };
    const bytes = zipOf([{ ...doc, isStored: true }]);
    // Changes the last name, and so the checksum.
    bytes[bytes.lastIndexOf('a</name>')] = 0x62;
    const { rows, line, reason } = await damageOf(bytes);
    expect(reason).toMatch(/^the archive is damaged \(/);
    expect(rows).toBeGreaterThan(30_000);
    expect(line).toBe(rows + 1);
  });
});
