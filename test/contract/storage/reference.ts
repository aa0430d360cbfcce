/**
 * A second, plain implementation of the rules for orders (contract §3): exact BigInt fractions for numbers, arrays of
 * code points for texts. It must not use src/domain/list/order.ts, which it checks.
 */

import fc from 'fast-check';

import { anyCharacter } from '../../support/any-character.ts';

/** numerator / 10^scale */
interface Decimal {
  readonly numerator: bigint;
  readonly scale: number;
}

const DIGITS = '0123456789';

/** Reads `-?[0-9]+(\.[0-9]+)?` by hand; null for any other text. */
export function parseDecimal(order: string): Decimal | null {
  const negative = order.startsWith('-');
  const parts = (negative ? order.slice(1) : order).split('.');
  const allDigits = parts.every((part) => part !== '' && [...part].every((unit) => DIGITS.includes(unit)));
  if (!allDigits || parts.length > 2) return null;
  const [whole = '', fraction = ''] = parts;
  const magnitude = BigInt(whole + fraction);
  return { numerator: negative ? -magnitude : magnitude, scale: fraction.length };
}

export function referenceCompare(a: string, b: string): number {
  const [first, second] = [parseDecimal(a), parseDecimal(b)];
  if (first !== null && second !== null) return compareDecimals(first, second);
  if (first !== null) return -1;
  if (second !== null) return 1;
  return compareCodePoints(a, b);
}

function compareDecimals(a: Decimal, b: Decimal): number {
  const left = a.numerator * 10n ** BigInt(b.scale);
  const right = b.numerator * 10n ** BigInt(a.scale);
  return left < right ? -1 : Number(left > right);
}

export function compareCodePoints(a: string, b: string): number {
  const [left, right] = [Array.from(a, codePoint), Array.from(b, codePoint)];
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    if (left[index] !== right[index]) return left[index]! < right[index]! ? -1 : 1;
  }
  return Math.sign(left.length - right.length);
}

function codePoint(character: string): number {
  return character.codePointAt(0)!;
}

/** floor + 1: the next whole number for fractions and whole numbers. */
export function referenceNextWholeNumber(largest: string | null): string {
  if (largest === null) return '1';
  const { numerator, scale } = parseDecimal(largest)!;
  const unit = 10n ** BigInt(scale);
  const remainder = ((numerator % unit) + unit) % unit;
  return String((numerator - remainder) / unit + 1n);
}

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...DIGITS), minLength, maxLength });

function decimals(wholeLength: number, fractionLength: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.boolean(), digits(1, wholeLength), digits(0, fractionLength))
    .map(([negative, whole, fraction]) => `${negative ? '-' : ''}${whole}${fraction && `.${fraction}`}`);
}

/** Orders that are equal, or that a comparison of texts, doubles or UTF-16 units sorts wrongly. */
const TRICKY = [
  ...[
    '0',
    '-0',
    '0.0',
    '1',
    '01',
    '1.0',
    '1.5',
    '-1.5',
    '-1',
    '2',
    '9',
    '10',
    '-9',
    '-10',
    '0.1',
    '-0.1',
    '0.01',
  ],
  ...['9007199254740993', '9007199254740992', '9007199254740992.5', '9'.repeat(256), `-${'9'.repeat(255)}`],
  ...[
    `0.${'0'.repeat(253)}1`,
    `-0.${'0'.repeat(252)}1`,
    '+1',
    '1.',
    '.5',
    '1e3',
    '-',
    ' 1',
    '!',
    '~',
    'a',
    'aa',
    'b',
  ],
  ...[
    'A',
    'é',
    'e\u0301',
    '\ue000',
    '\ufffd',
    '\uffff',
    '\u{10000}',
    '\u{1f600}',
    '\u{10ffff}',
    'a\u{1f600}',
  ],
  ...['a\ufffd', '\u{1f600}'.repeat(256)],
];

/** Any valid order, often equal to another. */
export const anyOrder: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TRICKY) },
  { weight: 3, arbitrary: decimals(2, 2) },
  { weight: 1, arbitrary: decimals(127, 127) },
  { weight: 2, arbitrary: anyText() },
);

function anyText(): fc.Arbitrary<string> {
  // eslint-disable-next-line no-control-regex -- naming the control characters is the point
  const printable = anyCharacter.filter((character) => !/[\u0000-\u001f\u007f-\u009f]/.test(character));
  return fc.string({ unit: printable, minLength: 1, maxLength: 6 });
}

/** A fraction of a list, so that a step of a model is valid after any earlier steps. */
export const somewhere = fc.double({ min: 0, max: 0.999, noNaN: true });

export function at<T>(list: readonly T[], where: number): T | undefined {
  return list[Math.floor(where * list.length)];
}
