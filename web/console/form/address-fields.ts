/** Fields of a location that hold parts of its address. */

import type { AddressPart } from '../../../src/transfer/columns/address-template.ts';
import { addressPartOf } from '../../../src/transfer/columns/address-template.ts';
import { headerKey } from '../../../src/transfer/columns/mapping.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';

/** The part of an address that a field holds, by the field's name; null for other fields. */
export function partOf({ name }: Pick<FieldDefinition, 'name'>): AddressPart | null {
  return addressPartOf(headerKey(name));
}
