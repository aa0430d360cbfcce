/** Where a map's addresses are, so that a geocoder finds the right one of several streets of the same name. */

import { badUserInput } from '../errors.ts';
import type { Box } from './filter/box.ts';
import { assertBox } from './filter/box.ts';

export interface GeocodingArea {
  /** ISO 3166-1 alpha-2 codes in upper case, sorted; empty for all countries. Results elsewhere are not used. */
  readonly countries: readonly string[];
  /** A preference for online providers, not a limit; null for none. */
  readonly bounds: Box | null;
  /** The language of results, a BCP 47 tag in its canonical form; null for the provider's choice. */
  readonly language: string | null;
}

/** An area of a caller; absent and null members set nothing. */
export interface GeocodingAreaInput {
  readonly countries?: readonly string[] | null;
  readonly bounds?: Box | null;
  readonly language?: string | null;
}

const MAX_COUNTRIES = 15;
const MAX_LANGUAGE_LENGTH = 35;

/**
 * Null if the input sets nothing.
 *
 * @throws ServiceError BAD_USER_INPUT
 */
export function toGeocodingArea(
  { countries, bounds = null, language = null }: GeocodingAreaInput,
  label = 'geocoding',
): GeocodingArea | null {
  const area = {
    countries: toCountries(countries ?? [], `${label}.countries`),
    bounds: toBounds(bounds, `${label}.bounds`),
    language: language === null ? null : toLanguage(language, `${label}.language`),
  };
  return area.countries.length === 0 && area.bounds === null && area.language === null ? null : area;
}

function toCountries(countries: readonly string[], label: string): readonly string[] {
  if (countries.length > MAX_COUNTRIES) {
    throw badUserInput(`${label} has ${countries.length} codes; at most ${MAX_COUNTRIES} are allowed.`);
  }
  const codes = countries.map((code, index) => {
    const upper = code.toUpperCase();
    // Upper case of some other letters is ASCII.
    if (/^[A-Za-z]{2}$/.test(code) && COUNTRIES.has(upper)) return upper;
    throw badUserInput(`${label}[${index}] must be an ISO 3166-1 alpha-2 code, such as "DE".`);
  });
  for (const [index, code] of codes.entries()) {
    const first = codes.indexOf(code);
    if (first !== index) throw badUserInput(`${label}[${index}] repeats ${label}[${first}].`);
  }
  return codes.toSorted();
}

/** ISO 3166-1 alpha-2, and XK for Kosovo, a user-assigned code that all providers use. */
const COUNTRIES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT ' +
    'BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ' +
    'ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT ' +
    'HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS ' +
    'LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI ' +
    'NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG ' +
    'SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
    'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW XK'
  ).split(' '),
);

function toBounds(bounds: Box | null, label: string): Box | null {
  if (bounds === null) return null;
  assertBox(bounds, label);
  const { south, west, north, east } = bounds;
  // Adding zero turns -0 into 0.
  return { south: south + 0, west: west + 0, north: north + 0, east: east + 0 };
}

/** `EN-us` becomes `en-US`. */
function toLanguage(language: string, label: string): string {
  try {
    const [canonical] = Intl.getCanonicalLocales(language);
    if (canonical !== undefined && language.length <= MAX_LANGUAGE_LENGTH) return canonical;
  } catch {
    // Reported below.
  }
  throw badUserInput(`${label} must be a BCP 47 language tag, such as "de" or "pt-BR".`);
}
