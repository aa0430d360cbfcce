/** Derives index lookups from a filter. They may find too many locations, never too few. */

import type { FieldDefinition } from '../map.ts';
import type { CellRange } from './cell.ts';
import { boxOfCircle, mergeRanges, rangesOfBox } from './cell-ranges.ts';
import type { LocationFilter } from './location-filter.ts';
import { boxesOfArea } from './polygon.ts';
import type { PropertyTest } from './property.ts';
import { rangeOf } from './property.ts';
import type { PropertyPresence } from './property-presence.ts';
import type { Term } from './terms.ts';
import {
  FIELD_LENGTH,
  isWholeInTerm,
  termOfField,
  termOfPrefix,
  termOfValue,
  termOfWord,
  termsOfInstants,
  termsOfNumbers,
  termsOfStrings,
} from './terms.ts';

/** At least one of these finds each matching location. If the list is empty, nothing matches. */
export interface IndexLookup {
  readonly ids: readonly string[];
  readonly externalIds: readonly string[];
  readonly cells: readonly CellRange[];
  readonly terms: readonly Term[];
  /** Ids. */
  readonly presences: readonly string[];
}

export const NOTHING: IndexLookup = { ids: [], externalIds: [], cells: [], terms: [], presences: [] };

/**
 * Each lookup alone covers all locations of the filter; a store uses the smallest. Empty if no index helps.
 *
 * @param definitions the fields of the searched map
 * @param shapes all shapes of the map's locations; null if unknown
 */
export function lookupsOf(
  filter: LocationFilter,
  definitions: readonly FieldDefinition[],
  presences: readonly PropertyPresence[] | null = null,
): readonly IndexLookup[] {
  switch (filter.kind) {
    case 'and':
      return filter.filters.flatMap((each) => lookupsOf(each, definitions, presences));
    case 'or': {
      const narrowest = filter.filters.map((each) => narrowestOf(lookupsOf(each, definitions, presences)));
      return narrowest.includes(null) ? [] : [unionOf(narrowest.filter((lookup) => lookup !== null))];
    }
    case 'bbox':
      return [{ ...NOTHING, cells: rangesOfBox(filter.box) }];
    case 'near':
      return [{ ...NOTHING, cells: rangesOfBox(boxOfCircle(filter.circle)) }];
    case 'area':
      return [{ ...NOTHING, cells: mergeRanges(boxesOfArea(filter.area).flatMap(rangesOfBox)) }];
    case 'search':
      return filter.query.map((run) => ({ ...NOTHING, terms: [termOfWord(run)] }));
    case 'property': {
      if (filter.test.kind === 'exists' && presences !== null)
        return lookupsOfPresences(filter.test, presences);
      const terms = termsOfTest(filter.test, definitions);
      return terms === null ? [] : [{ ...NOTHING, terms }];
    }
    case 'ids':
      return [{ ...NOTHING, ids: [...filter.ids] }];
    case 'externalIds':
      return [{ ...NOTHING, externalIds: [...filter.ids] }];
    case 'not':
    case 'createdAt':
    case 'updatedAt':
    case 'geocoding':
      return [];
  }
}

/** Names of properties that shapes can look up and terms cannot. */
export function namesNeedingPresence(filter: LocationFilter): ReadonlySet<string> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return new Set(filter.filters.flatMap((each) => [...namesNeedingPresence(each)]));
    case 'property':
      return new Set(filter.test.kind === 'exists' ? [filter.test.name] : []);
    default:
      return new Set();
  }
}

type ExistsTest = Extract<PropertyTest, { readonly kind: 'exists' }>;

function lookupsOfPresences(
  { name, exists }: ExistsTest,
  presences: readonly PropertyPresence[],
): readonly IndexLookup[] {
  const found = presences.filter(({ names }) => names.has(name) === exists);
  // A lookup of the whole map is no help.
  return found.length === presences.length ? [] : [{ ...NOTHING, presences: found.map(({ id }) => id) }];
}

/**
 * Whether everything that all lookups find matches the filter. True for words that fit into their terms, if all properties
 * are searched, since terms do not name the property. Not for values, whose hashes may collide.
 */
export function isExactLookup(filter: LocationFilter): boolean {
  if (filter.kind === 'and') return filter.filters.length > 0 && filter.filters.every(isExactLookup);
  return filter.kind === 'search' && filter.names === undefined && filter.query.every(isWholeInTerm);
}

/** Null if no index helps. */
function termsOfTest(test: PropertyTest, definitions: readonly FieldDefinition[]): readonly Term[] | null {
  switch (test.kind) {
    case 'oneOf':
      return test.values.map((value) => termOfValue(test.name, value));
    case 'prefix':
      return [termOfPrefix(test.name, test.prefix)];
    case 'exists':
      return test.exists ? [termOfField(test.name)] : null;
    case 'openAt':
      return [termOfField(test.name)];
    case 'range': {
      const range = rangeOf(test, definitions);
      if (range === null) return [];
      switch (range.kind) {
        case 'numbers':
          return termsOfNumbers(test.name, range);
        case 'strings':
          return termsOfStrings(test.name, range);
        case 'instants':
          return termsOfInstants(test.name, range);
      }
    }
  }
}

/** Null if there is none. */
function narrowestOf(lookups: readonly IndexLookup[]): IndexLookup | null {
  return lookups.toSorted((a, b) => widthOf(a) - widthOf(b))[0] ?? null;
}

/** Estimates how many locations a lookup finds, without asking an index. */
export function widthOf({ ids, externalIds, cells, terms, presences }: IndexLookup): number {
  const inCells = cells.reduce((sum, { first, last }) => sum + (last - first + 1) / 2 ** 32, 0);
  const ofTerms = terms.reduce((sum, term) => sum + widthOfTerm(term), 0);
  return ids.length + externalIds.length + inCells + ofTerms + presences.length * WIDTH_OF_PRESENCE;
}

const WIDTH_OF_PRESENCE = 1_000;

/** Longer prefixes are shared by fewer locations. */
function widthOfTerm({ text, isPrefix }: Term): number {
  return isPrefix ? 1e6 / 4 ** (text.length - (text.startsWith('v') ? FIELD_LENGTH : 1)) : 10;
}

function unionOf(lookups: readonly IndexLookup[]): IndexLookup {
  return {
    ids: lookups.flatMap(({ ids }) => ids),
    externalIds: lookups.flatMap(({ externalIds }) => externalIds),
    cells: mergeRanges(lookups.flatMap(({ cells }) => cells)),
    terms: lookups.flatMap(({ terms }) => terms),
    presences: [...new Set(lookups.flatMap(({ presences }) => presences))],
  };
}
