/** Phrases of an address that name a town. */

import type { Run } from './address.ts';
import type { Gazetteer, LookupResult } from './gazetteer.ts';

/** The position of a phrase in its run: all of it, up to a hyphen, its end, its start, or a unit without spaces. */
export type Fit = 'whole' | 'joined' | 'suffix' | 'prefix' | 'unit';

/** A phrase of the address that names a town. */
export interface NameMatch {
  readonly phrase: string;
  readonly words: number;
  readonly part: number;
  /** Index of its first word, and the one after its last. */
  readonly start: number;
  readonly end: number;
  readonly fit: Fit;
  /** The base of its score. */
  readonly quality: number;
  readonly named: LookupResult;
  readonly digitsBefore: number;
  readonly digitsAfter: number;
  /** True if it contains a street word. */
  readonly street: boolean;
  /** True for a town's name in two languages: `Biel/Bienne`. */
  readonly isBilingual: boolean;
}

/** A range of word indices. */
interface WordRange {
  readonly start: number;
  readonly end: number;
}

export function overlaps(left: WordRange, right: WordRange): boolean {
  return left.start < right.end && right.start < left.end;
}

export type Lookup = (phrase: string) => LookupResult;

/** Looks up each phrase of an address once. */
export function memoisedLookup(gazetteer: Gazetteer): Lookup {
  const memo = new Map<string, LookupResult>();
  return (phrase) => {
    let named = memo.get(phrase);
    if (named === undefined) memo.set(phrase, (named = gazetteer.lookup(phrase)));
    return named;
  };
}

/** Words of the longest phrase that is looked up. */
export const MAXIMUM_WORDS = 7;
export const QUALITY: Readonly<Record<Exclude<Fit, 'unit'>, number>> = {
  whole: 6,
  joined: 4.5,
  suffix: 2,
  prefix: 1,
};

/** Offsets the penalty of a quarter after it (`Praha 8 - Karlín`). */
const DISTRICT_QUALITY = 1.2;

/** The words from `start` up to `end`, in the spelling of the index. */
export function phraseOf(run: Run, start: number, end: number): string {
  let phrase = run.tokens[start]?.text ?? '';
  for (let index = start + 1; index < end; index += 1) phrase += ` ${run.tokens[index]?.text ?? ''}`;
  return phrase;
}

/** The match of the tokens from `start` up to `end`, as a list; empty if they name no town. */
export function nameMatchAt(
  run: Run,
  start: number,
  end: number,
  fit: Exclude<Fit, 'unit'>,
  lookup: Lookup,
): NameMatch[] {
  const first = run.tokens[start];
  const last = run.tokens[end - 1];
  const words = end - start;
  if (first === undefined || last === undefined || words < 1 || words > MAXIMUM_WORDS) return [];
  const phrase = phraseOf(run, start, end);
  const named = lookup(phrase);
  if (named.towns.length === 0) return [];
  return [
    {
      phrase,
      words,
      part: run.part,
      start: first.wordIndex,
      end: last.wordIndex + 1,
      fit,
      quality:
        QUALITY[fit] -
        (fit === 'whole' ? 0 : 0.2 * (run.tokens.length - words)) +
        (run.boundary > 0 ? 2 : run.district.length > 0 ? DISTRICT_QUALITY : 0),
      named,
      digitsBefore: start === 0 ? run.digitsBefore : 0,
      digitsAfter: end === run.tokens.length ? run.digitsAfter : 0,
      street: run.street,
      isBilingual: false,
    },
  ];
}
