/** Postcodes whose leading zeros a spreadsheet removed. */

import { restorePostcode } from '../../src/domain/postcodes.ts';

describe('restoring the leading zeros of a postcode', () => {
  it.each([
    // By code, and by name in any language.
    ['1067', 'DE', '01067'],
    ['1067', 'Deutschland', '01067'],
    ['1067', 'germany', '01067'],
    [' 1067 ', 'Allemagne', '01067'],
    ['2138', 'USA', '02138'],
    ['2138', 'U.S.A.', '02138'],
    ['1000', '法国', '01000'],
    ['8001', 'España', '08001'],
    ['8001', 'Espana', '08001'],
    // Two zeros, where postcodes may begin with them.
    ['184', 'Italia', '00184'],
    ['100', 'Finland', '00100'],
    ['501', 'US', '00501'],
    ['184', 'DE', null],
    // Of 4, 6, 7 and 8 digits.
    ['800', 'Australia', '0800'],
    ['10011', 'România', '010011'],
    ['600001', '日本', '0600001'],
    ['1001000', 'Brasil', '01001000'],
    // Complete.
    ['10115', 'DE', null],
    ['01067', 'DE', null],
    ['2000', 'Australia', null],
    // No postcode of the country is that short, or begins with a zero.
    ['67', 'DE', null],
    ['1067', 'AT', null],
    ['115', 'Austria', null],
    ['1067', 'Česko', null],
    // No digits alone.
    ['1067a', 'DE', null],
    ['1067-1', 'US', null],
    ['SW1A', 'GB', null],
    ['', 'DE', null],
    ['０１０６', 'DE', null],
    // An unknown country.
    ['1067', 'Atlantis', null],
    ['1067', '?', null],
  ] as const)('makes of %p in %p %p', (postcode, country, expected) => {
    expect(restorePostcode(postcode, country, [])).toBe(expected);
  });

  it.each([
    ['1067', ['DE'], '01067'],
    ['1067', ['DE', 'FR', 'IT'], '01067'],
    // It may be Viennese.
    ['1067', ['AT', 'DE'], null],
    // Rome, or nothing.
    ['184', ['DE', 'IT'], null],
    ['1067', [], null],
  ] as const)('makes of %p in one of %p %p', (postcode, countries, expected) => {
    expect(restorePostcode(postcode, '', countries)).toBe(expected);
    expect(restorePostcode(postcode, ' ', countries)).toBe(expected);
  });

  it('prefers the country of the address to those of the map', () => {
    expect(restorePostcode('1067', 'Österreich', ['DE'])).toBeNull();
    expect(restorePostcode('1067', 'Deutschland', ['AT'])).toBe('01067');
  });
});
