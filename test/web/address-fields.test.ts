/** The fields of a location that an address is written into. */

import type { Address } from '../../web/console/form/address-fields.ts';
import { labelOf, partOf, textsOfAddress } from '../../web/console/form/address-fields.ts';
import type { FieldDefinition } from '../../web/console/common/field-inputs.ts';

const NOTHING: Address = {
  label: null,
  houseNumber: null,
  street: null,
  postcode: null,
  city: null,
  state: null,
  country: null,
  countryCode: null,
};
const BERLIN: Address = {
  ...NOTHING,
  label: 'Unter den Linden 77, 10117 Berlin, Germany',
  houseNumber: '77',
  street: 'Unter den Linden',
  postcode: '10117',
  city: 'Berlin',
  country: 'Germany',
  countryCode: 'DE',
};
const LISBON: Address = {
  ...NOTHING,
  label: 'Lisbon, Portugal',
  city: 'Lisbon',
  country: 'Portugal',
  countryCode: 'PT',
};

/** Fields with a name, an address and texts. */
function fieldsOf(address: string, ...others: readonly string[]): readonly FieldDefinition[] {
  return [
    { name: 'Name', type: 'placeName', isPublic: true },
    { name: address, type: 'address', isPublic: true },
    ...others.map((name) => ({ name, type: 'text', isPublic: true }) as const),
  ];
}

describe('the texts of an address', () => {
  it('are one, the label, for a map with an address field alone', () => {
    expect(textsOfAddress(fieldsOf('Address', 'Phone'), BERLIN)).toEqual({ Address: BERLIN.label });
    // `Adresse` is called like a street, but no other field holds the town.
    expect(textsOfAddress(fieldsOf('Adresse'), BERLIN)).toEqual({ Adresse: BERLIN.label });
  });

  it('are the label, and the parts for the fields that are called like them', () => {
    const fields = fieldsOf('Address', 'Street', 'ZIP', 'City', 'Country');
    expect(textsOfAddress(fields, BERLIN)).toEqual({
      Address: BERLIN.label,
      Street: 'Unter den Linden 77',
      ZIP: '10117',
      City: 'Berlin',
      Country: 'Germany',
    });
  });

  it('are the parts alone if the address field holds the street', () => {
    expect(textsOfAddress(fieldsOf('Straße', 'PLZ', 'Ort'), BERLIN)).toEqual({
      Straße: 'Unter den Linden 77',
      PLZ: '10117',
      Ort: 'Berlin',
    });
    expect(textsOfAddress(fieldsOf('Straße', 'Hausnummer', 'PLZ', 'Ort'), BERLIN)).toEqual({
      Straße: 'Unter den Linden',
      Hausnummer: '77',
      PLZ: '10117',
      Ort: 'Berlin',
    });
  });

  it('fill the address field if the street is unknown', () => {
    expect(textsOfAddress(fieldsOf('Straße', 'PLZ', 'Ort'), LISBON)).toEqual({
      Straße: 'Lisbon, Portugal',
      PLZ: '',
      Ort: 'Lisbon',
    });
  });

  it('empty the parts of the address before, but not those as coarse as the geocoder does not know', () => {
    const fields = fieldsOf('Address', 'Street', 'Postcode', 'City', 'State', 'Country');
    expect(textsOfAddress(fields, LISBON)).toEqual({
      Address: 'Lisbon, Portugal',
      Street: '',
      Postcode: '',
      City: 'Lisbon',
      State: '',
      Country: 'Portugal',
    });
    const french = { ...NOTHING, label: '1 Rue A 75001 Paris', houseNumber: '1', street: 'Rue A' };
    expect(textsOfAddress(fields, { ...french, postcode: '75001', city: 'Paris' })).toEqual({
      Address: '1 Rue A 75001 Paris',
      Street: '1 Rue A',
      Postcode: '75001',
      City: 'Paris',
    });
  });

  it('leave the name of the location, whatever its field is called', () => {
    const fields = [
      { name: 'City', type: 'placeName', isPublic: true },
      { name: 'Address', type: 'address', isPublic: true },
    ] as const;
    expect(textsOfAddress(fields, BERLIN)).toEqual({ Address: BERLIN.label });
  });

  it.each([
    ['FR', '1 Rue A'],
    ['US', '1 Rue A'],
    ['DE', 'Rue A 1'],
    ['ES', 'Rue A 1'],
  ])('have the house number where %s writes it', (countryCode, street) => {
    const address = { ...NOTHING, label: '1, Rue A, Town', houseNumber: '1', street: 'Rue A', city: 'Town' };
    expect(textsOfAddress(fieldsOf('Address', 'Street'), { ...address, countryCode })).toMatchObject({
      Street: street,
    });
  });

  it('have the order of the label if the country is unknown', () => {
    const address = { ...NOTHING, houseNumber: '1', street: 'Via B' };
    const streetOf = (label: string | null) =>
      textsOfAddress(fieldsOf('Address', 'Street'), { ...address, label })['Street'];
    expect(streetOf('1 Via B, Town')).toBe('1 Via B');
    expect(streetOf('Via B 1, Town')).toBe('Via B 1');
    expect(streetOf(null)).toBe('Via B 1');
  });

  it('are joined to the label that a geocoder does not give', () => {
    expect(labelOf({ ...BERLIN, label: null })).toBe('Unter den Linden 77, 10117 Berlin, Germany');
    expect(labelOf({ ...LISBON, label: null })).toBe('Lisbon, Portugal');
    expect(labelOf(NOTHING)).toBe('');
  });
});

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
