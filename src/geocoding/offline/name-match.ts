import type { Run } from './address.ts';
import type { Gazetteer, LookupResult } from './gazetteer.ts';

/**
 * How a phrase lies in its run: the whole run, the words up to a hyphen, its end, its beginning, or a unit of a script
 * without spaces.
 */
export type Fit = 'whole' | 'joined' | 'suffix' | 'prefix' | 'unit';

/** A phrase of the address that names a town. */
export interface NameMatch {
  readonly phrase: string;
  readonly words: number;
  readonly part: number;
  /** Index of its first word, and the index after its last. */
  readonly start: number;
  readonly end: number;
  readonly fit: Fit;
  /** The base of its score. */
  readonly quality: number;
  readonly named: LookupResult;
  readonly digitsBefore: number;
  readonly digitsAfter: number;
  /** True when it is read as a town although it contains a street word. */
  readonly street: boolean;
  /** True when it is one town's name in two languages: `Biel/Bienne`. */
  readonly isBilingual: boolean;
}

/** Looks up phrases, each once. */
export type Lookup = (phrase: string) => LookupResult;

export function memoisedLookup(gazetteer: Gazetteer): Lookup {
  const memo = new Map<string, LookupResult>();
  return (phrase) => {
    let named = memo.get(phrase);
    if (named === undefined) memo.set(phrase, (named = gazetteer.lookup(phrase)));
    return named;
  };
}

/** Words of the longest name that is looked up. */
export const MAXIMUM_WORDS = 7;
export const QUALITY: Readonly<Record<Exclude<Fit, 'unit'>, number>> = {
  whole: 6,
  joined: 4.5,
  suffix: 2,
  prefix: 1,
};

/** As much as a quarter named after it takes away (`Praha 8 - Karlín`). */
const DISTRICT_QUALITY = 1.2;

/** The words from `start` to before `end`, as the index spells them. */
export function phraseOf(run: Run, start: number, end: number): string {
  let phrase = run.tokens[start]?.text ?? '';
  for (let index = start + 1; index < end; index += 1) phrase += ` ${run.tokens[index]?.text ?? ''}`;
  return phrase;
}

/** The mention that the tokens from `start` to before `end` make, in a list; none when they name no town. */
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
