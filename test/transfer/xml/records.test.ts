/** Streaming XML: context of records, and files that are damaged, huge, or in other encodings. */

import fc from 'fast-check';

import { UnreadableFileError } from '../../../src/transfer/text/damage.ts';
import { readXmlRecords } from '../../../src/transfer/xml/records.ts';
import { rootNameOf } from '../../../src/transfer/xml/root.ts';
import { processorMs } from '../../support/processor-time.ts';
import { failureOf, read, rejectedFile } from './reading.ts';

const kml = (content: string, attributes = '') => `<kml${attributes}><Document>${content}</Document></kml>`;
const placemark = (name: string, more = '') =>
  `<Placemark><name>${name}</name>${more}<Point><coordinates>1,2</coordinates></Point></Placemark>`;
const at = { '@': [2, 1] };

describe('an XML file', () => {
  it('gives the same records wherever its bytes are cut', async () => {
    const text = kml(
      `<!-- <Placemark> --><?pi <a>?>${placemark('a\r\nb &#233;&amp;<![CDATA[</name>]]]>é😀')}${placemark(' c ')}`,
      ' xmlns="http://www.opengis.net/kml/2.2"',
    );
    const whole = await read(text);
    expect(whole.rows).toEqual([
      { name: 'a\nb é&</name>]é😀', ...at },
      { name: 'c', ...at },
    ]);
    expect(whole.ends).toEqual([...whole.ends].sort((a, b) => a - b));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        async (sizes) => {
          const cut = await read(text, { sizes });
          expect([cut.rows, cut.contents]).toEqual([whole.rows, whole.contents]);
          // Approximate offsets, which never decrease.
          expect(cut.ends).toEqual([...cut.ends].sort((a, b) => a - b));
          for (const [index, end] of cut.ends.entries()) {
            expect(Math.abs(end - (whole.ends[index] ?? 0))).toBeLessThan(10);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('gives the source of each record, with the namespaces in scope', async () => {
    const record = '<x:Placemark  a="&gt;" >\n<x:name><![CDATA[ü]]></x:name><b:c/></x:Placemark>';
    const { contents, rows } = await read(
      `<x:kml xmlns:x="http://earth.google.com/kml/2.1"><x:Document xmlns:b="urn:b?a&amp;c">${record}</x:Document></x:kml>`,
    );
    expect(rows).toEqual([{ name: 'ü' }]);
    expect(contents).toEqual([
      { text: record.replace('<x:Placemark', '<x:Placemark xmlns:b="urn:b?a&amp;c"') },
    ]);
  });

  const damages: Record<string, [rest: string, reason: RegExp]> = {
    'the end is missing': ['<Placemark><name>b', /^it ends before it is complete \(line 3\)$/],
    'a tag is not closed': [
      '<Placemark><name>b</name></Document></kml>',
      /^<Placemark> is not closed \(line 3\)$/,
    ],
    'another tag is closed': [
      '<Placemark><name>b</name></Placemarks></kml>',
      /^<Placemark> is not closed \(line 3\)$/,
    ],
    'an entity is not defined': [
      '<Placemark><name>a&nbsp;b</name></Placemark>',
      /^the entity &nbsp; is not defined; .* \(line 3\)$/,
    ],
    'an entity is called like a member of every object': ['<Placemark><name>&constructor;', /&constructor;/],
    'a character is forbidden': [
      '<Placemark><name>\u0001</name></Placemark>',
      /^disallowed character \(line 3\)$/,
    ],
    'bytes follow its end': ['</Document></kml>x', /^text data outside of root node \(line 3\)$/],
    'elements are nested too deep': [
      '<a>'.repeat(100),
      /^the elements are nested more than 64 deep \(line 3\)$/,
    ],
    'elements of a record are nested too deep': [
      `<Placemark>${'<a>'.repeat(300_000)}`,
      /^the elements are nested more than 64 deep \(line 3\)$/,
    ],
  };
  for (const [name, [rest, reason]] of Object.entries(damages)) {
    it(`yields all records before the damage: ${name}`, async () => {
      const { rows, damage } = await read(`<kml><Document>\n${placemark('a')}\n${rest}`);
      expect(rows).toEqual([{ name: 'a', ...at }]);
      expect(damage).toMatchObject({ line: 2, reason: expect.stringMatching(reason), isEncoding: false });
    });

    it(`is refused if the damage precedes all records: ${name}`, async () => {
      const error = await failureOf(read(`<kml><Document>\n\n${rest.replaceAll('Placemark', 'Folder')}`));
      expect(error).toBeInstanceOf(UnreadableFileError);
      expect(error).toHaveProperty('message', expect.stringContaining('The file cannot be read as KML: '));
    });
  }

  it('is refused with a document type', async () => {
    const bomb = '<!DOCTYPE kml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
    for (const type of ['<!DOCTYPE kml>', bomb, '<!DOCTYPE kml SYSTEM "http://x/y">']) {
      const error = await failureOf(read(`<?xml version="1.0"?>\n${type}\n${kml(placemark('&b;'))}`));
      expect(error).toBeInstanceOf(UnreadableFileError);
      expect(error).toHaveProperty(
        'message',
        'The file cannot be read as KML: it has a document type (<!DOCTYPE …>), which is not allowed (line 2).',
      );
    }
  });

  it('rejects a record that is too long, and continues', async () => {
    const long = 'x'.repeat(3 * 1024 * 1024);
    const text = kml(
      placemark('a', `<description>${long}</description>`) +
        placemark('b', '<q a="1"/>'.repeat(150_000)) +
        `<Placemark a="${long}"/><Style><!-- ${long} --></Style>${placemark('c')}`,
    );
    const { rows, contents } = await read(text, { sizes: [60_000] });
    expect(rows).toEqual([
      'Placemark 1 "a" exceeds 1048576 characters or 20000 elements.',
      'Placemark 2 "b" exceeds 1048576 characters or 20000 elements.',
      'Placemark 3 exceeds 1048576 characters or 20000 elements.',
      { name: 'c', ...at },
    ]);
    expect(contents.slice(0, 3)).toEqual([{ text: null }, { text: null }, { text: null }]);
  });

  it('rejects a record with too many elements or values, and keeps it for the file of rejected rows', async () => {
    const data = (count: number) =>
      `<ExtendedData>${'<Data name="a"><value>b</value></Data>'.repeat(count)}</ExtendedData>`;
    const text = kml(`<Placemark>${data(10_001)}</Placemark><Placemark>${data(1_001)}</Placemark>`);
    const before = await read(text);
    expect(before.rows).toEqual([
      'Placemark 1 exceeds 1048576 characters or 20000 elements.',
      'Placemark 2: The record may have at most 1000 values.',
    ]);
    expect(before.contents).toEqual([
      { text: `<Placemark>${data(10_001)}</Placemark>` },
      { text: `<Placemark>${data(1_001)}</Placemark>` },
    ]);
    expect((await read(rejectedFile(before))).rows).toEqual(before.rows);
    const different = Array.from({ length: 1_001 }, (_, index) => `<a>${index}</a>`).join('');
    expect((await read(`<gpx><wpt lat="1" lon="2">${different}</wpt></gpx>`)).rows).toEqual([
      'Waypoint 1: The record may have at most 1000 values.',
    ]);
  });

  it('ends at a text that is too long to buffer', async () => {
    const { rows, damage } = await read(
      `<kml>${placemark('a')}<description>${'x'.repeat(17 * 1024 * 1024)}</description></kml>`,
    );
    expect(rows).toHaveLength(1);
    expect(damage?.reason).toMatch(/^a text, comment or tag is over 16777216 characters \(line 1\)$/);
  });

  it('is read in its declared encoding, by its byte order mark, or in the named encoding', async () => {
    const declared = (name: string) => `<?xml version="1.0" encoding="${name}"?>${kml(placemark('Zoë €'))}`;
    const latin = (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');
    const wide = (text: string) => Buffer.from(text, 'utf16le');
    const files: [bytes: Buffer, encoding?: string][] = [
      [Buffer.from(declared('UTF-8'))],
      [Buffer.from(`\ufeff${declared('windows-1252')}`)],
      [latin(declared('windows-1252'))],
      [latin(declared('ISO-8859-1" standalone="no'))],
      [latin(declared('utf-8')), 'windows-1252'],
      [wide(`\ufeff${declared('UTF-16')}`)],
      [wide(`\ufeff${declared('UTF-16')}`).swap16()],
      // Many programs declare another encoding than they write.
      [Buffer.from(declared('UTF-16'))],
    ];
    for (const [bytes, encoding] of files) {
      const { rows } = await read(bytes, { sizes: [7], encoding: encoding ?? null });
      expect(rows).toEqual([{ name: 'Zoë €', ...at }]);
    }
    const open = wide(declared('UTF-16'));
    expect((await read(open, { format: 'kml' })).rows).toHaveLength(1);
    expect((await read(open.swap16(), { format: 'kml' })).rows).toHaveLength(1);
  });

  it('is refused in an unknown encoding, and ends at bytes in another encoding', async () => {
    const unknown = await failureOf(read('<?xml version="1.0" encoding="cp850"?><kml/>'));
    expect(unknown).toBeInstanceOf(UnreadableFileError);
    expect(unknown).toHaveProperty('message', expect.stringContaining('"cp850"'));
    const mixed = Buffer.concat([
      Buffer.from(`<kml>${placemark('ü')}`),
      Buffer.from(`${placemark('ü')}</kml>`, 'latin1'),
    ]);
    const { rows, damage } = await read(mixed);
    expect(rows).toEqual([{ name: 'ü', ...at }]);
    expect(damage).toMatchObject({ line: 2, reason: 'it is not utf-8', isEncoding: true });
    const none = await failureOf(read(Buffer.from(kml(placemark('ü')), 'latin1')));
    expect(none).toMatchObject({ isEncoding: true, message: 'The file is not text: it is not utf-8.' });
  });

  it('closes its source if the reader stops', async () => {
    let isClosed = false;
    async function* texts() {
      try {
        for (let index = 0; ; index += 1) yield { text: index === 0 ? '<a>' : '<b/>', start: 0, end: 0 };
      } finally {
        isClosed = true;
      }
    }
    const schema = { prefixOf: () => '', isRecord: (name: string) => name === 'b', onRoot: () => undefined };
    for await (const record of readXmlRecords(texts(), schema)) {
      expect(record).toMatchObject({ source: '<b/>', parents: [{ name: 'a' }] });
      break;
    }
    expect(isClosed).toBe(true);
  });
});

describe('rootNameOf', () => {
  it('finds the root after everything that may precede it', () => {
    const heads: Record<string, string | null> = {
      '<kml>': 'kml',
      '\ufeff<?xml version="1.0"?>\n<!-- <gpx> -->\n<?pi?><k:kml a="b">': 'kml',
      '  <gpx/>': 'gpx',
      '<!DOCTYPE kml [<!ENTITY a "<gpx>">]><kml>': 'kml',
      '<!-- <kml>': null,
      'kml,<gpx>': null,
      '{"a": "<kml>"}': null,
      '': null,
    };
    for (const [head, name] of Object.entries(heads)) expect([head, rootNameOf(head)]).toEqual([head, name]);
  });

  it('takes no longer for an unclosed comment', () => {
    const before = process.cpuUsage();
    expect(rootNameOf('<!-- -->'.repeat(8_000) + '<!--'.repeat(8_000))).toBeNull();
    expect(rootNameOf(' '.repeat(65_000))).toBeNull();
    expect(processorMs(before)).toBeLessThan(500);
  });
});
