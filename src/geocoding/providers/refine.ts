/** What holds for the results of every provider, whatever it claims. */

import type { AddressParts, GeocodingPrecision } from '../geocoder.ts';
import { addressNotFound } from '../resilience/failures.ts';
import type { Candidates, Lookup, ProviderResult, Reading } from './provider.ts';
import { failed } from './responses.ts';

/**
 * Drops results outside the countries of the area, unless a point was asked; a result that names no country stays. A
 * result whose house number is missing or differs from the one in the address is no better than the street.
 *
 * @param provider the name in stored results
 */
export function refine(reading: Reading, lookup: Lookup, title: string, provider: string): Reading {
  if (reading.kind === 'failed') return reading;
  const countries = lookup.area?.countries ?? [];
  const candidates = reading.candidates.flatMap((candidate): readonly ProviderResult[] => {
    const { countryCode } = candidate.parts;
    const isElsewhere = countries.length > 0 && countryCode !== null && !countries.includes(countryCode);
    if (isElsewhere && lookup.kind !== 'reverse') return [];
    const precision = lookup.kind === 'forward' ? cap(candidate, lookup.address) : candidate.precision;
    return [{ ...candidate, provider, precision }];
  });
  return isCandidates(candidates) ? { kind: 'found', candidates } : failed(addressNotFound(title));
}

function isCandidates(candidates: readonly ProviderResult[]): candidates is Candidates {
  return candidates.length > 0;
}

function cap({ precision, parts, formattedAddress }: ProviderResult, address: string): GeocodingPrecision {
  if (precision !== 'rooftop' && precision !== 'interpolated') return precision;
  return hasHouseNumber(address, parts, formattedAddress) ? precision : 'street';
}

/**
 * A number with a letter, a range or a fraction: `12`, `12a`, `12 bis`, `12-14`, `12/3`. Not part of a word, as in `5th`,
 * `SW7` and `1丁目`.
 */
const NUMBER =
  /(?<![\p{L}\p{N}]|\p{N}[-–/])\p{Nd}+(?:(?:\p{L}|\s\p{L}(?!\/)|\s?(?:bis|ter|quater))(?![\p{L}\p{N}]))?(?:\s?[-–/]\s?\p{Nd}+\p{L}?)*(?![\p{L}\p{N}])/giu;

/**
 * Whether the result has the house number of the address. True if the address has none: every number in it belongs to the
 * result's street, postcode, town or name, as in `Rue du 8 Mai 1945` and `75001 Paris`.
 */
export function hasHouseNumber(
  address: string,
  { houseNumber, street, postcode, city, state }: AddressParts,
  label: string | null,
): boolean {
  const asked = numbersIn(address);
  const own = houseNumber === null ? null : compact(houseNumber);
  // One building may have several numbers: `12;14`.
  const owned = own === null ? [] : [own, ...own.split(/[;,]/u)];
  if (asked.some((number) => owned.includes(number))) return true;
  const texts = [street, postcode, city, state].flatMap((text) => numbersIn(text ?? ''));
  const named = numbersIn(label ?? '').filter((number) => !owned.includes(number));
  const explained = new Set([...texts, ...named]);
  return asked.every((number) => explained.has(number));
}

function numbersIn(text: string): readonly string[] {
  return (text.normalize('NFKC').match(NUMBER) ?? []).map(compact);
}

/** House numbers compare without case and blanks. */
function compact(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s/gu, '').replaceAll('–', '-');
}
