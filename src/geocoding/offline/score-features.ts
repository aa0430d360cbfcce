import type { Address } from './address.ts';
import type { Town } from './gazetteer.ts';
import type { NameMatch } from './name-match.ts';
import { isCommonWord } from './street-words.ts';

/** A town that one of the address's phrases may mean. */
export interface TownCandidate {
  readonly town: Town;
  readonly nameMatch: NameMatch;
  /** Only comparable with scores of other towns for the same address. */
  readonly score: number;
  /**
   * What speaks for the town besides its name: 2 for each country or region that is named and contains it; 1 for each
   * of its province's seat, a postcode beside it, the form of a postcode, and a street or number elsewhere.
   */
  readonly features: number;
}

const wordCount = (address: Address): number =>
  address.runs.reduce((count, run) => count + (run.boundary > 0 ? 0 : run.tokens.length), 0);

/** A phrase with a street word is a town after a postcode, with its country, or when it is alone (`Ronda`). */
function isTownDespiteStreetWord({ nameMatch, town, features }: TownCandidate, address: Address): boolean {
  if (nameMatch.words > 2 || nameMatch.digitsBefore >= 4) return true;
  if (nameMatch.digitsBefore > 0) return false;
  const alone = address.parts === 1 && nameMatch.words === 1 && nameMatch.digitsAfter === 0;
  return features >= 3 || (alone && town.population >= 15_000 && !isCommonWord(nameMatch.phrase));
}

/** True when the phrase is a whole part, without numbers, codes and countries. */
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
  // On its own, any town's main name in GeoNames is an address. An alternate name of a village may be any word.
  return population >= 15_000 || (primary && (address.parts === 1 || nameMatch.isBilingual));
}

/**
 * Whether the evidence for a town is enough. Almost any word is the name of some village. So a name within a sentence,
 * a common word or a very short one needs more evidence than a name that stands alone.
 */
export function suffices(candidate: TownCandidate, primary: boolean, address: Address): boolean {
  const { nameMatch, town, features } = candidate;
  const { population } = town;
  if (nameMatch.street && !isTownDespiteStreetWord(candidate, address)) return false;
  const common = nameMatch.phrase.split(' ').every(isCommonWord);
  // Two letters are a whole name in syllabic scripts and in most other non-Latin scripts.
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

/** The choices with one more, the best first; of equal ones the earlier. Each town stands in it once. */
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
