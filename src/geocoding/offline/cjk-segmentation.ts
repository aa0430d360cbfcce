/**
 * Addresses in Chinese, Japanese, Korean and Thai: the largest unit comes first, with or without spaces. A suffix gives
 * the kind of each unit (都道府県市区町村, 省市县镇, 시군구); in Thai, a prefix.
 */

import type { YieldIfDue } from '../../lib/cooperative-scheduler.ts';
import type { Run, Token } from './address.ts';
import type { Lookup, NameMatch } from './name-match.ts';
import type { Constraint, NameMatches } from './name-matches.ts';

const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const THAI = /\p{sc=Thai}/u;

export function isAsianScript(run: Run): boolean {
  return run.tokens.some((token) => EAST_ASIAN.test(token.text) || THAI.test(token.text));
}

type UnitKind = 'province' | 'city' | 'ward' | 'bare';

const CITY = /(?:市|町|村|县|縣|鎮|镇|特別市|특별시|광역시|특별자치시|시|군)$/u;
const WARD = /(?:区|區|구|동|읍|면)$/u;
const PROVINCE = /(?:省|県|府|都|道|郡|州|自治区|도)$/u;
const STREET_KOREAN = /.{2}(?:로|길|대로)$/u;

function kindOf(phrase: string): UnitKind {
  if (CITY.test(phrase)) return 'city';
  if (PROVINCE.test(phrase)) return 'province';
  return WARD.test(phrase) ? 'ward' : 'bare';
}

const stem = (phrase: string): string =>
  phrase.replace(/(?:特別市|특별시|광역시|특별자치시|自治区|.)$/u, (suffix) =>
    kindOf(suffix) === 'bare' ? suffix : '',
  );

const UNIT_QUALITY: Readonly<Record<UnitKind, number>> = { city: 7, bare: 6, province: 3.5, ward: 1 };
const LONGEST_UNIT = 10;

class UnitFinder {
  readonly nameMatches: NameMatch[] = [];
  readonly constraints: Constraint[] = [];
  #order = 0;
  #cityFound = false;
  readonly #run: Run;
  readonly #lookup: Lookup;

  constructor(run: Run, lookup: Lookup) {
    this.#run = run;
    this.#lookup = lookup;
  }

  /** Records the unit. @returns whether it is known */
  take(phrase: string, token: Token, whole: boolean): boolean {
    const kind = kindOf(phrase);
    const named = this.#lookup(phrase);
    const options = [...named.countries, ...named.regions].filter((option) => !option.code);
    if (options.length > 0) {
      this.constraints.push({
        part: this.#run.part,
        start: token.wordIndex,
        end: token.wordIndex + 1,
        options,
        country: named.countries.length > 0,
        towns: named.towns,
        whole: true,
        digitsAfter: 0,
      });
    }
    const towns = named.towns.length > 0 || kind === 'bare' ? named : this.#lookup(stem(phrase));
    // After the city, a name without a suffix is a street.
    const usable = towns.towns.length > 0 && !(kind === 'bare' && this.#cityFound);
    if (usable && !(kind === 'bare' && phrase.length < 2)) {
      this.#order += 1;
      this.nameMatches.push({
        phrase: towns === named ? phrase : stem(phrase),
        words: 1,
        part: this.#run.part,
        start: token.wordIndex + (whole ? 0 : this.#order / 100),
        end: token.wordIndex + (whole ? 1 : this.#order / 100),
        fit: whole || kind !== 'bare' ? 'whole' : 'unit',
        quality: UNIT_QUALITY[kind] + (kind === 'city' ? this.#order * 2 : 0),
        named: towns,
        digitsBefore: 0,
        digitsAfter: 0,
        street: false,
        isBilingual: false,
      });
    }
    this.#cityFound ||= usable && kind === 'city';
    return usable || options.length > 0;
  }

  /** `上海浦东` is a district whose name begins with the city's. Both are candidates. */
  #takeBeginnings(phrase: string, token: Token): void {
    if (kindOf(phrase) !== 'bare') return;
    for (let length = phrase.length - 1; length > 1; length -= 1)
      this.take(phrase.slice(0, length), token, false);
  }

  /** Records the longest known unit at each index, up to a district or an unknown unit. */
  async segment(token: Token, yieldIfDue: YieldIfDue): Promise<void> {
    const text = token.text;
    let cursor = 0;
    while (cursor < text.length - 1) {
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
      let length = Math.min(LONGEST_UNIT, text.length - cursor);
      for (; length > 1; length -= 1) {
        const phrase = text.slice(cursor, cursor + length);
        if (kindOf(phrase) !== 'bare' || length === text.length || !this.#cityFound) {
          if (this.take(phrase, token, length === text.length)) {
            this.#takeBeginnings(phrase, token);
            break;
          }
        }
      }
      if (length <= 1) {
        const unknown = /^.{1,7}?(?:[省県府都道郡州市区區县縣])/u.exec(text.slice(cursor));
        if (unknown === null) return;
        length = unknown[0].length;
      }
      const taken = text.slice(cursor, cursor + length);
      // Streets follow a ward or village; a city follows a Taiwanese county.
      if (/[区區町村]$/u.test(taken) && kindOf(taken) !== 'province') return;
      cursor += length;
      // If `京都` is known and `京都府` is not, skip the suffix.
      if (kindOf(text.charAt(cursor)) !== 'bare' && kindOf(taken) === 'bare') cursor += 1;
    }
  }
}

const THAI_TOWN = /^(?:จังหวัด|จ|อำเภอเมือง|อำเภอ|อ|เทศบาลนคร|เทศบาลเมือง|เมือง)/u;
const THAI_SMALLER = /^(?:ถนน|ซอย|แขวง|เขต|ตำบล|หมู่|ต(?=\p{L}{3}))/u;

/** The names in a run of one of these scripts. */
export async function findUnits(run: Run, lookup: Lookup, yieldIfDue: YieldIfDue): Promise<NameMatches> {
  const finder = new UnitFinder(run, lookup);
  for (const token of run.tokens) {
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
    if (THAI.test(token.text)) {
      if (finder.take(token.text, token, true) || THAI_SMALLER.test(token.text)) continue;
      finder.take(token.text.replace(THAI_TOWN, ''), token, true);
    } else if (/\p{sc=Hangul}/u.test(token.text)) {
      if (!STREET_KOREAN.test(token.text)) finder.take(token.text, token, true);
    } else {
      await finder.segment(token, yieldIfDue);
    }
  }
  return { nameMatches: finder.nameMatches, constraints: finder.constraints };
}
