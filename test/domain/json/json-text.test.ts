/** Serialized JSON among values that are not serialized yet. */

import fc from 'fast-check';

import { encodeJson, JsonText, stringifyJson } from '../../../src/domain/json/json-text.ts';

/** Any value with some parts already serialized, and the same value without. */
const values = fc.letrec<{ readonly pair: readonly [unknown, unknown] }>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue().map((value) => [value, value] as const),
    fc.tuple(fc.jsonValue(), fc.boolean()).map(([value, isText]) => {
      const json = JSON.stringify(value);
      return [new JsonText(isText ? json : Buffer.from(json)), value] as const;
    }),
    fc
      .array(tie('pair'), { maxLength: 4 })
      .map((pairs) => [pairs.map(([left]) => left), pairs.map(([, right]) => right)] as const),
    fc
      .dictionary(fc.string(), tie('pair'), { maxKeys: 4 })
      .map(
        (pairs) =>
          [
            Object.fromEntries(Object.entries(pairs).map(([key, [left]]) => [key, left])),
            Object.fromEntries(Object.entries(pairs).map(([key, [, right]]) => [key, right])),
          ] as const,
      ),
  ),
})).pair;

describe('values with parts that are JSON text already', () => {
  it('serialize as JSON.stringify does, as a string and in UTF-8', () => {
    fc.assert(
      fc.property(values, ([given, plain]) => {
        const expected = JSON.stringify(plain);
        expect(stringifyJson(given)).toBe(expected);
        expect(encodeJson(given).toString()).toBe(expected);
      }),
    );
  });

  it('become bytes only if they contain such a part', () => {
    expect(encodeJson({ a: 1 })).toBe('{"a":1}');
    expect(encodeJson({ a: new JsonText('1') })).toEqual(Buffer.from('{"a":1}'));
    expect(encodeJson(new JsonText(Buffer.from('"ä"')))).toEqual(Buffer.from('"ä"'));
  });

  it('are plain values to JSON.stringify', () => {
    expect(JSON.parse(JSON.stringify({ a: new JsonText('{"b":[1]}') }))).toEqual({ a: { b: [1] } });
  });

  it('can be serialized after a value that failed to serialize', () => {
    const cyclic: Record<string, unknown> = { text: new JsonText('1') };
    cyclic['self'] = cyclic;
    expect(() => encodeJson(cyclic)).toThrow(TypeError);
    expect(JSON.stringify(new JsonText('[1]'))).toBe('[1]');
    expect(stringifyJson([new JsonText('1')])).toBe('[1]');
  });
});
