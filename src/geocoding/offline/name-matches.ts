/** Finds the towns, countries and regions that a run of words names. */

import type { Run } from './address.ts';
import type { AreaName, TownName } from './gazetteer.ts';
import { MAXIMUM_WORDS, nameMatchAt, phraseOf } from './name-match.ts';
import type { Lookup, NameMatch } from './name-match.ts';
import { isDirection, isDivision, isNoise, streetWordOf } from './street-words.ts';
import { hyphenatedMatch, translatedMatch } from './translations.ts';

/** A phrase that names a country or region, and so limits the possible towns. */
export interface Constraint {
  readonly part: number;
  readonly start: number;
  readonly end: number;
  readonly options: readonly AreaName[];
  readonly country: boolean;
  /** Towns of the same name: a province is often named after its seat. */
  readonly towns: readonly TownName[];
  /** True if it is the whole run. */
  readonly whole: boolean;
  /** Digits of the number just after it. A postcode there is that of the town before it. */
  readonly digitsAfter: number;
}

function constraintAt(run: Run, start: number, end: number, lookup: Lookup): Constraint | null {
  const named = lookup(phraseOf(run, start, end));
  if (named.countries.length + named.regions.length === 0) return null;
  const options = [...named.countries, ...named.regions];
  const first = run.tokens[start];
  const last = run.tokens[end - 1];
  if (first === undefined || last === undefined) return null;
  return {
    part: run.part,
    start: first.wordIndex,
    end: last.wordIndex + 1,
    options,
    country: options.some((option) => option.admin1 === 0 && !option.code),
    towns: named.towns,
    whole: start === 0 && end === run.tokens.length,
    digitsAfter: end === run.tokens.length ? run.digitsAfter : 0,
  };
}

interface Trailing {
  /** `TX` and `USA` in `Paris TX USA`. */
  readonly constraints: Constraint[];
  /** End of the rest of the run. */
  readonly end: number;
  /** Regions before a region that may instead be the town: `New York` in `Broadway New York NY`. */
  readonly namesakes: NameMatch[];
}

/** The countries and regions at the end of a run. */
function trailingConstraints(run: Run, lookup: Lookup): Trailing {
  const constraints: Constraint[] = [];
  const namesakes: NameMatch[] = [];
  let end = run.tokens.length;
  const skipNoise = (): void => {
    while (end > 1 && isNoise(run.tokens[end - 1]?.text ?? '')) end -= 1;
  };
  // `CO` and `CT` are noise (`c/o`), except as the last word of several.
  const last = run.tokens[end - 1]?.text ?? '';
  if (isNoise(last) && lookup(last).regions.length === 0) skipNoise();
  // Letters before digits are part of a postcode (`VLT 1117`), unless they are a state's code (`IL 62701`).
  const lettersOfPostcode = run.digitsAfter >= 4 && end > 1 && (run.tokens[end - 1]?.text.length ?? 0) <= 3;
  if (lettersOfPostcode && constraintAt(run, end - 1, end, lookup) === null) end -= 1;
  while (constraints.length < 3 && end > 0) {
    let words = Math.min(MAXIMUM_WORDS, end);
    let found = constraintAt(run, end - words, end, lookup);
    while (found === null && words > 1) {
      words -= 1;
      found = constraintAt(run, end - words, end, lookup);
    }
    if (found === null) break;
    end -= words;
    // Of two codes in a row, only the last is a code of a country or region.
    const code = found.options.every((option) => option.code);
    if (code && constraints.some((other) => other.options.every((option) => option.code))) break;
    if (constraints.length > 0) namesakes.push(...nameMatchAt(run, end, end + words, 'suffix', lookup));
    constraints.push(found);
    const tail = end;
    skipNoise();
    // The rest is a town, even if it ends in the name of a region: `Victoria BC`, `Kansas City MO`.
    const town = [tail, end].find((cut) => cut > 0 && lookup(phraseOf(run, 0, cut)).towns.length > 0);
    if (town !== undefined) return { constraints, end: town, namesakes };
  }
  return { constraints, end, namesakes };
}

function wholeConstraint(run: Run, lookup: Lookup): Constraint[] {
  const constraint = constraintAt(run, 0, run.tokens.length, lookup);
  return constraint === null ? [] : [constraint];
}

/** Matches in a run of two parts: one town in two languages, or a town whose name spans both parts. */
function matchesAcross(run: Run, lookup: Lookup): NameMatch[] {
  const { length } = run.tokens;
  const translated = run.street ? [] : translatedMatch(run, 0, run.boundary, length, lookup);
  return translated.length > 0 || !run.spans ? translated : nameMatchAt(run, 0, length, 'whole', lookup);
}

/** The words before hyphens: `Berlin` in `Berlin-Mitte`. */
function joinedMatch(run: Run, start: number, end: number, lookup: Lookup): NameMatch[] {
  let cut = end;
  while (cut > start && run.tokens[cut - 1]?.joined === true) cut -= 1;
  return cut > start && cut < end ? nameMatchAt(run, start, cut, 'joined', lookup) : [];
}

export interface NameMatches {
  readonly nameMatches: NameMatch[];
  readonly constraints: Constraint[];
}

/** The district as a separate town, if GeoNames has it: `Budapest XIII. kerület`. */
function districtMatch(run: Run, lookup: Lookup): NameMatch[] {
  if (run.district.length === 0) return [];
  const tokens = [...run.tokens, ...run.district];
  return nameMatchAt({ ...run, tokens }, 0, tokens.length, 'whole', lookup);
}

const LONGEST_CODE = 3;

/** A town with a street word in its name, before its region: `Port St Lucie FL`, `Key Largo FL`. */
function townBeforeRegion(run: Run, lookup: Lookup): NameMatches {
  const last = run.tokens.at(-1)?.text ?? '';
  // Nearly every address has a street; only one that ends in a code is worth more lookups.
  const word =
    last.length > LONGEST_CODE || streetWordOf(last) !== null || isDirection(last) || isNoise(last);
  if (word || lookup(last).regions.length === 0) return { nameMatches: [], constraints: [] };
  const { constraints, end } = trailingConstraints(run, lookup);
  const nameMatches = constraints.length > 0 && end > 0 ? nameMatchAt(run, 0, end, 'whole', lookup) : [];
  return { nameMatches, constraints: nameMatches.length > 0 ? constraints : [] };
}

/** The names in a run of a script with spaces. */
export function findInRun(run: Run, lookup: Lookup): NameMatches {
  const length = run.tokens.length;
  const district = districtMatch(run, lookup);
  if (district.length > 0) return { nameMatches: district, constraints: [] };
  if (run.boundary > 0) return { nameMatches: matchesAcross(run, lookup), constraints: [] };
  const nameMatches = nameMatchAt(run, 0, length, 'whole', lookup);
  if (run.street)
    return nameMatches.length > 0 ? { nameMatches, constraints: [] } : townBeforeRegion(run, lookup);
  // If the whole run names a town, its end is neither a code (`Santa Fe`: FE is Ferrara) nor a country (`Santiago de
  // Cuba`).
  const { constraints, end, namesakes } =
    nameMatches.length > 0
      ? { constraints: wholeConstraint(run, lookup), end: length, namesakes: [] }
      : trailingConstraints(run, lookup);
  let start = 0;
  while (start < end - 1 && isNoise(run.tokens[start]?.text ?? '')) start += 1;
  const core = (from: number, to: number): boolean => from !== 0 || to !== length;
  // `Ste` is noise (a suite), but also starts `Ste Catherine QC`.
  if (start > 0 && end < length) nameMatches.push(...nameMatchAt(run, 0, end, 'whole', lookup));
  if (start < end && core(start, end)) nameMatches.push(...nameMatchAt(run, start, end, 'whole', lookup));
  if (start < end && nameMatches.length === 0) nameMatches.push(...hyphenatedMatch(run, start, end, lookup));
  if (start < end) nameMatches.push(...joinedMatch(run, start, end, lookup));
  if (nameMatches.length === 0) nameMatches.push(...divisionMatch(run, start, end, lookup));
  // In `Nuevo León`, `León` is no town.
  const region = start < end && lookup(phraseOf(run, start, end)).regions.length > 0;
  for (let words = region ? 0 : Math.min(MAXIMUM_WORDS, end - start - 1); words > 0; words -= 1) {
    nameMatches.push(...nameMatchAt(run, end - words, end, 'suffix', lookup));
    nameMatches.push(...nameMatchAt(run, start, start + words, 'prefix', lookup));
  }
  const coreEnd = (run.tokens[end - 1]?.wordIndex ?? -1) + 1;
  // After other words, a country counts only just after a town's name: `Museum of Wales` limits nothing.
  const relevant = constraints.filter(
    (constraint) =>
      constraint.whole ||
      start >= end ||
      namesakes.some((nameMatch) => nameMatch.end <= constraint.start) ||
      nameMatches.some((nameMatch) => nameMatch.end === coreEnd && nameMatch.fit !== 'prefix'),
  );
  return { nameMatches: [...nameMatches, ...namesakes], constraints: relevant };
}

/** The town that a division is named after, if nothing better is found: `Cairo Governorate`. */
function divisionMatch(run: Run, start: number, end: number, lookup: Lookup): NameMatch[] {
  const words = run.tokens.slice(start, end).map((token) => token.text);
  if (!isDivision(words)) return [];
  const found = [
    ...nameMatchAt(run, start, end - 1, 'whole', lookup),
    ...nameMatchAt(run, start + 1, end, 'whole', lookup),
  ];
  return found.slice(0, 1).map((nameMatch) => ({ ...nameMatch, quality: 3 }));
}
