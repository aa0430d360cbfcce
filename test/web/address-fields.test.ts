/** The fields of a location that hold parts of its address. */

import { partOf } from '../../web/console/form/address-fields.ts';

describe('the part of an address that a field holds', () => {
  it.each([
    ['Postcode', 'postcode'],
    [' PLZ ', 'postcode'],
    ['Postleitzahl', 'postcode'],
    ['Code postal', 'postcode'],
    ['addr:postcode', 'postcode'],
    ['Country', 'country'],
    ['Phone', null],
    ['constructor', null],
  ] as const)('of %p is %p', (name, part) => {
    expect(partOf({ name })).toBe(part);
  });
});
