/** A unit for `fc.string`: fast-check's own "binary" takes each process a second to set up. */

import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const LAST = 0x10ffff;
/** Printable ASCII comes first, so that other characters shrink to it. */
const PRINTABLE = { first: 0x20, count: 0x5f };

/** Every code point except surrogates. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: LAST - SURROGATES.count })
  .map(characterAt, indexOf);

function characterAt(index: number): string {
  if (index < PRINTABLE.count) return String.fromCodePoint(index + PRINTABLE.first);
  if (index < PRINTABLE.first + PRINTABLE.count) return String.fromCodePoint(index - PRINTABLE.count);
  return String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count);
}

/** The inverse, with which fast-check injects texts known to be dangerous, such as `__proto__`. */
function indexOf(character: unknown): number {
  const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not one code point');
  if (code < PRINTABLE.first) return code + PRINTABLE.count;
  if (code < PRINTABLE.first + PRINTABLE.count) return code - PRINTABLE.first;
  if (code < SURROGATES.first) return code;
  if (code < SURROGATES.first + SURROGATES.count) throw new Error('half a character');
  return code - SURROGATES.count;
}
