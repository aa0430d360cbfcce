import { districtAt } from './districts.ts';
import { fold, wordsOf } from './normalise.ts';
import type { Word } from './normalise.ts';
import { POSTCODE_FORMS, POSTCODE_PREFIXES, PREFIXED_POSTCODE } from './postcodes.ts';
import { isDirection, streetWordOf } from './street-words.ts';

/** Splits an address into runs of words that may name a town. */

/** A word of the address that may belong to a name. */
export interface Token extends Word {
  /** Its index among the words of the address. */
  readonly wordIndex: number;
}

/** Consecutive words of one part, with no number and no street between them. */
export interface Run {
  /** Index of its part of the address. */
  readonly part: number;
  readonly tokens: readonly Token[];
  /** Digits of the number just before the run, and just after it, in its part; 0 for none. */
  readonly digitsBefore: number;
  readonly digitsAfter: number;
  /** True if a street's name was cut off its start. */
  readonly afterStreet: boolean;
  /** True if it contains a street word. Then only the whole run can name a town (Ronda, Largo). */
  readonly street: boolean;
  readonly wholePart: boolean;
  /** The words after a city's name that number its district: `11e` in `Paris 11e`. Usually none. */
  readonly district: readonly Token[];
  /**
   * Number of tokens before the mark that joins its two parts: `Frankfurt (Oder)`, `Frankfurt/Oder`, `Bolzano - Bozen`.
   * 0 for a run of one part.
   */
  readonly boundary: number;
  /** True if one name may span both parts. A dash joins a name and its translation, but no name (`La Paz - Centro`). */
  readonly spans: boolean;
}

export interface Address {
  readonly runs: readonly Run[];
  readonly parts: number;
  /** True if it has a street word, or a number of one to three digits. */
  readonly hasStreet: boolean;
  /** True if it has a number of four or more digits, or a postcode with letters. */
  readonly hasPostcode: boolean;
  /** Countries whose postcodes have this form, ISO 3166-1 alpha-2. */
  readonly postcodeCountries: readonly string[];
}

/** UTF-16 units read from each end of a long text, to bound the cost. Real addresses are shorter. */
const MAXIMUM_END = 600;

const SEPARATOR = /([,;\n\r\t|/()[\]{}،؛、，；。·•"„“”«»<>:]+|\s[-–—]+\s)/u;
/** A mark between the two halves of a name, or between a name and its translation. */
const JOINING = /^(?:[/(|]|\s[-–—]+\s)$/u;

/** Applied again after folding, because one letter may fold to 18 (`ﷺ`). */
function shorten(address: string): string {
  if (address.length <= 2 * MAXIMUM_END) return address;
  return `${address.slice(0, MAXIMUM_END)}, ${address.slice(-MAXIMUM_END)}`;
}

const DUTCH_LETTERS = /\b(\d{4}) ?([a-z]{2})\b(?= +\p{L})/gu;

function digitsOf(word: string): number {
  return word.replace(/\D/g, '').length;
}

const HAS_WORD = /[\p{L}\p{N}]/u;
const hasDigit = (word: string): boolean => /\p{N}/u.test(word);

const ENGLISH_ORDINAL = /^\d+(?:st|nd|rd|th)$/;
const FRENCH_ORDINAL = /^\d(?:er|re|me)$/;
const BRITISH_OUTWARD = /^[a-z]{1,2}\d[a-z\d]?$/;

/** True for a number of four or more digits, and for a British mix of letters and digits. */
function isPostcodeWord(word: string, before: string): boolean {
  // `1ER` ends a British postcode only after its first half; else it is a French ordinal.
  if (FRENCH_ORDINAL.test(word) && !BRITISH_OUTWARD.test(before)) return false;
  return digitsOf(word) >= 4 || /^\d(?!st|nd|rd|th)[a-z]{2}$|^[a-z]{1,2}\d{1,2}[a-z]?$/.test(word);
}

/** Street words that are also codes of states or countries. */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  'ut',
  'al',
  'tn',
  'pl',
  'pr',
  'sk',
  'ct',
  'cl',
  'cr',
  'la',
  'av',
  'cd',
]);

/** `Saint Louis` is no street, although `Saint` is indexed as `st`. A hyphenated name is read as a whole anyway. */
const isSaint = (token: Token): boolean => token.saint === true && !token.joined;

/**
 * Splits a run at its street words. The rest may name a town.
 *
 * @param numbered true after an English ordinal, where `Avenue` ends a street's name (`5th Avenue`)
 */
function splitStreets(run: Run, numbered: boolean): Run[] {
  const { tokens } = run;
  let cut = -1;
  let kept = tokens.length;
  for (const [index, token] of tokens.entries()) {
    const kind = index >= kept || isSaint(token) ? null : streetWordOf(token.text);
    // `St` at the start is a saint. A single letter is a street word only at the start (`R. Augusta`, not `Aarhus C`).
    if (kind === null || (index === 0 && token.text === 'st')) continue;
    if (token.text.length === 1 && index > 0) continue;
    // A short single word is no street. `UT` or `AL` at the end is a code, unless a house number follows (`Andrássy út
    // 60`).
    if (tokens.length === 1 && token.text.length < 4) continue;
    const last = index === tokens.length - 1;
    if (last && index > 0 && AMBIGUOUS.has(token.text) && (run.digitsAfter === 0 || run.digitsAfter > 3))
      continue;
    if (kind === 'before') kept = index;
    else if (kind === 'either' && index === cut + 1 && !(numbered && index === 0)) kept = index;
    else cut = index;
  }
  if (cut < 0 && kept === tokens.length) return [run];
  let start = cut + 1;
  if (cut >= 0) while (start < kept && isDirection(tokens[start]?.text ?? '')) start += 1;
  const whole: Run = { ...run, street: true };
  const rest = tokens.slice(start, kept);
  if (rest.length === 0) return [whole];
  return [
    whole,
    {
      ...run,
      tokens: rest,
      digitsBefore: cut < 0 ? run.digitsBefore : 0,
      digitsAfter: kept === tokens.length ? run.digitsAfter : 0,
      afterStreet: true,
      wholePart: false,
    },
  ];
}

/** Words, or the digits of one number. `115 21` and `30-001` count as one number. */
type Segment =
  { readonly tokens: Token[]; readonly district: readonly Token[] } | { digits: number; ordinal: boolean };

interface Pieces {
  readonly runs: readonly Run[];
  readonly words: number;
  readonly hasNumber: boolean;
  readonly hasPostcode: boolean;
}

function tokensOf(words: readonly Word[], firstIndex: number, from: number, to: number): Token[] {
  return words.slice(from, to).map((word, offset) => ({ ...word, wordIndex: firstIndex + from + offset }));
}

/** Divides the words of a part into names and numbers. */
function segmentsOf(words: readonly Word[], firstIndex: number): Segment[] {
  const segments: Segment[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    const last = segments.at(-1);
    if (!hasDigit(word.text)) {
      const token: Token = { ...word, wordIndex: firstIndex + index };
      const district = districtAt(words, index);
      if (district > 0) {
        // The district's number is neither a house number nor a postcode, and it delimits the city's name.
        segments.push(
          { tokens: [token], district: tokensOf(words, firstIndex, index + 1, index + 1 + district) },
          { digits: 0, ordinal: false },
        );
        index += district;
      } else if (last !== undefined && 'tokens' in last) last.tokens.push(token);
      else segments.push({ tokens: [token], district: [] });
      continue;
    }
    const postcode = isPostcodeWord(word.text, words[index - 1]?.text ?? '');
    const digits = postcode ? Math.max(4, digitsOf(word.text)) : digitsOf(word.text);
    const ordinal = ENGLISH_ORDINAL.test(word.text);
    if (last !== undefined && 'digits' in last) {
      last.digits += digits;
      last.ordinal = ordinal;
    } else segments.push({ digits, ordinal });
  }
  return segments;
}

function piecesOf(part: number, text: string, firstIndex: number): Pieces {
  const words = wordsOf(text);
  const segments = segmentsOf(words, firstIndex);
  const digitsAt = (index: number): number => {
    const segment = segments[index];
    return segment !== undefined && 'digits' in segment ? segment.digits : 0;
  };
  const runs = segments.flatMap((segment, index): Run[] => {
    if (!('tokens' in segment)) return [];
    const before = segments[index - 1];
    const run: Run = {
      part,
      tokens: segment.tokens,
      digitsBefore: digitsAt(index - 1),
      digitsAfter: digitsAt(index + 1),
      afterStreet: false,
      street: false,
      wholePart: segments.length === 1,
      district: segment.district,
      boundary: 0,
      spans: false,
    };
    return splitStreets(run, before !== undefined && 'digits' in before && before.ordinal);
  });
  const numbers = segments.map((_, index) => digitsAt(index));
  return {
    runs,
    words: words.length,
    hasNumber: numbers.some((digits) => digits > 0 && digits < 4),
    hasPostcode: numbers.some((digits) => digits >= 4),
  };
}

/** @param joined the mark, such as a slash, that joins a part to the one before, by the index of the part */
function combinedRuns(runs: readonly Run[], joined: ReadonlyMap<number, string>): Run[] {
  if (joined.size === 0) return [];
  return runs.flatMap((run, index): Run[] => {
    const next = runs[index + 1];
    const mark = joined.get(run.part + 1);
    if (mark === undefined || next?.part !== run.part + 1) return [];
    // Only the gap between parts separates them: no number and no street.
    if (next.tokens[0]?.wordIndex !== (run.tokens.at(-1)?.wordIndex ?? 0) + 2) return [];
    return [
      {
        ...run,
        tokens: [...run.tokens, ...next.tokens],
        digitsAfter: next.digitsAfter,
        street: run.street || next.street,
        boundary: run.tokens.length,
        spans: /[/(]/.test(mark),
      },
    ];
  });
}

/** The parts that have words, and the marks that join a part to the one before, by its index. */
function partsOf(text: string): { parts: string[]; joined: Map<number, string> } {
  const parts: string[] = [];
  const joined = new Map<number, string>();
  const pieces = text.split(SEPARATOR);
  for (let index = 0; index < pieces.length; index += 2) {
    const part = pieces[index] ?? '';
    if (!HAS_WORD.test(part)) continue;
    const mark = pieces[index - 1] ?? '';
    if (JOINING.test(mark) && HAS_WORD.test(pieces[index - 2] ?? '')) joined.set(parts.length, mark);
    parts.push(part);
  }
  return { parts, joined };
}

/** Pure, with a bounded cost for any length. */
export function parseAddress(address: string): Address {
  const countries = new Set<string>();
  const folded = shorten(fold(shorten(address)))
    .replace(/(?<![\p{L}])c\/(?= ?\p{L})/gu, 'calle ')
    .replace(/(?<![\p{L}])(s|b)\/(n|b)(?![\p{L}])/gu, ' ');
  for (const [country, form] of POSTCODE_FORMS) if (form.test(folded)) countries.add(country);
  const text = folded
    .replace(PREFIXED_POSTCODE, (whole, letters: string) => {
      const country = POSTCODE_PREFIXES[letters];
      if (country === undefined) return whole;
      countries.add(country);
      return ' ';
    })
    .replace(DUTCH_LETTERS, '$1 ');
  const runs: Run[] = [];
  let hasNumber = false;
  let hasPostcode = false;
  let wordIndex = 0;
  const { parts, joined } = partsOf(text);
  for (const [part, piece] of parts.entries()) {
    const pieces = piecesOf(part, piece, wordIndex);
    runs.push(...pieces.runs);
    // The gap keeps words of different parts from being adjacent.
    wordIndex += pieces.words + 1;
    hasNumber ||= pieces.hasNumber;
    hasPostcode ||= pieces.hasPostcode;
  }
  runs.push(...combinedRuns(runs, joined));
  return {
    runs,
    parts: parts.length,
    hasStreet: hasNumber || runs.some((run) => run.street),
    hasPostcode,
    postcodeCountries: [...countries],
  };
}
