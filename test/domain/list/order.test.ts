/** Orders and their keys, compared with a second implementation of the rules (test/contract/storage/reference.ts). */

import fc from 'fast-check';

import {
  assertOffset,
  assertOrder,
  compareOrderKeys,
  encodeOrder,
  isNumberKey,
  isOrderKey,
  largerNumber,
  nextWholeNumber,
} from '../../../src/domain/list/order.ts';
import {
  anyOrder,
  parseDecimal,
  referenceCompare,
  referenceNextWholeNumber,
} from '../../contract/storage/reference.ts';
import { expectRefused } from '../refused.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { propertyRuns } from '../../support/scope.ts';

const RUNS = { numRuns: propertyRuns(3000) };
const nines = '9'.repeat(256);
const anyNumber = anyOrder.filter((order) => parseDecimal(order) !== null);

describe('an order key', () => {
  it('sorts by its bytes as the order sorts', () => {
    fc.assert(
      fc.property(anyOrder, anyOrder, (a, b) => {
        const [left, right] = [Buffer.from(encodeOrder(a)), Buffer.from(encodeOrder(b))];
        expect([a, b, Buffer.compare(left, right)]).toEqual([a, b, referenceCompare(a, b)]);
      }),
      RUNS,
    );
  });

  it('is compared by its bytes', () => {
    fc.assert(
      fc.property(anyOrder, anyOrder, (a, b) => {
        expect(Math.sign(compareOrderKeys(encodeOrder(a), encodeOrder(b)))).toBe(referenceCompare(a, b));
      }),
      RUNS,
    );
    expect(compareOrderKeys('3\ufffd', '3\u{10000}')).toBeLessThan(0);
    expect(compareOrderKeys('3\ue000', '3\u{1f600}')).toBeLessThan(0);
  });

  it('sorts numbers near each other, of any length', () => {
    const near = fc
      .tuple(anyNumber, fc.nat(300), fc.constantFrom('0', '1', '5', '9'))
      .map(([order, at, digit]) => {
        const index = at % (order.length + 1);
        return [order, (order.slice(0, index) + digit + order.slice(index)).slice(0, 256)] as const;
      });
    fc.assert(
      fc.property(near, ([a, b]) => {
        expect(Math.sign(compareOrderKeys(encodeOrder(a), encodeOrder(b)))).toBe(referenceCompare(a, b));
      }),
      RUNS,
    );
  });

  it('depends only on the value of a number', () => {
    const spellings = fc.tuple(anyNumber, fc.nat(5), fc.nat(5)).map(([order, before, behind]) => {
      const [, sign, digits] = /^(-?)(.*)$/.exec(order)!;
      const point = behind > 0 && !digits!.includes('.') ? '.' : '';
      return [order, `${sign}${'0'.repeat(before)}${digits}${point}${'0'.repeat(behind)}`] as const;
    });
    fc.assert(
      fc.property(spellings, ([a, b]) => expect(encodeOrder(b)).toBe(encodeOrder(a))),
      RUNS,
    );
    expect(encodeOrder('-0.00')).toBe(encodeOrder('0'));
  });

  it('differs for texts that differ', () => {
    const texts = ['a', 'A', 'a ', 'e\u0301', '\u00e9', '+1', '1.', '.5', '1e0', '\u0661', '\uff11'];
    expect(new Set(texts.map(encodeOrder)).size).toBe(texts.length);
    for (const text of texts) expect(isNumberKey(encodeOrder(text))).toBe(false);
  });

  it('distinguishes numbers from texts', () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        expect(isNumberKey(encodeOrder(order))).toBe(parseDecimal(order) !== null);
      }),
      RUNS,
    );
  });
});

describe('the check of an order key', () => {
  /** The shortest order with this key, as order.ts describes keys; null for an invalid key. */
  function decode(key: string): string | null {
    if (key === '1') return '0';
    if (key.startsWith('3')) return key.slice(1);
    const match = /^(?:2(\d{3})(\d+)|0(\d{3})(\d+)~)$/.exec(key);
    if (match === null) return null;
    const [, exponent, digits, mirrored, complement] = match;
    const point = exponent === undefined ? 499 - Number(mirrored) : Number(exponent) - 500;
    const all = digits ?? complement!.replace(/\d/g, (digit) => String(9 - Number(digit)));
    const padded = point > 0 ? all.padEnd(point, '0') : '0'.repeat(1 - point) + all;
    const whole = Math.max(point, 1);
    const fraction = padded.slice(whole);
    return `${exponent === undefined ? '-' : ''}${padded.slice(0, whole)}${fraction && `.${fraction}`}`;
  }

  /** By construction: a key is valid exactly if some valid order has it. */
  function canBeMade(key: string): boolean {
    const order = decode(key);
    if (order === null || encodeOrder(order) !== key) return false;
    try {
      assertOffset(order);
      return true;
    } catch {
      return false;
    }
  }

  const mutated = fc
    .tuple(anyOrder, fc.nat(300), fc.constantFrom('', '0', '1', '9', '~', 'a', '\0', '\ud800'), fc.nat(2))
    .map(([order, at, put, cut]) => {
      const key = encodeOrder(order);
      const index = at % (key.length + 1);
      return key.slice(0, index) + put + key.slice(index + cut);
    });

  it('accepts the key of every order', () => {
    fc.assert(
      fc.property(anyOrder, (order) =>
        expect([order, isOrderKey(encodeOrder(order))]).toEqual([order, true]),
      ),
      RUNS,
    );
    for (const order of [nextWholeNumber(nines), `1${'0'.repeat(255)}7`]) {
      expect(isOrderKey(encodeOrder(order))).toBe(true);
    }
  });

  it('accepts nothing else', () => {
    const anything = fc.oneof(
      mutated,
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.stringMatching(/^[0-3]\d*~?$/),
    );
    fc.assert(
      fc.property(anything, (key) => expect([key, isOrderKey(key)]).toEqual([key, canBeMade(key)])),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('refuses text that only looks like a key', () => {
    const keys = [
      ...[
        '',
        '0',
        '2',
        '3',
        '4',
        '10',
        '11',
        '1~',
        '2501',
        '25011~',
        '0498',
        '04988',
        '2501 1',
        '250111a',
        '-1',
      ],
      // Digits that begin or end with a zero.
      ...['250101', '250110', '04989~', '049898~', '049889~'],
      // A number, or unstorable text, encoded as a text.
      ...['31', '3-1.5', '3\0', '3a\n', '3\ud800', `3${'x'.repeat(257)}`],
      // Too many digits, or too far from the point.
      ...[`2501${'1'.repeat(256)}`, '27581', '22441', '02428~', '09998~', '29991'],
    ];
    expect(keys.filter(isOrderKey)).toEqual([]);
  });
});

describe('the check of an order', () => {
  it('accepts 1 to 256 code points of anything but control characters and lone surrogates', () => {
    fc.assert(fc.property(anyOrder, (order) => assertOrder(order, 'order')));
    for (const order of [
      'x'.repeat(256),
      '\u{1f600}'.repeat(256),
      nines,
      ' ',
      '\u00a0',
      '\ufeff',
      '\uffff',
    ]) {
      assertOrder(order, 'order');
    }
  });

  it('refuses everything else, naming the argument', () => {
    const controls = [0, 1, 9, 10, 13, 31, 127, 128, 0x9f].map((code) => `a${String.fromCharCode(code)}`);
    const others = [
      '',
      'x'.repeat(257),
      '\u{1f600}'.repeat(257),
      `${nines}9`,
      '\ud800',
      'a\udc00',
      '\udc00\ud800',
    ];
    for (const order of [...controls, ...others]) {
      expectRefused(() => assertOrder(order, 'order'), /^order must be/);
    }
  });

  it('accepts 257 digits as an offset, and nothing else of that length', () => {
    assertOffset(nextWholeNumber(nines));
    assertOffset('7');
    for (const offset of [`-${nines}`, `${nines.slice(1)}.5`, 'x'.repeat(257), `${nines}99`, '']) {
      expectRefused(() => assertOffset(offset), /^offset must be/);
    }
  });
});

describe('the next whole number', () => {
  it('is the smallest that is larger', () => {
    fc.assert(
      fc.property(fc.option(anyNumber), (largest) => {
        expect(nextWholeNumber(largest)).toBe(referenceNextWholeNumber(largest));
      }),
      RUNS,
    );
  });

  it('has a key that is larger than that of the number', () => {
    fc.assert(
      fc.property(anyNumber, (largest) => {
        expect(compareOrderKeys(encodeOrder(largest), encodeOrder(nextWholeNumber(largest)))).toBeLessThan(0);
      }),
      RUNS,
    );
  });

  it('needs a number', () => {
    for (const text of ['a', '', '1.', '+1']) expect(() => nextWholeNumber(text)).toThrow(TypeError);
  });
});

describe('the larger of two numbers', () => {
  it('is the larger by value, ignoring texts', () => {
    fc.assert(
      fc.property(fc.option(anyNumber), anyOrder, (largest, order) => {
        const isNumber = parseDecimal(order) !== null;
        const isLarger = isNumber && (largest === null || referenceCompare(largest, order) < 0);
        expect(largerNumber(largest, order)).toBe(isLarger ? order : largest);
      }),
      RUNS,
    );
  });
});
