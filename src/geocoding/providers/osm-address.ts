/** The parts of an address by the names that Nominatim and services built on it use. */

import * as z from 'zod';

import type { AddressParts } from '../geocoder.ts';
import { NO_PARTS } from './responses.ts';

/** https://nominatim.org/release-docs/latest/api/Output/#addressdetails; values of another kind are left out. */
export const OsmAddress = z.record(z.string(), z.unknown()).nullish().catch(null);

const STREETS = ['road', 'pedestrian', 'footway', 'path', 'street', 'square', 'place'] as const;
const CITIES = ['city', 'town', 'village', 'municipality', 'hamlet', 'city_district', 'suburb'] as const;

export function partsOfOsmAddress(address: z.infer<typeof OsmAddress>): AddressParts {
  if (address === null || address === undefined) return NO_PARTS;
  const first = (...names: readonly string[]) =>
    names.map((name) => textOrNull(address[name])).find((text) => text !== null) ?? null;
  return {
    houseNumber: first('house_number'),
    street: first(...STREETS),
    postcode: first('postcode'),
    city: first(...CITIES),
    state: first('state', 'region'),
    country: first('country'),
    countryCode: countryCodeOf(address['country_code']),
  };
}

export function textOrNull(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** A text or a number; null for anything else. */
export const OptionalText = z.unknown().optional().transform(textOrNull);
export const OptionalCountry = z.unknown().optional().transform(countryCodeOf);

/** ISO 3166-1 alpha-2 in upper case; null for anything else. */
export function countryCodeOf(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : null;
}
