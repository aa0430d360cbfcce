/** City districts that are called by number: `Paris 11e`, `Praha 1`, `Budapest IX.`. */

import type { Word } from './normalise.ts';
import { streetWordOf } from './street-words.ts';

interface NumberedDistricts {
  readonly districts: number;
  /** True if a bare number is a district: `Praha 1`. Elsewhere it may be a house number. */
  readonly plain: boolean;
}

const cities = (names: string, districts: number, plain: boolean): (readonly [string, NumberedDistricts])[] =>
  names.split(' ').map((name) => [name, { districts, plain }]);

/** By the city's folded name. */
const NUMBERED_DISTRICTS: ReadonlyMap<string, NumberedDistricts> = new Map([
  ...cities('paris', 20, false),
  ...cities('lyon lyons', 9, false),
  ...cities('marseille marseilles', 16, false),
  ...cities('wien vienna', 23, true),
  ...cities('graz', 17, false),
  ...cities('budapest', 23, false),
  ...cities('praha prague prag', 22, true),
  ...cities('bucuresti bucharest', 6, false),
  ...cities('zurich', 12, false),
]);

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const DISTRICT = words(
  'arrondissement arrdt arr ardt bezirk bez kerulet ker kreis sector sectorul sektor district obvod',
);
const ORDINAL_ENDING = words('er ere re e eme ieme nd nde nd st rd th');
const FLOOR = words('etage stock stockwerk og obergeschoss emelet em floor piso piano patro etaj');
/** Before a city's name, these make it part of another name: `Rue de Paris`, `Gare de Lyon`, `University of Vienna`. */
const LINK = words('de du des d di da of von zu nach');

const ORDINAL = /^(\d{1,2})(?:er|ere|re|e|eme|ieme|o|nde?|st|rd|th)$/;
const ROMAN = /^(x{0,2})(ix|iv|v?i{0,3})(?:er|ere|e|eme|ieme)?$/;
const UNITS = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix'];

/** The value of a Roman numeral below 30, also with a French ending (`XIe`); 0 for any other word. */
function romanValue(word: string): number {
  const match = ROMAN.exec(word);
  if (match === null) return 0;
  return 10 * (match[1]?.length ?? 0) + UNITS.indexOf(match[2] ?? '');
}

/** The ordinal or Roman numeral at `index` and its length in words: `11e`, `18 ème`, `IX`. */
function ordinalAt(list: readonly Word[], index: number): { value: number; length: number } {
  const word = list[index]?.text ?? '';
  const ordinal = ORDINAL.exec(word);
  if (ordinal !== null) return { value: Number(ordinal[1]), length: 1 };
  if (/^\d{1,2}$/.test(word)) {
    const ended = ORDINAL_ENDING.has(list[index + 1]?.text ?? '');
    return { value: Number(word), length: ended ? 2 : 0 };
  }
  const roman = romanValue(word);
  return { value: roman, length: roman > 0 ? 1 : 0 };
}

/**
 * The number of words after the city at `index` that name its district: 1 for `Paris 11e` and `Budapest IX.`, 2 for
 * `Marseille 8e arrondissement` and `Zürich Kreis 4`; 0 if the word is no such city, or no district follows.
 */
export function districtAt(list: readonly Word[], index: number): number {
  const city = NUMBERED_DISTRICTS.get(list[index]?.text ?? '');
  if (city === undefined) return 0;
  const before = list[index - 1]?.text ?? '';
  if (LINK.has(before) || streetWordOf(before) === 'before' || streetWordOf(before) === 'either') return 0;
  const named = DISTRICT.has(list[index + 1]?.text ?? '') ? 1 : 0;
  const { value, length } = ordinalAt(list, index + 1 + named);
  if (value < 1 || value > city.districts) return 0;
  // A bare number is a district only beside a word for one, or where that is the custom.
  const end = index + 1 + named + Math.max(1, length);
  const followed = named === 0 && DISTRICT.has(list[end]?.text ?? '');
  if (length === 0 && named === 0 && !followed && !city.plain) return 0;
  if (FLOOR.has(list[end]?.text ?? '')) return 0;
  return end - index - 1 + (followed ? 1 : 0);
}
