/** Any damaged file gives rows or a clear error, without a crash or a hang. */

import fc from 'fast-check';

import { UnreadableFileError } from '../../../src/transfer/text/damage.ts';
import { zipOf } from '../../support/zip.ts';
import { GOOGLE_EARTH, MY_MAPS, SCHEMA_DATA, UMAP } from '../kml/files.ts';
import { read, rejectedFile } from './reading.ts';
import { write } from './writing.ts';
import { propertyRuns } from '../../support/scope.ts';

const RUNS = propertyRuns(2_000);

const GPX =
  '<?xml version="1.0"?><gpx version="1.1"><wpt lat="1" lon="2"><name>A&amp;B</name><extensions><a:b xmlns:a="u">c</a:b></extensions></wpt><trk><name>T</name></trk></gpx>';
const OWN = write('kml', [{ name: 'A', externalId: '"', properties: { Name: 'A', n: 1 } }, { name: 'B' }]);
const KMZ = zipOf([
  { name: 'doc.kml', content: MY_MAPS },
  { name: 'images/a.png', content: 'png' },
]);
const TEXTS = [GOOGLE_EARTH, MY_MAPS, SCHEMA_DATA, UMAP, GPX, OWN];
const FILES = [...TEXTS.map((text) => Buffer.from(text)), KMZ];

/** XML markup, inserted anywhere. */
const PIECES = [
  '<',
  '>',
  '&',
  '"',
  "'",
  '/',
  '</',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE',
  '<?',
  '?>',
].concat(
  [
    '&nbsp;',
    '&#0;',
    '&#x110000;',
    '\0',
    '\u0001',
    '\ufffe',
    '\ud83d',
    '<Placemark>',
    '</Placemark>',
    '<Folder>',
  ],
  ['<Data name="id">', '<wpt>', ' xmlns="u"', ' xmlns:a=""', '<a:b:c/>', '<a'.repeat(70), '<b>'.repeat(70)],
);

const change = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), bit: fc.nat({ max: 7 }) }),
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), piece: fc.constantFrom(...PIECES) }),
  fc.record({ kind: fc.constant('drop' as const), at: fc.nat(), length: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant('repeat' as const), at: fc.nat(), length: fc.integer({ min: 1, max: 400 }) }),
  fc.record({
    kind: fc.constant('encode' as const),
    encoding: fc.constantFrom('latin1', 'utf16le', 'base64'),
  }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(bytes: Buffer, one: Change): Buffer {
  if (one.kind === 'encode') return Buffer.from(bytes.toString(), one.encoding as BufferEncoding);
  const at = one.at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (one.kind) {
    case 'cut':
      return before;
    case 'flip': {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ (1 << one.bit);
      return copy;
    }
    case 'insert':
      return Buffer.concat([before, Buffer.from(one.piece), after]);
    case 'drop':
      return Buffer.concat([before, after.subarray(one.length)]);
    case 'repeat':
      return Buffer.concat([before, after.subarray(0, one.length), after]);
  }
}

describe('a damaged file', () => {
  it('is refused, or read up to the damage', async () => {
    const seen = { refused: 0, damaged: 0, complete: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...FILES),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('a.kml', 'a.gpx', 'a'),
        async (file, changes, name) => {
          const bytes = changes.reduce(changed, file);
          const format = name === 'a.kml' ? 'kml' : name === 'a.gpx' ? 'gpx' : null;
          try {
            const found = await read(bytes, { name, format, sizes: [13, 100] });
            seen[found.damage === null ? 'complete' : 'damaged'] += 1;
            if (found.damage !== null) expect(found.damage.reason).not.toBe('');
            if (found.format !== 'kml' && found.format !== 'gpx') return;
            // All rejected records can be written and read again.
            expect((await read(rejectedFile(found), { format: found.format })).rows).toEqual(found.rows);
          } catch (error) {
            if (!(error instanceof UnreadableFileError)) throw error;
            expect(error.message).toMatch(/^[A-Z].*\.$/s);
            seen.refused += 1;
          }
        },
      ),
      { numRuns: RUNS },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  }, 120_000);
});
