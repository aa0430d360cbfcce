/** Writes an address into the fields of a location that hold addresses. */

import { addressFieldOf, nameFieldOf } from '../../../src/domain/map.ts';
import type { AddressPart } from '../../../src/transfer/columns/address-template.ts';
import { addressPartOf } from '../../../src/transfer/columns/address-template.ts';
import { headerKey } from '../../../src/transfer/columns/mapping.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import type { ReverseGeocodeQuery } from '../generated/operations.ts';

export type Address = NonNullable<ReverseGeocodeQuery['reverseGeocode']>;

/** From fine to coarse. */
const PARTS = ['street', 'houseNumber', 'postcode', 'city', 'state', 'country'] as const;

/** Where house numbers precede streets, as in the templates of https://github.com/OpenCageData/address-formatting. */
const NUMBER_FIRST: ReadonlySet<string> = new Set(
  (
    'AD AE AG AM AU AZ BB BD BF BH BJ BM BN BZ CA CD CG CI CK DJ DM DZ EG FJ FR GA GB GF GG GH GI GM GN GP GU ' +
    'GY HK IE IM IN IQ JE JM JP KE KH KN KY LA LB LK LS LU MA MC MG MM MQ MR MS MT MU MV MW MY NA NC NE NG NR ' +
    'NZ OM PF PG PH PK PR RE RW SA SC SG SL SN TC TG TH TM TN TO TT TZ UG US VG VI VN XK YE YT ZA ZM ZW'
  ).split(' '),
);

/** The part of an address that a field holds, by the field's name; null for other fields. */
export function partOf({ name }: Pick<FieldDefinition, 'name'>): AddressPart | null {
  return addressPartOf(headerKey(name));
}

/** The whole address in one line; empty if nothing is known of it. */
export function labelOf(address: Address): string {
  const { label, postcode, city, state, country } = address;
  return label ?? join(', ', streetOf(address), join(' ', postcode, city), state, country);
}

/**
 * The new texts of the fields with the address: the address field, and those called like a part of one. The address
 * field gets the whole address, or the street if it is called like one and others hold the rest. A part that the address
 * lacks is emptied, since it was that of another address, unless the geocoder knows nothing as coarse.
 */
export function textsOfAddress(
  fields: readonly FieldDefinition[],
  address: Address,
): Readonly<Record<string, string>> {
  const addressField = addressFieldOf(fields);
  const nameField = nameFieldOf(fields);
  const names = new Map<AddressPart, string>();
  for (const field of fields) {
    // The name of a location may be in a field called `City`.
    const part = field.name === nameField ? null : partOf(field);
    if (part !== null && !names.has(part)) names.set(part, field.name);
  }
  const hasNumber = names.has('houseNumber');
  const values = { ...address, street: hasNumber ? address.street : streetOf(address) || null };
  const coarsest = PARTS.findLastIndex((part) => values[part] !== null);
  const texts = PARTS.slice(0, coarsest + 1).flatMap((part) => {
    const name = names.get(part);
    return name === undefined || name === addressField ? [] : [[name, values[part] ?? ''] as const];
  });
  const isStreet = names.get('street') === addressField && (names.has('postcode') || names.has('city'));
  const line = (isStreet ? values.street : null) ?? labelOf(address);
  return Object.fromEntries(addressField === undefined ? texts : [...texts, [addressField, line]]);
}

/** The street with its number, in the order of the country, else in that of the label. */
function streetOf({ label, street, houseNumber, countryCode }: Address): string {
  const isNumberFirst =
    countryCode === null
      ? (label ?? '').indexOf(houseNumber ?? '') < (label ?? '').indexOf(street ?? '')
      : NUMBER_FIRST.has(countryCode);
  return isNumberFirst ? join(' ', houseNumber, street) : join(' ', street, houseNumber);
}

function join(separator: string, ...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(separator);
}
