/** What a filter says of where its locations stand in the indexes: a little too much at times, never too little. */

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

/** Every location that passes the filter is found by one of these at least. With none at all, none passes. */
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
 * Each cover alone holds all of the filter's locations; a store takes the smallest. Empty where no index helps.
 *
 * @param definitions the fields of the map that is searched
 * @param shapes all that its locations have; null where that is not known
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
      return [];
  }
}

/** The names of the properties of which the shapes of a map say more than its terms do. */
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
  // What holds the whole map is no help.
  return found.length === presences.length ? [] : [{ ...NOTHING, presences: found.map(({ id }) => id) }];
}

/**
 * Whether a location that each of the covers finds passes the filter. So it is with words that are not too long for their
 * terms, where all properties are searched: a term does not say which it is of. Of a value, a term holds a hash, which
 * another may share.
 */
export function isExactLookup(filter: LocationFilter): boolean {
  if (filter.kind === 'and') return filter.filters.length > 0 && filter.filters.every(isExactLookup);
  return filter.kind === 'search' && filter.names === undefined && filter.query.every(isWholeInTerm);
}

/** Null where no index helps. */
function termsOfTest(test: PropertyTest, definitions: readonly FieldDefinition[]): readonly Term[] | null {
  switch (test.kind) {
    case 'oneOf':
      return test.values.map((value) => termOfValue(test.name, value));
    case 'prefix':
      return [termOfPrefix(test.name, test.prefix)];
    case 'exists':
      return test.exists ? [termOfField(test.name)] : null;
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

/** Null where there is none. */
function narrowestOf(lookups: readonly IndexLookup[]): IndexLookup | null {
  return lookups.toSorted((a, b) => widthOf(a) - widthOf(b))[0] ?? null;
}

/** A guess at how many locations a cover finds, for want of an index to ask. */
export function widthOf({ ids, externalIds, cells, terms, presences }: IndexLookup): number {
  const inCells = cells.reduce((sum, { first, last }) => sum + (last - first + 1) / 2 ** 32, 0);
  const ofTerms = terms.reduce((sum, term) => sum + widthOfTerm(term), 0);
  return ids.length + externalIds.length + inCells + ofTerms + presences.length * WIDTH_OF_PRESENCE;
}

const WIDTH_OF_PRESENCE = 1_000;

/** A longer beginning is shared by fewer. */
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
