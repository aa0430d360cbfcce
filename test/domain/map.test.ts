/** The rules for maps and their field definitions. */

import type { FieldDefinition } from '../../src/domain/map.ts';
import {
  addressFieldOf,
  assertApiKey,
  assertFieldDefinitions,
  assertMapName,
  DEFAULT_FIELDS,
  FIELD_TYPES,
  isFieldType,
  nameFieldOf,
} from '../../src/domain/map.ts';
import { expectRefused } from './refused.ts';

const check = (fields: readonly FieldDefinition[]) => assertFieldDefinitions(fields, 100);
const text = (name: string): FieldDefinition => ({ name, type: 'text' });
const withMore = (...more: readonly FieldDefinition[]) => [...DEFAULT_FIELDS, ...more];

describe('the name field of a map', () => {
  it('is the first field of type placeName', () => {
    const fields: FieldDefinition[] = [
      text('name'),
      { name: 'A', type: 'placeName' },
      { name: 'B', type: 'placeName' },
    ];
    expect(nameFieldOf(fields)).toBe('A');
  });

  it('otherwise is the first called name, in any case, of any type', () => {
    for (const name of ['name', 'Name', 'NAME', 'nAmE'])
      expect(nameFieldOf([text('x'), text(name), text('name')])).toBe(name);
    expect(nameFieldOf([{ name: 'Name', type: 'number' }])).toBe('Name');
  });

  it('is absent if there is neither', () => {
    expect(nameFieldOf([])).toBeUndefined();
    for (const name of ['names', ' name', 'placeName', 'title', ''])
      expect(nameFieldOf([text(name)])).toBeUndefined();
  });
});

describe('the address field of a map', () => {
  it('is the first field of type address', () => {
    const fields: FieldDefinition[] = [
      text('address'),
      { name: 'A', type: 'address' },
      { name: 'B', type: 'address' },
    ];
    expect(addressFieldOf(fields)).toBe('A');
  });

  it('otherwise is the first called address, in any case', () => {
    expect(addressFieldOf([text('x'), text('ADDRESS'), text('address')])).toBe('ADDRESS');
    expect(addressFieldOf([text('addresses'), text('name')])).toBeUndefined();
  });
});

describe('field definitions', () => {
  it('are Name and Address by default', () => {
    check(DEFAULT_FIELDS);
    expect([nameFieldOf(DEFAULT_FIELDS), addressFieldOf(DEFAULT_FIELDS)]).toEqual(['Name', 'Address']);
  });

  it('have one of the fourteen types', () => {
    expect(FIELD_TYPES).toHaveLength(14);
    check(withMore(...FIELD_TYPES.map((type) => ({ name: `a ${type}`, type }))));
    for (const type of ['Text', 'placename', 'string', '', '__proto__', 'toString']) {
      expect(isFieldType(type)).toBe(false);
      const fields = withMore({ name: 'x', type: type as 'text' });
      expectRefused(() => check(fields), /is not a field type; allowed: text, date/);
    }
  });

  it('have unique, case-sensitive names', () => {
    check(
      withMore(text('a'), text('A'), text('a '), text('é'), text('e\u0301'), text('name'), text('address')),
    );
    expectRefused(
      () => check(withMore(text('Name'))),
      /^fields\[\d\]\.name repeats that of fields\[0\]; names must be unique/,
    );
    expectRefused(
      () => check(withMore(text('x'), text('y'), text('x'))),
      /^fields\[4\]\.name repeats that of fields\[2\]/,
    );
    check(withMore(text('__proto__'), text('constructor'), text('$a.b')));
    expectRefused(() => check(withMore(text('__proto__'), text('__proto__'))), /names must be unique/);
  });

  it('have names that can be stored', () => {
    check(withMore(text('\u{1f600}'.repeat(256))));
    expectRefused(
      () => check(withMore(text('\u{1f600}'.repeat(257)))),
      /^fields\[2\]\.name must be 1 to 256/,
    );
    expectRefused(() => check(withMore(text('a\0'))), /NUL/);
    expectRefused(() => check(withMore(text('\ud800'))), /lone surrogate/);
  });

  it('have names that are not blank', () => {
    for (const blank of ['', ' ', '\t\n', '\u00a0\u3000\ufeff']) {
      expectRefused(
        () => check(withMore(text(blank))),
        /^fields\[2\]\.name must be 1 to 256 .* not blank\.$/,
      );
    }
  });

  it('include a name field and an address field', () => {
    check([text('NAME'), text('aDDress')]);
    expectRefused(() => check([]), /must include a name field/);
    expectRefused(() => check([{ name: 'Address', type: 'address' }]), /must include a name field/);
    expectRefused(() => check([{ name: 'Name', type: 'placeName' }]), /must include an address field/);
  });

  it('are limited in number', () => {
    const many = (count: number) =>
      withMore(...Array.from({ length: count - 2 }, (_, index) => text(`x${index}`)));
    check(many(100));
    expectRefused(() => check(many(101)), /has 101 definitions; at most 100/);
  });
});

describe('the name of a map', () => {
  it('is 1 to 256 code points, and not blank', () => {
    for (const name of ['a', ' a ', 'x'.repeat(256), '\u{1f600}'.repeat(256), 'a\nb']) assertMapName(name);
    for (const name of ['', ' ', '\u3000\t', 'x'.repeat(257), 'a\0', '\udc00']) {
      expectRefused(() => assertMapName(name), /^name /);
    }
  });
});

describe('an API key', () => {
  it('is 1 to 1024 code points, not blank, and never repeated in a message', () => {
    for (const key of ['a', 'x'.repeat(1024)]) assertApiKey(key, 'geocodingApiKey');
    for (const key of ['', '  ', 'secret'.repeat(200), 'secret\0', 'secret\ud800']) {
      expect(expectRefused(() => assertApiKey(key, 'geocodingApiKey'), /^geocodingApiKey /)).not.toMatch(
        /secret/,
      );
    }
  });
});
