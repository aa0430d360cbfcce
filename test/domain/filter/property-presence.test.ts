import fc from 'fast-check';

import { propertyMatcher } from '../../../src/domain/filter/property.ts';
import { presenceOf, presenceWith } from '../../../src/domain/filter/property-presence.ts';
import type { JsonObject, JsonValue } from '../../../src/domain/json/json.ts';

const name = fc.constantFrom('', 'a', 'b', 'a b', '1 a', '1 a1 b', 'ab', '__proto__', 'A', 'ä', '\ud800');
const value = fc.constantFrom<JsonValue>(null, '', 'x', 0, false, [], {});
// As parsed from JSON: `__proto__` is a key like any other.
const properties = fc
  .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 6 })
  .map((entries) => {
    const members = entries.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`);
    return JSON.parse(`{${members.join(',')}}`) as JsonObject;
  });

function exists(location: JsonObject, key: string): boolean {
  return propertyMatcher({ kind: 'exists', name: key, exists: true }, [])(location);
}

describe('the property presence of a location', () => {
  it('equals that of another exactly if the same properties exist', () => {
    const seen = { alike: 0, apart: 0 };
    fc.assert(
      fc.property(properties, properties, (one, other) => {
        const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
        const isAlike = [...keys].every((key) => exists(one, key) === exists(other, key));
        expect(presenceOf(one) === presenceOf(other)).toBe(isAlike);
        seen[isAlike ? 'alike' : 'apart'] += 1;
      }),
      { numRuns: 5_000 },
    );
    expect(Math.min(seen.alike, seen.apart)).toBeGreaterThan(100);
  });

  it('does not depend on the order of its properties', () => {
    expect(presenceOf({ a: 1, b: 2 })).toBe(presenceOf({ b: 'x', a: true }));
  });

  it('is stable after thousands of others, and with long names', () => {
    const long = { ['n'.repeat(5_000)]: 1, a: 1 };
    const before = [presenceOf({ a: 1 }), presenceOf(long)];
    const others = Array.from({ length: 3_000 }, (_, index) => presenceOf({ a: 1, [`name ${index}`]: 1 }));
    expect(new Set([...before, ...others]).size).toBe(3_002);
    expect([presenceOf({ a: 1 }), presenceOf(long)]).toEqual(before);
    for (const presence of [...before, ...others]) expect(presence).toMatch(/^[0-9a-f]{20}$/);
  });

  it('says which of the requested properties exist', () => {
    const location = { a: 1, b: '', c: null } as JsonObject;
    const presence = presenceWith(presenceOf(location), location, new Set(['a', 'b', 'c', 'constructor']));
    expect([...presence.names]).toEqual(['a']);
  });
});
