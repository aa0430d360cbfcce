/** The rules for a location's free-form fields (contract §4), at their bounds. */

import fc from 'fast-check';

import { assertFields, readNameAndAddress } from '../../src/domain/fields.ts';
import type { JsonObject, JsonValue } from '../../src/domain/json/json.ts';
import { isDeeperThan, isJsonObject } from '../../src/domain/json/json.ts';
import type { FieldDefinition } from '../../src/domain/map.ts';
import { expectRefused } from './refused.ts';

const LIMITS = { maxKeys: 200, maxBytes: 64 * 1024, maxDepth: 8 };
const check = (fields: JsonObject) => assertFields(fields, LIMITS);

/** `fields` nested to this depth, itself the first level, by alternating objects and arrays. */
function nested(depth: number, innermost: JsonValue = 1): JsonObject {
  let value: JsonValue = innermost;
  for (let level = depth; level > 1; level -= 1) value = level % 2 === 0 ? [value] : { a: value };
  return { a: value };
}

function withKeys(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, index]));
}

/** Fields whose JSON has exactly this many bytes. */
function ofBytes(bytes: number, letter = 'x'): JsonObject {
  const room = bytes - Buffer.byteLength('{"a":""}');
  const size = Buffer.byteLength(letter);
  return { a: letter.repeat(Math.floor(room / size)) + 'x'.repeat(room % size) };
}

/**
 * The value at each kind of location within fields: at the top, in an object, in an array, and at the deepest level.
 */
function everywhere(value: JsonValue): readonly JsonObject[] {
  return [{ a: value }, { a: { b: value } }, { a: [1, value] }, { a: [{ b: [value] }] }, nested(8, value)];
}

function keyEverywhere(key: string): readonly JsonObject[] {
  const object = { [key]: 1 };
  return [object, { a: object }, { a: [object] }, nested(7, object)];
}

describe('the check of fields', () => {
  it('accepts 200 keys at the top, and refuses 201', () => {
    check(withKeys(200));
    expectRefused(() => check(withKeys(201)), /^fields has 201 keys; at most 200/);
    check({ a: withKeys(201) });
    check({});
  });

  it('accepts 64 KiB as JSON in UTF-8, and refuses a byte more', () => {
    for (const letter of ['x', 'é', '€', '\u{1f600}']) {
      const fields = ofBytes(LIMITS.maxBytes, letter);
      expect(Buffer.byteLength(JSON.stringify(fields))).toBe(65_536);
      check(fields);
      expectRefused(
        () => check(ofBytes(LIMITS.maxBytes + 1, letter)),
        /^fields is over the 65536 bytes allowed, as JSON/,
      );
    }
    expectRefused(() => check({ ['k'.repeat(LIMITS.maxBytes)]: 1 }), /bytes allowed, as JSON/);
  });

  it('accepts 8 levels, and refuses 9', () => {
    check(nested(8));
    check(nested(7, {}));
    expectRefused(() => check(nested(9)), /^fields nests deeper than the 8 levels/);
    expectRefused(() => check(nested(8, [])), /^fields nests/);
    expectRefused(() => check({ a: 1, b: [2, { c: nested(7) }] }), /^fields nests/);
  });

  it('refuses 100,000 levels without exhausting the stack', () => {
    expectRefused(() => check(nested(100_000)), /^fields nests/);
    const text = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expectRefused(() => check(JSON.parse(text) as JsonObject), /^fields nests/);
  });

  it('refuses a number that no double holds, at any depth', () => {
    for (const number of [Infinity, -Infinity, NaN]) {
      for (const fields of everywhere(number)) expectRefused(() => check(fields), /^A number in fields/);
    }
    expectRefused(() => check(JSON.parse('{"a":[1e400]}') as JsonObject), /beyond the range/);
    for (const number of [0, -0, 5e-324, Number.MAX_VALUE, 2 ** 64]) everywhere(number).forEach(check);
  });

  it('refuses a NUL and a lone surrogate in a value, at any depth', () => {
    for (const text of ['\0', 'a\0b', '\ud800', 'a\udc00', '\ude00\ud83d']) {
      for (const fields of everywhere(text))
        expectRefused(() => check(fields), /^A value in fields contains/);
    }
  });

  it('refuses a NUL and a lone surrogate in a key, at any depth', () => {
    for (const key of ['\0', 'a\0b', '\ud800', 'a\udc00']) {
      for (const fields of keyEverywhere(key))
        expectRefused(() => check(fields), /^A key in fields contains/);
    }
  });

  it('accepts any other text as a key and as a value', () => {
    const texts = [
      '',
      '__proto__',
      'constructor',
      '$where',
      'a.b',
      '\u0001',
      '\u007f',
      '\uffff',
      '\u{1f600}',
      '\ufeff',
    ];
    for (const text of texts) {
      everywhere(text).forEach(check);
      check(JSON.parse(`{${JSON.stringify(text)}:{${JSON.stringify(text)}:null}}`) as JsonObject);
    }
  });

  it('looks into a value under __proto__', () => {
    expectRefused(() => check(JSON.parse('{"__proto__":{"a":1e400}}') as JsonObject), /^A number/);
    expectRefused(() => check(JSON.parse('{"__proto__":["\\u0000"]}') as JsonObject), /^A value/);
  });

  it('accepts any fields within the limits, unchanged', () => {
    const anything = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 6 }), {
      maxKeys: 20,
    });
    fc.assert(
      fc.property(anything, (fields) => {
        const before = JSON.stringify(fields);
        if (before.includes('\\u0000') || before.includes('\\ud')) return;
        check(fields as JsonObject);
        expect(JSON.stringify(fields)).toBe(before);
      }),
    );
  });
});

describe('the depth of a value', () => {
  it('counts arrays and objects, starting with the value itself', () => {
    const depthOf = (value: unknown): number => {
      if (typeof value !== 'object' || value === null) return 0;
      return 1 + Math.max(0, ...Object.values(value).map(depthOf));
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 7 }), fc.nat(8), (value, limit) => {
        expect(isDeeperThan(value, limit)).toBe(depthOf(value) > limit);
      }),
    );
  });

  it('is true for objects, not for arrays or null', () => {
    expect([{}, [], null, 'a', 1, undefined].map(isJsonObject)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('name and address', () => {
  const definitions: readonly FieldDefinition[] = [
    { name: 'Title', type: 'placeName' },
    { name: 'Where', type: 'address' },
    { name: 'Name', type: 'text' },
  ];
  const good = { Title: ' Harpa ', Where: 'Austurbakki 2', Name: 'other' };

  it('are the values of the map’s two fields, unchanged', () => {
    expect(readNameAndAddress(good, definitions)).toEqual({ name: ' Harpa ', address: 'Austurbakki 2' });
  });

  it('must be strings that are not blank; the message names the field', () => {
    for (const value of [undefined, null, '', ' \t', 1, true, ['a'], { a: 'b' }]) {
      const fields = JSON.parse(JSON.stringify({ ...good, Title: value })) as JsonObject;
      expectRefused(
        () => readNameAndAddress(fields, definitions),
        /name field, "Title", as a non-blank string/,
      );
      const other = JSON.parse(JSON.stringify({ ...good, Where: value })) as JsonObject;
      expectRefused(
        () => readNameAndAddress(other, definitions),
        /address field, "Where", as a non-blank string/,
      );
    }
  });

  it('are not taken from fields with similar names', () => {
    const fields = { title: 'a', TITLE: 'b', ' Title': 'c', Where: 'd' };
    expectRefused(() => readNameAndAddress(fields, definitions), /"Title"/);
  });

  it('are never inherited', () => {
    const heir = Object.assign(Object.create({ Title: 'inherited' }) as object, { Where: 'x' });
    expectRefused(() => readNameAndAddress(heir, definitions), /name field, "Title"/);
    for (const name of ['toString', 'constructor', '__proto__']) {
      const odd: FieldDefinition[] = [{ name, type: 'placeName' }, definitions[1]!];
      expectRefused(() => readNameAndAddress({ Where: 'x' }, odd), /name field/);
      const fields = JSON.parse(`{"${name}":"own","Where":"x"}`) as JsonObject;
      expect(readNameAndAddress(fields, odd)).toEqual({ name: 'own', address: 'x' });
    }
  });

  it('need definitions', () => {
    expectRefused(() => readNameAndAddress(good, []), /defines no name field/);
    expectRefused(() => readNameAndAddress(good, definitions.slice(0, 1)), /defines no address field/);
  });
});
