/** Town names in two languages. */

import type { Run } from './address.ts';
import type { LookupResult, TownName } from './gazetteer.ts';
import { QUALITY, phraseOf } from './name-match.ts';
import type { Lookup, NameMatch } from './name-match.ts';

const MAXIMUM_TRANSLATED_WORDS = 4;

/** The towns that both phrases name; null if there are none. */
function sharedBy(left: LookupResult, right: LookupResult): LookupResult | null {
  const primary = new Map(left.towns.map((town) => [town.rank, town.primary]));
  const towns = right.towns.flatMap((town): TownName[] => {
    const known = primary.get(town.rank);
    return known === undefined ? [] : [{ ...town, primary: known || town.primary }];
  });
  if (towns.length === 0) return null;
  return {
    towns,
    countries: [...left.countries, ...right.countries],
    regions: [...left.regions, ...right.regions],
  };
}

/** A town with a name in one language before `boundary` and in another after it: `Biel/Bienne`, `Bolzano - Bozen`. */
export function translatedMatch(
  run: Run,
  from: number,
  boundary: number,
  to: number,
  lookup: Lookup,
): NameMatch[] {
  for (let start = Math.max(from, boundary - MAXIMUM_TRANSLATED_WORDS); start < boundary; start += 1) {
    const left = phraseOf(run, start, boundary);
    if (lookup(left).towns.length === 0) continue;
    for (let end = Math.min(to, boundary + MAXIMUM_TRANSLATED_WORDS); end > boundary; end -= 1) {
      const right = phraseOf(run, boundary, end);
      const named = left === right ? null : sharedBy(lookup(left), lookup(right));
      if (named === null) continue;
      return [
        {
          phrase: `${left} ${right}`,
          words: end - start,
          part: run.part,
          start: run.tokens[start]?.wordIndex ?? 0,
          end: (run.tokens[end - 1]?.wordIndex ?? 0) + 1,
          fit: 'whole',
          quality: QUALITY.whole + 2,
          named,
          digitsBefore: start === 0 ? run.digitsBefore : 0,
          digitsAfter: end === run.tokens.length ? run.digitsAfter : 0,
          street: false,
          isBilingual: true,
        },
      ];
    }
  }
  return [];
}

/** A name in two languages with a hyphen between them: `Donostia-San Sebastián`. */
export function hyphenatedMatch(run: Run, start: number, end: number, lookup: Lookup): NameMatch[] {
  for (let boundary = start + 1; boundary < end; boundary += 1) {
    if (run.tokens[boundary]?.joined !== true) continue;
    const found = translatedMatch(run, start, boundary, end, lookup);
    if (found.length > 0) return found;
  }
  return [];
}
