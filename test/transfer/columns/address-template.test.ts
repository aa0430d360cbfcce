import fc from 'fast-check';

import {
  fillAddress,
  parseAddressTemplate,
  suggestAddress,
} from '../../../src/transfer/columns/address-template.ts';

describe('fillAddress', () => {
  const fill = (template: string, ...parts: readonly string[]) => {
    const parsed = parseAddressTemplate(template);
    return parsed === null ? null : fillAddress(parsed, parts);
  };
  const TEMPLATE = '{street}, {zip} {city}, {country}';

  it('joins the parts', () => {
    expect(fill(TEMPLATE, 'Rue 1', '75001', 'Paris', 'France')).toBe('Rue 1, 75001 Paris, France');
    expect(fill('{a}', ' x ')).toBe('x');
  });

  it('drops the separator of an empty part', () => {
    expect(fill(TEMPLATE, 'Rue 1', '', 'Paris', 'France')).toBe('Rue 1, Paris, France');
    expect(fill(TEMPLATE, 'Rue 1', '75001', '', 'France')).toBe('Rue 1, 75001, France');
    expect(fill(TEMPLATE, 'Rue 1', '', ' ', 'France')).toBe('Rue 1, France');
    expect(fill(TEMPLATE, '', '75001', 'Paris', '')).toBe('75001 Paris');
    expect(fill(TEMPLATE, '', '', '', '')).toBe('');
  });

  it('keeps text around the parts, unless all are empty', () => {
    expect(fill('Shop, {city}, Germany', 'Berlin')).toBe('Shop, Berlin, Germany');
    expect(fill('Shop, {street}, {city}, Germany', '', 'Berlin')).toBe('Shop, Berlin, Germany');
    expect(fill('Shop, {city}, Germany', '')).toBe('');
  });

  it('contains each part once, in order, without consecutive separators', () => {
    const part = fc.constantFrom('', ' ', 'A', 'Bc', 'D e');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const template = parts.map((_, index) => `{c${index}}`).join(', ');
        const filled = parts.map((text) => text.trim()).filter((text) => text !== '');
        expect(fill(template, ...parts)).toBe(filled.join(', '));
      }),
    );
  });

  it('requires a column in braces', () => {
    expect(parseAddressTemplate('street')).toBeNull();
    expect(parseAddressTemplate('{}')).toBeNull();
  });
});

describe('suggestAddress', () => {
  const suggest = (columns: readonly string[], first: string | null = null) =>
    suggestAddress(columns, (name) => name.toLowerCase(), first);

  it('joins columns named like parts of an address, in the order of an address', () => {
    expect(suggest(['Country', 'PLZ', 'Ort', 'Strasse'])).toBe('{Strasse}, {PLZ} {Ort}, {Country}');
    expect(suggest(['City', 'Country'], 'Address')).toBe('{Address}, {City}, {Country}');
    expect(suggest(['Kind'])).toBeNull();
    expect(suggest(['Kind'], 'Address')).toBeNull();
  });
});
