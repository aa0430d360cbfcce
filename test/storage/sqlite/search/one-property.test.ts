/** Reads one property from JSON. The oracle is JSON.parse. */

import fc from 'fast-check';

import type { JsonObject } from '../../../../src/domain/json/json.ts';
import { byteTextOf, isPlainName, propertyReader } from '../../../../src/storage/sqlite/search/json-scan.ts';
import { propertyRuns } from '../../../support/scope.ts';

const RUNS = propertyRuns(1_000);

/** Reads only this property from the stored JSON. */
function onlyProperty(json: string, name: string): JsonObject {
  return propertyReader(name)(byteTextOf(Buffer.from(json)));
}

/** Short texts of JSON syntax, so that names occur within other texts. */
const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'b', '"', '\\', ':', ',', '{', '}', '[', ']', '\0', '\n', 'é', '京', '😀'),
  }),
  fc.string(),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.integer(),
    fc.constantFrom(true, false, null, 1e21, -0),
    fc.array(tie('any')),
    fc.dictionary(text, tie('any')),
  ),
})).any;
const properties = fc.dictionary(text, value);

describe('a single property', () => {
  it('equals what JSON.parse returns', () => {
    let found = 0;
    fc.assert(
      fc.property(properties, fc.array(text), (given, names) => {
        const json = JSON.stringify(given);
        const parsed = JSON.parse(json) as JsonObject;
        for (const name of [...names, ...Object.keys(parsed), 'a', 'b', '', ',', ':']) {
          if (!isPlainName(name)) continue;
          const only = onlyProperty(json, name);
          expect(Object.hasOwn(only, name)).toBe(Object.hasOwn(parsed, name));
          expect(only[name]).toEqual(parsed[name]);
          if (Object.hasOwn(only, name)) found += 1;
        }
      }),
      { numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(RUNS / 10);
  });

  it.each([
    ['a key that ends with the name', { 'b"a': 1 }, undefined],
    ['a key within an earlier object', { b: { a: 1 }, a: 2 }, 2],
    ['a key only within an object', { b: [{ a: 1 }] }, undefined],
    ['a brace in an earlier text', { b: '{', a: 'x' }, 'x'],
    ['a text with an escape', { a: 'x"y' }, 'x"y'],
    ['a number with an exponent', { a: 1e-7, b: 1 }, 1e-7],
    ['a list', { a: [1, 2] }, [1, 2]],
    ['a text of several scripts', { b: '京', a: 'Zürich 京都 😀' }, 'Zürich 京都 😀'],
    ['a list of several scripts', { b: 'é', a: ['京'] }, ['京']],
    ['a lone surrogate, which JSON escapes', { a: '\ud83d' }, '\ud83d'],
  ])('is recognized: %s', (_, given, expected) => {
    expect(onlyProperty(JSON.stringify(given), 'a')['a']).toEqual(expected);
  });
});
