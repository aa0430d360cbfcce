/** Names of countries: ICU's in the languages below, and aliases that ICU lacks. */

import { normalizeText } from './filter/search-text.ts';

const LANGUAGES =
  'en de fr es pt it nl sv da nb fi is et lv lt pl cs sk hu ro bg sr sr-Latn hr sl bs mk sq uk ru be el tr he ar fa ur hi bn ne mr ta te si th lo km my vi id ms fil zh zh-Hant ja ko ka hy az kk uz mn ca eu gl ga cy mt lb fo af sw am';

/** Older, official and short names, and codes of three letters. */
const ALIASES: Readonly<Record<string, string>> = {
  AE: 'UAE|U.A.E.|Emirates|الامارات|Emiratos Árabes',
  BA: 'Bosnia|Bosna',
  BO: 'Estado Plurinacional de Bolivia',
  BR: 'BRA|República Federativa do Brasil',
  BY: 'Belorussia|Byelorussia|Республика Беларусь',
  CA: 'CAN',
  CD: 'DR Congo|Democratic Republic of the Congo|République démocratique du Congo|RDC',
  CG: 'Congo|Republic of the Congo|République du Congo',
  CH: 'CHE|Svizra|Swiss Confederation',
  CI: 'Ivory Coast|Cote dIvoire',
  CN: 'PRC|P.R. China|PR China|Peoples Republic of China|中华人民共和国|中華人民共和國',
  CZ: 'Czech Republic|Czechia|Česká republika|Tschechische Republik|République tchèque|República Checa|CZE',
  DE: 'DEU|GER|BRD|Federal Republic of Germany|Bundesrepublik Deutschland|Alemanha',
  EG: 'جمهورية مصر العربية',
  ES: 'ESP|Espanya|Kingdom of Spain',
  FR: 'FRA|République française|France métropolitaine',
  GB: 'UK|U.K.|GBR|Great Britain|Britain|Grande-Bretagne|Großbritannien|Gran Bretaña|Gran Bretagna|Англия',
  GR: 'Hellas|Hellenic Republic',
  HK: 'Hong Kong SAR|香港特別行政區|香港特别行政区|香港',
  IE: 'Republic of Ireland|Éire|Eire',
  IR: 'Islamic Republic of Iran',
  IT: 'ITA',
  JP: 'JPN|日本国',
  KR: 'South Korea|Republic of Korea|Korea|ROK|KOR|대한민국|한국',
  KP: 'DPRK',
  KZ: 'Республика Казахстан|Қазақстан Республикасы',
  LA: 'Lao PDR|Laos',
  MD: 'Republic of Moldova|Republica Moldova',
  ME: 'Crna Gora',
  MK: 'Macedonia|FYROM|Republic of North Macedonia|Македонија',
  MM: 'Burma',
  MO: 'Macau|Macao|澳門|澳门',
  MX: 'MEX|Mejico|Estados Unidos Mexicanos',
  NL: 'Holland|The Netherlands|NLD|Hollande|Holanda|Nederland',
  NZ: 'Aotearoa|Aotearoa New Zealand',
  PL: 'POL|Rzeczpospolita Polska',
  PS: 'Palestine|Palestinian Territories|State of Palestine',
  RS: 'Republika Srbija',
  RU: 'Russian Federation|Российская Федерация|РФ|RUS',
  SA: 'KSA|Kingdom of Saudi Arabia|السعودية',
  SG: 'SGP|Republic of Singapore',
  SJ: 'Svalbard',
  SK: 'Slovak Republic|Slovenská republika',
  SY: 'سوريا|Syrian Arab Republic',
  SZ: 'Swaziland',
  TL: 'East Timor',
  TR: 'Turkey|Turkiye',
  TW: 'Taiwan ROC|Republic of China|R.O.C.|中華民國|台灣|臺灣|台湾',
  TZ: 'United Republic of Tanzania',
  UA: 'UKR',
  US: 'USA|U.S.A.|U.S.|United States of America|America|EEUU|EE.UU.|Estados Unidos de América|États-Unis d’Amérique|Vereinigte Staaten von Amerika',
  UY: 'República Oriental del Uruguay',
  VA: 'Vatican|Vatican City|Vatican City State|Holy See|Stato della Città del Vaticano|Vaticano',
  VE: 'República Bolivariana de Venezuela',
  VN: 'Viet Nam|S.R. Vietnam',
};

/** The names of one country. Some are ambiguous (Georgia is also a state). */
export function countryNames(code: string, displays: readonly Intl.DisplayNames[]): Set<string> {
  const names = new Set<string>((ALIASES[code] ?? '').split('|').filter((name) => name !== ''));
  for (const display of displays) {
    const name = display.of(code);
    if (name !== undefined && name !== code) names.add(name);
  }
  return names;
}

/** One source of names per language. A Node without full ICU has only English; the aliases remain. */
export function countryDisplays(): Intl.DisplayNames[] {
  return LANGUAGES.split(' ').flatMap((language) =>
    (['long', 'short'] as const).map((style) => new Intl.DisplayNames([language], { type: 'region', style })),
  );
}

/** By country, as {@link nameKey}. Made on demand, since each country has 140 names. */
const keys = new Map<string, ReadonlySet<string>>();
let displays: readonly Intl.DisplayNames[] | undefined;

/** Those of the countries that a text means: a name in any of the languages, or the code. */
export function countriesNamed(text: string, codes: readonly string[]): readonly string[] {
  const key = nameKey(text);
  return codes.filter((code) => keysOf(code).has(key));
}

function keysOf(code: string): ReadonlySet<string> {
  let known = keys.get(code);
  if (known === undefined) {
    displays ??= countryDisplays();
    known = new Set([code, ...countryNames(code, displays)].map(nameKey));
    keys.set(code, known);
  }
  return known;
}

/** Without case, marks, blanks and punctuation. */
function nameKey(text: string): string {
  return normalizeText(text).replace(/[^\p{L}\p{N}]/gu, '');
}
