import type { Address } from './address.ts';
import type { Town } from './gazetteer.ts';
import type { Mention } from './mention.ts';
import { isCommonWord } from './street-words.ts';

/** A town that one of the address's phrases may mean. */
export interface Choice {
  readonly town: Town;
  readonly mention: Mention;
  /** Only comparable with scores of other towns for the same address. */
  readonly score: number;
  /**
   * What speaks for the town besides its name: 2 for each country or region that is named and contains it; 1 for each
   * of its province's seat, a postcode beside it, the form of a postcode, and a street or number elsewhere.
   */
  readonly evidence: number;
}

const wordCount = (address: Address): number =>
  address.runs.reduce((count, run) => count + (run.boundary > 0 ? 0 : run.tokens.length), 0);

/** A phrase with a street word is a town after a postcode, with its country, or when it is alone (`Ronda`). */
function isTownInSpiteOfStreet({ mention, town, evidence }: Choice, address: Address): boolean {
  if (mention.words > 2 || mention.digitsBefore >= 4) return true;
  if (mention.digitsBefore > 0) return false;
  const alone = address.parts === 1 && mention.words === 1 && mention.digitsAfter === 0;
  return evidence >= 3 || (alone && town.population >= 15_000 && !isCommonWord(mention.phrase));
}

/** True when the phrase is a whole part, without numbers, codes and countries. */
function wholeSuffices(
  { town, mention, evidence }: Choice,
  primary: boolean,
  weak: 'common' | 'short' | null,
  address: Address,
): boolean {
  const { population } = town;
  if (weak === 'short' && population >= 500_000) return true;
  if (weak !== null) return evidence >= 2 || (population >= 100_000 && wordCount(address) <= 2);
  if (evidence >= 1) return true;
  // On its own, any town's main name in GeoNames is an address. An alternate name of a village may be any word.
  return population >= 15_000 || (primary && (address.parts === 1 || mention.twice));
}

/**
 * Whether the evidence for a town is enough. Almost any word is the name of some village. So a name within a sentence,
 * a common word or a very short one needs more evidence than a name that stands alone.
 */
export function suffices(choice: Choice, primary: boolean, address: Address): boolean {
  const { mention, town, evidence } = choice;
  const { population } = town;
  if (mention.street && !isTownInSpiteOfStreet(choice, address)) return false;
  const common = mention.phrase.split(' ').every(isCommonWord);
  // Two letters are a whole name in syllabic scripts and in most other non-Latin scripts.
  const short = mention.phrase.length < (/[^\p{sc=Latin} ]/u.test(mention.phrase) ? 2 : 4);
  const weak = common ? 'common' : short ? 'short' : null;
  switch (mention.fit) {
    case 'whole':
      return wholeSuffices(choice, primary, weak, address);
    case 'joined':
      return evidence >= 1 || population >= 20_000;
    case 'unit':
      return population >= 50_000 || evidence >= 2;
    case 'suffix':
      if (weak !== null) return evidence >= 3 && population >= 100_000;
      if (evidence >= 2) return population >= 5000;
      return population >= (evidence === 1 ? 300_000 : 1_000_000);
    case 'prefix':
      return weak === null && evidence >= 2 && population >= 100_000;
  }
}

/** The choices with one more, the best first; of equal ones the earlier. Each town stands in it once. */
export function withChoice(choices: readonly Choice[], choice: Choice): readonly Choice[] {
  const same = choices.find(({ town }) => town.rank === choice.town.rank);
  if (same !== undefined && same.score >= choice.score) return choices;
  const others = choices.filter((other) => other !== same);
  const better = others.filter(({ score }) => score >= choice.score);
  return [...better, choice, ...others.slice(better.length)];
}
