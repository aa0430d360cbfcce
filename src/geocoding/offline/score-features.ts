/** Decides whether a candidate town has enough features. */

import type { Address } from './address.ts';
import type { Town } from './gazetteer.ts';
import type { NameMatch } from './name-match.ts';
import { isCommonWord } from './street-words.ts';

/** A town that one of the address's phrases may mean. */
export interface TownCandidate {
  readonly town: Town;
  readonly nameMatch: NameMatch;
  /** Comparable only within one address. */
  readonly score: number;
  /**
   * Support besides the name: 2 per named country or region that contains the town; 1 each for the seat of its province,
   * a postcode beside it, the form of a postcode, and a street or number elsewhere.
   */
  readonly features: number;
}

const wordCount = (address: Address): number =>
  address.runs.reduce((count, run) => count + (run.boundary > 0 ? 0 : run.tokens.length), 0);

/** A phrase with a street word is a town after a postcode, with its country, or alone (`Ronda`). */
function isTownDespiteStreetWord({ nameMatch, town, features }: TownCandidate, address: Address): boolean {
  if (nameMatch.words > 2 || nameMatch.digitsBefore >= 4) return true;
  if (nameMatch.digitsBefore > 0) return false;
  const alone = address.parts === 1 && nameMatch.words === 1 && nameMatch.digitsAfter === 0;
  return features >= 3 || (alone && town.population >= 15_000 && !isCommonWord(nameMatch.phrase));
}

/** For a phrase that is a whole part, without numbers, codes and countries. */
function wholeSuffices(
  { town, nameMatch, features }: TownCandidate,
  primary: boolean,
  weak: 'common' | 'short' | null,
  address: Address,
): boolean {
  const { population } = town;
  if (weak === 'short' && population >= 500_000) return true;
  if (weak !== null) return features >= 2 || (population >= 100_000 && wordCount(address) <= 2);
  if (features >= 1) return true;
  // The main name of a village is an address on its own; an alternate name may be any word.
  return population >= 15_000 || (primary && (address.parts === 1 || nameMatch.isBilingual));
}

/**
 * True if the candidate has enough features. Almost any word is the name of some village, so a name within a sentence, a
 * common word and a very short word need more features than a name alone.
 */
export function suffices(candidate: TownCandidate, primary: boolean, address: Address): boolean {
  const { nameMatch, town, features } = candidate;
  const { population } = town;
  if (nameMatch.street && !isTownDespiteStreetWord(candidate, address)) return false;
  const common = nameMatch.phrase.split(' ').every(isCommonWord);
  // In most non-Latin scripts, two letters are a whole name.
  const short = nameMatch.phrase.length < (/[^\p{sc=Latin} ]/u.test(nameMatch.phrase) ? 2 : 4);
  const weak = common ? 'common' : short ? 'short' : null;
  switch (nameMatch.fit) {
    case 'whole':
      return wholeSuffices(candidate, primary, weak, address);
    case 'joined':
      return features >= 1 || population >= 20_000;
    case 'unit':
      return population >= 50_000 || features >= 2;
    case 'suffix':
      if (weak !== null) return features >= 3 && population >= 100_000;
      if (features >= 2) return population >= 5000;
      return population >= (features === 1 ? 300_000 : 1_000_000);
    case 'prefix':
      return weak === null && features >= 2 && population >= 100_000;
  }
}

/** Inserts a candidate by score, after equal ones. Each town occurs once, with its best score. */
export function withCandidate(
  candidates: readonly TownCandidate[],
  candidate: TownCandidate,
): readonly TownCandidate[] {
  const same = candidates.find(({ town }) => town.rank === candidate.town.rank);
  if (same !== undefined && same.score >= candidate.score) return candidates;
  const others = candidates.filter((other) => other !== same);
  const better = others.filter(({ score }) => score >= candidate.score);
  return [...better, candidate, ...others.slice(better.length)];
}
