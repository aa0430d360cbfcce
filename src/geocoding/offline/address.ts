import { fold, wordsOf } from './normalise.ts';
import { POSTCODE_FORMS, POSTCODE_PREFIXES, PREFIXED_POSTCODE } from './postcodes.ts';
import { isDirection, streetWordOf } from './street-words.ts';

/** A word of the address that may belong to a name. */
export interface Token {
  readonly text: string;
  /** True when a hyphen joins it to the word before. */
  readonly joined: boolean;
  /** Its index among the words of the address. */
  readonly wordIndex: number;
}

/** Consecutive words of one part, with no number and no street between them. */
export interface Run {
  /** Which part of the address, from 0. */
  readonly part: number;
  readonly tokens: readonly Token[];
  /** How many digits the number just before it, or just after it, has in its part; 0 without a number. */
  readonly digitsBefore: number;
  readonly digitsAfter: number;
  /** True when a street's name at its start was cut off. */
  readonly afterStreet: boolean;
  /** Contains a street word. It can still be a town's name, but only as a whole (Ronda, Largo). */
  readonly street: boolean;
  readonly wholePart: boolean;
  /** Made of two parts that one name may span, as `Frankfurt (Oder)` and `Frankfurt/Oder`. Used only as a whole. */
  readonly combined: boolean;
}

export interface Address {
  readonly runs: readonly Run[];
  readonly parts: number;
  /** True when a street is named, or when there is a number of one to three digits. */
  readonly hasStreet: boolean;
  /** True when there is a number of four digits or more, or a postcode with letters. */
  readonly hasPostcode: boolean;
  /** Countries that the form of the postcode suggests, ISO 3166-1 alpha-2. */
  readonly postcodeCountries: readonly string[];
}

/** UTF-16 units. Addresses are one to five lines. Of a longer text only the two ends are read, to bound the cost. */
const MAXIMUM_END = 600;

const SEPARATOR = /[,;\n\r\t|/()[\]{}،؛、，；。·•"„“”«»<>:]+|\s[-–—]+\s/u;

/** One letter may fold to 18 (`ﷺ`), so the folded text has to be shortened again. */
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

/** True for a number, with or without letters, that is long enough for a postcode or mixes both as British ones do. */
function isPostcodeWord(word: string): boolean {
  return digitsOf(word) >= 4 || /^\d(?!st|nd|rd|th)[a-z]{2}$|^[a-z]{1,2}\d{1,2}[a-z]?$/.test(word);
}

/** Words for a street that are also the code of a state or country. */
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

/** Splits a run at its street words. What remains may hold a town. */
function splitStreets(run: Run): Run[] {
  const { tokens } = run;
  let cut = -1;
  let kept = tokens.length;
  for (const [index, token] of tokens.entries()) {
    const kind = index >= kept ? null : streetWordOf(token.text);
    // `St` begins the name of a saint's town. A single letter (`R. Augusta`, `Aarhus C`) means a street only at the
    // start.
    if (kind === null || (index === 0 && token.text === 'st')) continue;
    if (token.text.length === 1 && index > 0) continue;
    // A single word is not a street. `UT` or `AL` at the end is not either, unless a house number follows (`Andrássy út
    // 60`).
    if (tokens.length === 1 && token.text.length < 4) continue;
    const last = index === tokens.length - 1;
    if (last && index > 0 && AMBIGUOUS.has(token.text) && (run.digitsAfter === 0 || run.digitsAfter > 3))
      continue;
    if (kind === 'before') kept = index;
    else if (kind === 'either' && index === cut + 1) kept = index;
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

/** Either words, or the digits of one number: `115 21`, `117 42` and `30-001` count as one number. */
type Segment = { readonly tokens: Token[] } | { digits: number };

interface Pieces {
  readonly runs: readonly Run[];
  readonly words: number;
  readonly hasNumber: boolean;
  readonly hasPostcode: boolean;
}

function piecesOf(part: number, text: string, firstIndex: number): Pieces {
  const segments: Segment[] = [];
  const words = wordsOf(text);
  for (const [index, word] of words.entries()) {
    const last = segments.at(-1);
    if (!hasDigit(word.text)) {
      const token: Token = { ...word, wordIndex: firstIndex + index };
      if (last !== undefined && 'tokens' in last) last.tokens.push(token);
      else segments.push({ tokens: [token] });
      continue;
    }
    const digits = isPostcodeWord(word.text) ? Math.max(4, digitsOf(word.text)) : digitsOf(word.text);
    if (last !== undefined && 'digits' in last) last.digits += digits;
    else segments.push({ digits });
  }
  const digitsAt = (index: number): number => {
    const segment = segments[index];
    return segment !== undefined && 'digits' in segment ? segment.digits : 0;
  };
  const runs = segments.flatMap((segment, index): Run[] => {
    if (!('tokens' in segment)) return [];
    return splitStreets({
      part,
      tokens: segment.tokens,
      digitsBefore: digitsAt(index - 1),
      digitsAfter: digitsAt(index + 1),
      afterStreet: false,
      street: false,
      wholePart: segments.length === 1,
      combined: false,
    });
  });
  const numbers = segments.map((_, index) => digitsAt(index));
  return {
    runs,
    words: words.length,
    hasNumber: numbers.some((digits) => digits > 0 && digits < 4),
    hasPostcode: numbers.some((digits) => digits >= 4),
  };
}

/**
 * The last word before a bracket or slash and the first one after it. The look-behind keeps the time linear for a long
 * word.
 */
const SPANNING = /(?<!\p{L})(\p{L}+)(?: ?\(|\/)(\p{L}+)/gu;

function combinedRuns(runs: readonly Run[], spanning: ReadonlySet<string>): Run[] {
  if (spanning.size === 0) return [];
  return runs.flatMap((run, index): Run[] => {
    const next = runs[index + 1];
    if (next?.part !== run.part + 1) return [];
    if (!spanning.has(`${run.tokens.at(-1)?.text} ${next.tokens[0]?.text}`)) return [];
    return [
      { ...run, tokens: [...run.tokens, ...next.tokens], digitsAfter: next.digitsAfter, combined: true },
    ];
  });
}

/** Splits an address into parts, runs and numbers. Pure; the cost is bounded whatever the length. */
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
  const parts = text.split(SEPARATOR).filter((part) => HAS_WORD.test(part));
  const spanning = new Set(Array.from(text.matchAll(SPANNING), ([, left, right]) => `${left} ${right}`));
  for (const [part, piece] of parts.entries()) {
    const pieces = piecesOf(part, piece, wordIndex);
    runs.push(...pieces.runs);
    // A gap between parts: two words are adjacent only if they are in the same part.
    wordIndex += pieces.words + 1;
    hasNumber ||= pieces.hasNumber;
    hasPostcode ||= pieces.hasPostcode;
  }
  runs.push(...combinedRuns(runs, spanning));
  return {
    runs,
    parts: parts.length,
    hasStreet: hasNumber || runs.some((run) => run.street),
    hasPostcode,
    postcodeCountries: [...countries],
  };
}
