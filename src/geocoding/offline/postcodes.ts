/** Postcodes as hints to a country. */

import { postcodeDigits } from '../../domain/postcodes.ts';

/** Forms that are unique to one country, for folded text. */
export const POSTCODE_FORMS: readonly (readonly [string, RegExp])[] = [
  ['GB', /\b[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}\b/],
  ['GB', /\b(?:n|e|w|s|nw|sw|se|ec|wc)\d{1,2}[a-z]?$/],
  ['CA', /\b[a-z]\d[a-z] ?\d[a-z]\d\b/],
  ['IE', /\b[a-z]\d[\dw] ?[a-z\d]{4}\b/],
  ['NL', /\b\d{4} ?(?!no\b|st\b|nd\b|rd\b|th\b)[a-z]{2}\b(?! ?\d)/],
  ['PT', /\b\d{4}-\d{3}\b(?!-)/],
  ['BR', /\b\d{5}-\d{3}\b/],
  ['JP', /\b\d{3}-\d{4}\b/],
  ['PL', /\b\d{2}-\d{3}\b(?!-)/],
  ['US', /\b\d{5}-\d{4}\b/],
];

/** Country letters before a postcode: `D-10115`, `SE-111 52`. */
export const POSTCODE_PREFIXES: Readonly<Record<string, string>> = {
  a: 'AT', b: 'BE', ch: 'CH', cz: 'CZ', d: 'DE', de: 'DE', dk: 'DK', f: 'FR', fi: 'FI', fin: 'FI', fr: 'FR', gr: 'GR',
  hr: 'HR', i: 'IT', it: 'IT', l: 'LU', li: 'LI', lt: 'LT', lv: 'LV', md: 'MD', n: 'NO', no: 'NO', p: 'PT', pl: 'PL',
  pt: 'PT', ro: 'RO', rs: 'RS', s: 'SE', se: 'SE', si: 'SI', sk: 'SK', sm: 'SM', ad: 'AD', az: 'AZ', es: 'ES', e: 'ES',
  at: 'AT', be: 'BE', lu: 'LU', nl: 'NL',
}; // prettier-ignore
export const PREFIXED_POSTCODE = /(?<![\p{L}\p{N}])([a-z]{1,3})[-–](?=\d{3,})/gu;

/** True if a number of this many digits cannot be a postcode of the country. */
export function isForeignPostcode(country: string, digits: number): boolean {
  const usual = postcodeDigits(country);
  if (usual === undefined || digits === usual) return false;
  // The US and Portugal have a second form: `20560-0001`, and the first half of `1100-053`.
  return !(country === 'US' && digits === 9) && !(country === 'PT' && digits === 4);
}
