import type { JsonObject } from '../../../src/domain/json/json.ts';
import type { PropertyInput } from '../../../src/domain/filter/property.ts';
import { assertBounds } from '../../../src/domain/filter/location-filter.ts';
import { propertyMatcher, readPropertyTest } from '../../../src/domain/filter/property.ts';
import type { FieldType } from '../../../src/domain/map.ts';
import { expectRefused } from '../refused.ts';
import { literally } from './literally.ts';

type Asked = Omit<PropertyInput, 'name'>;

/** Whether the filter matches a location whose property `p` has this value; undefined means no such property. */
const passes = (asked: Asked, type: FieldType | null, value: unknown) => {
  const definitions = type === null ? [] : [{ name: 'p', type }];
  const properties = (value === undefined ? {} : { p: value }) as JsonObject;
  return propertyMatcher(
    readPropertyTest({ name: 'p', ...asked }, 'filter.property'),
    definitions,
  )(properties);
};

describe('a property filter', () => {
  it.each<[Asked, FieldType | null, unknown, boolean]>([
    [{ eq: 'a' }, null, 'a', true],
    [{ eq: 'a' }, null, 'A', false],
    [{ eq: 1 }, null, '1', false],
    [{ eq: 1 }, 'number', '1', true],
    [{ eq: '1.0' }, 'number', 1, true],
    [{ eq: '1.0' }, 'text', '1', false],
    [{ eq: 'one' }, 'number', 'one', true],
    [{ eq: 0 }, null, -0, true],
    [{ eq: true }, null, 'true', false],
    [{ eq: null }, null, null, true],
    [{ eq: null }, null, undefined, false],
    [{ in: ['a', null] }, null, null, true],
    [{ in: ['a', 2] }, null, 2, true],
    [{ in: ['a', 2] }, null, [2], false],
    [{ from: 2, to: 3 }, null, 3, true],
    [{ from: 2, to: 3 }, null, '3', false],
    [{ from: 2, to: 3 }, 'number', '3', true],
    [{ from: '2', to: '10' }, 'number', '9', true],
    [{ from: '2', to: '10' }, 'text', '9', false],
    [{ from: 3, to: 2 }, null, 2, false],
    [{ from: 'b' }, null, 'c', true],
    [{ from: '\uffff' }, null, '\u{1f600}', true],
    [{ to: 'b' }, null, 1, false],
    [{ from: 1 }, null, true, false],
    [{ from: '2026-02-01', to: '2026-02-28' }, 'date', '2026-02-28T23:59:59.999Z', true],
    [{ from: '2026-02-01', to: '2026-02-28' }, 'date', '2026-03-01T00:00:00+00:01', true],
    [{ from: '2026-02-01', to: '2026-02-28' }, 'date', '2026-03-01', false],
    [{ from: '2026-02-28T00:00:00.001Z' }, 'date', '2026-02-28', false],
    [{ from: '2026-02-28T00:00:00.0009Z' }, 'date', '2026-02-28', true],
    [{ from: '0001-01-01' }, 'date', '0099-12-31', true],
    [{ to: '2026-02-28' }, 'date', '2026-02-30', false],
    [{ to: '2026-02-28' }, 'date', 20260101, false],
    [{ prefix: 'CAF' }, null, 'Café', true],
    [{ prefix: 'afé' }, null, 'Café', false],
    [{ prefix: '1' }, 'number', 12, false],
    [{ exists: true }, null, 0, true],
    [{ exists: true }, null, '', false],
    [{ exists: true }, null, null, false],
    [{ exists: false }, null, undefined, true],
    [{ exists: false }, null, [], false],
    [{ eq: 'a', in: null, from: null, prefix: null, exists: null }, null, 'a', true],
  ])('%j on a field of type %s, for the value %j: %j', (asked, type, value, expected) => {
    expect(passes(asked, type, value)).toBe(expected);
  });

  it('ignores keys that every object inherits, unless the location has them', () => {
    const test = readPropertyTest({ name: 'constructor', exists: true }, 'filter.property');
    expect(propertyMatcher(test, [])({})).toBe(false);
    expect(propertyMatcher(test, [])(JSON.parse('{"constructor":1}') as JsonObject)).toBe(true);
  });

  it.each<[Asked, FieldType | null, string]>([
    [{}, null, 'filter.property must have exactly one'],
    [{ eq: 1, in: [1] }, null, 'filter.property must have exactly one'],
    [{ exists: true, to: 1 }, null, 'filter.property must have exactly one'],
    [{ from: null }, null, 'filter.property must have exactly one'],
    [{ in: [] }, null, 'filter.property.in has 0 values'],
    [{ in: Array.from({ length: 101 }, () => 1) }, null, 'filter.property.in has 101 values'],
    [{ eq: { a: 1 } }, null, 'filter.property.eq'],
    [{ in: ['a', [1]] }, null, 'filter.property.in[1]'],
    [{ from: true }, null, 'filter.property.from'],
    [{ from: 1, to: true }, null, 'filter.property.to must'],
    [{ from: 1, to: 'b' }, null, 'filter.property.to must be a number, as filter.property.from is.'],
    [{ from: 'b', to: 1 }, null, 'filter.property.to must be a string, as filter.property.from is.'],
    [{ from: 'b' }, 'number', 'filter.property.from must be a number, as filter.property.name names'],
    [{ from: 1, to: 'b' }, 'number', 'filter.property.to must'],
    [{ from: 'a', to: 'b' }, 'number', 'filter.property.from must'],
    [{ from: '1', to: 'b' }, 'number', 'filter.property.to must'],
    [{ openAt: new Date(0), exists: true }, 'openingHours', 'filter.property must have exactly one'],
    [{ openAt: new Date(0) }, 'text', 'filter.property.openAt needs a field of the type openingHours'],
    [{ openAt: new Date(0) }, 'openingHours', 'filter.property.openAt needs the time zone of the map'],
    [{ from: 1 }, 'date', 'filter.property.from'],
    [{ to: '2026-02-30' }, 'date', 'filter.property.to'],
    [{ to: '2026-02-03T25:00:00Z' }, 'date', 'filter.property.to'],
    [{ prefix: '' }, null, 'filter.property.prefix'],
    [{ prefix: '\u0301' }, null, 'filter.property.prefix'],
  ])('%j on a field of type %s is refused', (asked, type, message) => {
    const definitions = type === null ? [] : [{ name: 'p', type }];
    const read = () => {
      const test = readPropertyTest({ name: 'p', ...asked }, 'filter.property');
      assertBounds({ kind: 'property', test }, [definitions]);
    };
    expectRefused(read, literally(message));
  });

  it('whose bound has the wrong kind for one of several maps is accepted, and matches nothing there', () => {
    const test = readPropertyTest({ name: 'p', from: 'b' }, 'filter.property');
    const maps = [[{ name: 'p', type: 'number' as const }], []];
    assertBounds({ kind: 'not', filter: { kind: 'property', test } }, maps);
    const passed = maps.map((fields) => propertyMatcher(test, fields)({ p: 'c' }));
    expect(passed).toEqual([false, true]);
  });
});
