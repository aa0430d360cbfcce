import fc from 'fast-check';

import type { JsonObject } from '../../src/domain/json/json.ts';
import type { PropertiesChange } from '../../src/domain/location-change.ts';
import { changeProperties, isSameJson } from '../../src/domain/location-change.ts';
import { expectRefused } from './refused.ts';

const object = (json: string) => JSON.parse(json) as JsonObject;
const change = (json: string, { fields = null, mode = 'merge', unset = [] }: Partial<PropertiesChange>) =>
  JSON.stringify(changeProperties(object(json), { fields, mode, unset }));

describe('the properties of a location', () => {
  it.each<[string, Partial<PropertiesChange>, string]>([
    ['{"a":1,"b":2}', { fields: object('{"c":3,"a":9}') }, '{"a":9,"b":2,"c":3}'],
    ['{"a":{"x":1,"y":2}}', { fields: object('{"a":{"y":3}}') }, '{"a":{"y":3}}'],
    ['{"a":1}', { fields: object('{"a":null}') }, '{"a":null}'],
    ['{"a":1,"b":2}', { fields: object('{"c":3,"b":2}'), mode: 'replace' }, '{"c":3,"b":2}'],
    ['{"a":1,"b":2}', { unset: ['a', 'z'] }, '{"b":2}'],
    ['{"a":1,"b":2}', { fields: object('{"c":3}'), unset: ['b'] }, '{"a":1,"c":3}'],
    ['{"a":1}', { fields: object('{"__proto__":{"x":1}}') }, '{"a":1,"__proto__":{"x":1}}'],
    ['{"__proto__":1,"constructor":2}', { unset: ['__proto__'] }, '{"constructor":2}'],
  ])('%s, updated by %j, become %s', (before, asked, after) => {
    expect(change(before, asked)).toBe(after);
  });

  it.each<[string, Partial<PropertiesChange>]>([
    ['{"a":1,"b":{"x":1,"y":[1,{"z":2}]}}', { fields: object('{"b":{"y":[1,{"z":2}],"x":1}}') }],
    ['{"a":1,"b":2}', { fields: object('{"b":2,"a":1}'), mode: 'replace' }],
    ['{"a":1}', { unset: ['b'] }],
    ['{"a":1}', {}],
  ])('%s, updated by %j, are unchanged and keep their order', (before, asked) => {
    expect(change(before, asked)).toBe(before);
    const current = object(before);
    expect(changeProperties(current, { fields: null, mode: 'merge', unset: [], ...asked })).toBe(current);
  });

  it('cannot be replaced by null', () => {
    expectRefused(() => change('{"a":1}', { mode: 'replace' }), /fields/);
  });

  it('cannot be set and removed at once; the message repeats no key', () => {
    const asked = { fields: object('{"secret":1}'), unset: ['a', 'secret'] };
    expect(expectRefused(() => change('{}', asked), /^unset\[1\]/)).not.toContain('secret');
  });

  it('are equal exactly if they differ only in the order of keys, at any depth', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, member]) => [key, shuffled(member)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
        expect(isSameJson(a as JsonObject, shuffled(a) as JsonObject)).toBe(true);
        expect(isSameJson(a as JsonObject, b as JsonObject)).toBe(sorted(a) === sorted(b));
      }),
    );
  });
});

/** Sorts the keys, so that equal values have equal JSON. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
