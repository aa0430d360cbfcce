/** Postcodes that are numbers: how many digits they have, and the zeros that spreadsheets remove from their beginning. */

import { countriesNamed } from './country-names.ts';
import { isBlank } from './text.ts';

/** Countries by the length of their postcodes. Absent: countries whose postcodes have letters, or that have none. */
const POSTCODE_DIGITS: Readonly<Record<string, string>> = {
  3: 'FO IS',
  4: 'AL AM AT AU BD BE BG CH CY DK GE HU LI LU LV MK MZ NL NO NZ PH PY SI TN VE ZA',
  5: 'BA CR CU CZ DE DO DZ EE EG ES FI FR GP GR GT HR ID IQ IT JO KE KR KW LK LT MA MC ME MM MX MY NP PE PK PL PR RE RS SA SE SK SN SM TH TR UA US UY VA XK ZM',
  6: 'BY CN CO EC IN KG KZ MN NG RO RU SG TJ UZ VN',
  7: 'CL IL JP PT',
  8: 'BR',
};
const DIGITS_OF: ReadonlyMap<string, number> = new Map(
  Object.entries(POSTCODE_DIGITS).flatMap(([digits, countries]) =>
    countries.split(' ').map((country): [string, number] => [country, Number(digits)]),
  ),
);

/** Undefined if the country is unknown, has no postcodes, or has letters in them. */
export function postcodeDigits(country: string): number | undefined {
  return DIGITS_OF.get(country);
}

/**
 * Countries by the zeros that their postcodes may begin with. Absent: Poland, since spreadsheets keep the zeros of
 * `00-950`.
 */
const LEADING_ZEROS: Readonly<Record<string, string>> = {
  1: 'AU BR CN CO DE DK DZ EC ES FR GE GT KR KZ MX MY NZ PE PH RO SG SK TR UA',
  2: 'AM FI IT JP KE LK LT NO PR US VA ZA',
};
const ZEROS_OF: ReadonlyMap<string, number> = new Map(
  Object.entries(LEADING_ZEROS).flatMap(([zeros, countries]) =>
    countries.split(' ').map((country): [string, number] => [country, Number(zeros)]),
  ),
);

/**
 * Restores the leading zeros that a spreadsheet removed: `1067` in Germany is `01067`.
 *
 * @param country the country of the address, as a name in any language or as a code; blank if unknown
 * @param countries codes of the countries that the address may be in, if its own is unknown
 * @returns null if no zero is missing, or if the countries differ in it
 */
export function restorePostcode(
  postcode: string,
  country: string,
  countries: readonly string[],
): string | null {
  const digits = postcode.trim();
  if (!/^[1-9]\d*$/.test(digits)) return null;
  const codes = isBlank(country) ? countries : countriesNamed(country, countriesLacking(digits));
  const restored = new Set(codes.map((code) => restoreZeros(digits, code)));
  const [only = null] = restored;
  return restored.size === 1 ? only : null;
}

/** The countries where zeros are missing. */
function countriesLacking(digits: string): readonly string[] {
  return [...ZEROS_OF.keys()].filter((code) => restoreZeros(digits, code) !== null);
}

function restoreZeros(digits: string, country: string): string | null {
  const length = DIGITS_OF.get(country) ?? digits.length;
  const missing = length - digits.length;
  return missing > 0 && missing <= (ZEROS_OF.get(country) ?? 0) ? digits.padStart(length, '0') : null;
}
