/** Any text survives the XML of a workbook. */

import fc from 'fast-check';

import { escapeText } from '../../../src/transfer/xlsx/sheet-xml.ts';
import { unescapeText } from '../../../src/transfer/xlsx/rich-text.ts';
import { propertyRuns } from '../../support/scope.ts';

const unmarked = (xml: string) =>
  xml.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

it.each([
  ['a & <b> "c"', 'a &amp; &lt;b&gt; &quot;c&quot;'],
  ['\r\n\t', '_x000D_\n\t'],
  ['\u0001\ufffe', '_x0001__xFFFE_'],
  ['_x0041_', '_x005F_x0041_'],
  ['_x0041', '_x0041'],
  ['_x0041\r', '_x005F_x0041_x000D_'],
  ['xbf6c_xbf6cj', 'xbf6c_xbf6cj'],
  ['😀\ud83d', '😀_xD83D_'],
])('%j is written %s', (text, xml) => {
  expect(escapeText(text)).toBe(xml);
  expect(unescapeText(unmarked(xml))).toBe(text);
});

it('restores any text', () => {
  const unit = fc.oneof(
    fc.constantFrom(
      '_',
      'x',
      'X',
      '0',
      '00',
      'D',
      'f',
      '_x',
      '_x005F_',
      '_x000D_',
      '\r',
      '\u0001',
      '&',
      '\uffff',
    ),
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
      const text = units.join('');
      const xml = escapeText(text);
      expect(unescapeText(unmarked(xml))).toBe(text);
      // eslint-disable-next-line no-control-regex -- XML forbids them
      expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/);
      expect(xml.isWellFormed()).toBe(true);
    }),
    { numRuns: propertyRuns(5_000) },
  );
});
