/** Rules for strings that are stored. */

import fc from 'fast-check';

import {
  assertStorable,
  countCodePoints,
  hasControlCharacter,
  isBlank,
  quote,
} from '../../src/domain/text.ts';
import { expectRefused } from './refused.ts';
import { propertyRuns } from '../support/scope.ts';

/** Any UTF-16, often with lone surrogates. */
const anyUnits = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7fe, max: 0xe001 })))
  .map((units) => String.fromCharCode(...units));

describe('texts', () => {
  it('are counted by code points; a lone surrogate is one', () => {
    fc.assert(
      fc.property(anyUnits, (text) => expect(countCodePoints(text)).toBe(Array.from(text).length)),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('treat C0, DEL and C1 as control characters, and no others', () => {
    for (let code = 0; code <= 0x3000; code += 1) {
      const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
      expect([code, hasControlCharacter(`a${String.fromCharCode(code)}b`)]).toEqual([code, isControl]);
    }
  });

  it('are blank if they hold only white space', () => {
    for (const blank of ['', ' ', '\t\n', '\u00a0\u3000\ufeff']) expect(isBlank(blank)).toBe(true);
    for (const text of ['a', ' a ', '0', '\u200b']) expect(isBlank(text)).toBe(false);
  });

  it('are storable unless they hold a NUL or a lone surrogate', () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        const reads = !text.includes('\0') && Buffer.from(text).toString() === text;
        if (reads) assertStorable(text, 'name');
        else
          expectRefused(
            () => assertStorable(text, 'name'),
            /^name contains a (NUL character|lone surrogate)/,
          );
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('are quoted short and printable for a message', () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        const quoted = quote(text);
        expect(quoted).toMatch(/^".*"$/);
        expect(quoted.isWellFormed()).toBe(true);
        expect(quoted).not.toMatch(/[\n\r]/);
        expect((JSON.parse(quoted) as string).length).toBeLessThanOrEqual(60);
      }),
    );
    expect(quote('a"b\n')).toBe('"a\\"b\\n"');
    expect(quote('x'.repeat(100))).toBe(`"${'x'.repeat(57)}..."`);
    expect(quote('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
  });
});
