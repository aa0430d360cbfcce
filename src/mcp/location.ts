/** How tools show a location. */

import * as z from 'zod';

import { cutText } from '../lib/cut-text.ts';
import { shortenFields } from './result-size.ts';

export const LOCATION_SELECTION =
  'id name latitude longitude properties externalId version updatedAt geocoding { precision label }';

export interface SelectedLocation {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly externalId: string | null;
  readonly version: number;
  readonly updatedAt: string;
  readonly geocoding: { readonly precision: string; readonly label: string | null };
}

export const locationSchema = z.object({
  id: z.string(),
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  fields: z.record(z.string(), z.unknown()).describe('All fields by name, with the address and the name.'),
  cutFields: z
    .array(z.string())
    .optional()
    .describe('Fields whose values are too long for the result; they end in an ellipsis.'),
  omittedFields: z.int().optional().describe('How many fields are missing: the result would be too long.'),
  externalId: z.string().nullable().describe('The owner’s own id; null for none, and for readers.'),
  version: z.int().describe('Grows with each change.'),
  updatedAt: z.string(),
  precision: z.string().describe('How precisely the point matches the address, from rooftop to region.'),
  geocodedAddress: z.string().nullable().describe('The address as the geocoder writes it.'),
});

const MAX_TEXT_LENGTH = 500;

/** @param maxCharacters of the fields */
export function toLocation(
  { properties, geocoding, name, ...location }: SelectedLocation,
  maxCharacters: number,
): z.input<typeof locationSchema> {
  const { precision, label } = geocoding;
  return {
    ...location,
    name: cutText(name, MAX_TEXT_LENGTH),
    ...shortenFields(properties, maxCharacters),
    precision,
    geocodedAddress: label === null ? null : cutText(label, MAX_TEXT_LENGTH),
  };
}
