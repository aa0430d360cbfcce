/** A unit for `fc.string`: fast-check's own "binary" takes every process a second to set up. */

import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const LAST = 0x10ffff;
/** The printable characters of ASCII come first, as what others shrink to. */
const PRINTABLE = { first: 0x20, count: 0x5f };

/** Every code point but surrogates. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: LAST - SURROGATES.count })
  .map(characterAt, placeOf);

function characterAt(place: number): string {
  if (place < PRINTABLE.count) return String.fromCodePoint(place + PRINTABLE.first);
  if (place < PRINTABLE.first + PRINTABLE.count) return String.fromCodePoint(place - PRINTABLE.count);
  return String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count);
}

/** The inverse: with it fast-check puts in texts that are known to be hard, such as `__proto__`. */
function placeOf(character: unknown): number {
  const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not one code point');
  if (code < PRINTABLE.first) return code + PRINTABLE.count;
  if (code < PRINTABLE.first + PRINTABLE.count) return code - PRINTABLE.first;
  if (code < SURROGATES.first) return code;
  if (code < SURROGATES.first + SURROGATES.count) throw new Error('half a character');
  return code - SURROGATES.count;
}
