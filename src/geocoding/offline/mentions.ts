import type { Run, Token } from './address.ts';
import type { Gazetteer, Named, PlaceName, TownName } from './gazetteer.ts';
import { isDivision, isNoise } from './street-words.ts';

/**
 * How a phrase lies in its run: the whole run, the words up to a hyphen, its end, its beginning, or a unit of a script
 * without spaces.
 */
export type Fit = 'whole' | 'joined' | 'suffix' | 'prefix' | 'unit';

/** A phrase of the address that names a town. */
export interface Mention {
  readonly phrase: string;
  readonly words: number;
  readonly part: number;
  /** Index of its first word, and the index after its last. */
  readonly start: number;
  readonly end: number;
  readonly fit: Fit;
  /** The base of its score. */
  readonly quality: number;
  readonly named: Named;
  readonly digitsBefore: number;
  readonly digitsAfter: number;
  /** True when it is read as a town although it contains a street word. */
  readonly street: boolean;
}

/** A phrase that names a country or region, and so limits which towns are possible. */
export interface Constraint {
  readonly part: number;
  readonly start: number;
  readonly end: number;
  readonly options: readonly PlaceName[];
  readonly country: boolean;
  /** Towns that the phrase also names: a province is often named after its seat. */
  readonly towns: readonly TownName[];
  /** True when it is the whole run. */
  readonly whole: boolean;
  /** Digits of the number just after it. A postcode there belongs to the town before it. */
  readonly digitsAfter: number;
}

/** Looks up phrases, each once. */
export type Lookup = (phrase: string) => Named;

export function memoisedLookup(gazetteer: Gazetteer): Lookup {
  const memo = new Map<string, Named>();
  return (phrase) => {
    let named = memo.get(phrase);
    if (named === undefined) memo.set(phrase, (named = gazetteer.lookup(phrase)));
    return named;
  };
}

const MAXIMUM_WORDS = 7;
const QUALITY: Readonly<Record<Exclude<Fit, 'unit'>, number>> = {
  whole: 6,
  joined: 4.5,
  suffix: 2,
  prefix: 1,
};

const textOf = (tokens: readonly Token[]): string => tokens.map((token) => token.text).join(' ');

function constraintAt(run: Run, start: number, end: number, lookup: Lookup): Constraint | null {
  const tokens = run.tokens.slice(start, end);
  const named = lookup(textOf(tokens));
  const options = [...named.countries, ...named.regions];
  const first = tokens[0];
  const last = tokens.at(-1);
  if (options.length === 0 || first === undefined || last === undefined) return null;
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

/** The countries and regions at the end of a run, as `TX USA` in `Paris TX USA`, and where the rest of the run ends. */
function trailingConstraints(run: Run, lookup: Lookup): { constraints: Constraint[]; end: number } {
  const constraints: Constraint[] = [];
  let end = run.tokens.length;
  const skipNoise = (): void => {
    while (end > 1 && isNoise(run.tokens[end - 1]?.text ?? '')) end -= 1;
  };
  skipNoise();
  // Letters before digits belong to a postcode (`VLT 1117`), unless they are a state's code (`IL 62701`).
  const lettersOfPostcode = run.digitsAfter >= 4 && end > 1 && (run.tokens[end - 1]?.text.length ?? 0) <= 3;
  if (lettersOfPostcode && constraintAt(run, end - 1, end, lookup) === null) end -= 1;
  while (constraints.length < 3 && end > 0) {
    let found: Constraint | null = null;
    for (let words = Math.min(MAXIMUM_WORDS, end); words > 0 && found === null; words -= 1) {
      found = constraintAt(run, end - words, end, lookup);
      if (found !== null) end -= words;
    }
    if (found === null) break;
    // Of two codes in a row, the first is not a code of a country or region.
    const code = found.options.every((option) => option.code);
    if (code && constraints.some((other) => other.options.every((option) => option.code))) break;
    constraints.push(found);
    skipNoise();
  }
  return { constraints, end };
}

function wholeConstraint(run: Run, lookup: Lookup): Constraint[] {
  const constraint = constraintAt(run, 0, run.tokens.length, lookup);
  return constraint === null ? [] : [constraint];
}

function mentionAt(
  run: Run,
  start: number,
  end: number,
  fit: Exclude<Fit, 'unit'>,
  lookup: Lookup,
): Mention[] {
  const tokens = run.tokens.slice(start, end);
  const first = tokens[0];
  const last = tokens.at(-1);
  if (first === undefined || last === undefined || tokens.length > MAXIMUM_WORDS) return [];
  const phrase = textOf(tokens);
  const named = lookup(phrase);
  if (named.towns.length === 0) return [];
  return [
    {
      phrase,
      words: tokens.length,
      part: run.part,
      start: first.wordIndex,
      end: last.wordIndex + 1,
      fit,
      quality:
        QUALITY[fit] -
        (fit === 'whole' ? 0 : 0.2 * (run.tokens.length - tokens.length)) +
        (run.combined ? 2 : 0),
      named,
      digitsBefore: start === 0 ? run.digitsBefore : 0,
      digitsAfter: end === run.tokens.length ? run.digitsAfter : 0,
      street: run.street,
    },
  ];
}

/** `Berlin-Mitte` and `Wien-Favoriten`: the words before a hyphen, when only hyphens follow. */
function joinedMention(run: Run, start: number, end: number, lookup: Lookup): Mention[] {
  let cut = end;
  while (cut > start && run.tokens[cut - 1]?.joined === true) cut -= 1;
  return cut > start && cut < end ? mentionAt(run, start, cut, 'joined', lookup) : [];
}

export interface Findings {
  readonly mentions: Mention[];
  readonly constraints: Constraint[];
}

/** What a run names, in a script with spaces. */
export function findInRun(run: Run, lookup: Lookup): Findings {
  const length = run.tokens.length;
  const mentions = mentionAt(run, 0, length, 'whole', lookup);
  if (run.street || run.combined) return { mentions, constraints: [] };
  // When the whole run is a town's name, its end is neither a code (`Santa Fe`: FE is Ferrara) nor a country (`Santiago
  // de Cuba`).
  const { constraints, end } =
    mentions.length > 0
      ? { constraints: wholeConstraint(run, lookup), end: length }
      : trailingConstraints(run, lookup);
  let start = 0;
  while (start < end - 1 && isNoise(run.tokens[start]?.text ?? '')) start += 1;
  const core = (from: number, to: number): boolean => from !== 0 || to !== length;
  if (start < end && core(start, end)) mentions.push(...mentionAt(run, start, end, 'whole', lookup));
  if (start < end) mentions.push(...joinedMention(run, start, end, lookup));
  if (mentions.length === 0) mentions.push(...divisionMention(run, start, end, lookup));
  for (let words = Math.min(MAXIMUM_WORDS, end - start - 1); words > 0; words -= 1) {
    mentions.push(...mentionAt(run, end - words, end, 'suffix', lookup));
    mentions.push(...mentionAt(run, start, start + words, 'prefix', lookup));
  }
  const coreEnd = (run.tokens[end - 1]?.wordIndex ?? -1) + 1;
  // `Museum of Wales` limits nothing: after other words, a country counts only when a town's name comes just before it.
  const sound = constraints.filter(
    (constraint) =>
      constraint.whole ||
      start >= end ||
      mentions.some((mention) => mention.end === coreEnd && mention.fit !== 'prefix'),
  );
  return { mentions, constraints: sound };
}

/** `Cairo Governorate`: the town that the division is named after, when nothing better is found. */
function divisionMention(run: Run, start: number, end: number, lookup: Lookup): Mention[] {
  const words = run.tokens.slice(start, end).map((token) => token.text);
  if (!isDivision(words)) return [];
  const found = [
    ...mentionAt(run, start, end - 1, 'whole', lookup),
    ...mentionAt(run, start + 1, end, 'whole', lookup),
  ];
  return found.slice(0, 1).map((mention) => ({ ...mention, quality: 3 }));
}
