/** What a filter says of where its locations stand in the indexes: a little too much at times, never too little. */

import type { FieldDefinition } from '../map.ts';
import type { CellRange } from './cell.ts';
import { boxOfCircle, mergeRanges, rangesOfBox } from './cell-ranges.ts';
import type { LocationFilter } from './location-filter.ts';
import { boxesOfArea } from './polygon.ts';
import type { PropertyTest } from './property.ts';
import { rangeOf } from './property.ts';
import type { Shape } from './shape.ts';
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
export interface Cover {
  readonly ids: readonly string[];
  readonly externalIds: readonly string[];
  readonly cells: readonly CellRange[];
  readonly terms: readonly Term[];
  /** Ids. */
  readonly shapes: readonly string[];
}

export const NOTHING: Cover = { ids: [], externalIds: [], cells: [], terms: [], shapes: [] };

/**
 * Each cover alone holds all of the filter's locations; a store takes the smallest. Empty where no index helps.
 *
 * @param definitions the fields of the map that is searched
 * @param shapes all that its locations have; null where that is not known
 */
export function coversOf(
  filter: LocationFilter,
  definitions: readonly FieldDefinition[],
  shapes: readonly Shape[] | null = null,
): readonly Cover[] {
  switch (filter.kind) {
    case 'and':
      return filter.filters.flatMap((each) => coversOf(each, definitions, shapes));
    case 'or': {
      const narrowest = filter.filters.map((each) => narrowestOf(coversOf(each, definitions, shapes)));
      return narrowest.includes(null) ? [] : [unionOf(narrowest.filter((cover) => cover !== null))];
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
      if (filter.test.kind === 'exists' && shapes !== null) return coversOfShapes(filter.test, shapes);
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
export function namesAskedOfShapes(filter: LocationFilter): ReadonlySet<string> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return new Set(filter.filters.flatMap((each) => [...namesAskedOfShapes(each)]));
    case 'property':
      return new Set(filter.test.kind === 'exists' ? [filter.test.name] : []);
    default:
      return new Set();
  }
}

type ExistsTest = Extract<PropertyTest, { readonly kind: 'exists' }>;

function coversOfShapes({ name, exists }: ExistsTest, shapes: readonly Shape[]): readonly Cover[] {
  const found = shapes.filter(({ names }) => names.has(name) === exists);
  // What holds the whole map is no help.
  return found.length === shapes.length ? [] : [{ ...NOTHING, shapes: found.map(({ id }) => id) }];
}

/**
 * Whether a location that each of the covers finds passes the filter. So it is with words that are not too long for their
 * terms, where all properties are searched: a term does not say which it is of. Of a value, a term holds a hash, which
 * another may share.
 */
export function isExactlyCovered(filter: LocationFilter): boolean {
  if (filter.kind === 'and') return filter.filters.length > 0 && filter.filters.every(isExactlyCovered);
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
function narrowestOf(covers: readonly Cover[]): Cover | null {
  return covers.toSorted((a, b) => widthOf(a) - widthOf(b))[0] ?? null;
}

/** A guess at how many locations a cover finds, for want of an index to ask. */
export function widthOf({ ids, externalIds, cells, terms, shapes }: Cover): number {
  const inCells = cells.reduce((sum, { first, last }) => sum + (last - first + 1) / 2 ** 32, 0);
  const ofTerms = terms.reduce((sum, term) => sum + widthOfTerm(term), 0);
  return ids.length + externalIds.length + inCells + ofTerms + shapes.length * WIDTH_OF_SHAPE;
}

const WIDTH_OF_SHAPE = 1_000;

/** A longer beginning is shared by fewer. */
function widthOfTerm({ text, isPrefix }: Term): number {
  return isPrefix ? 1e6 / 4 ** (text.length - (text.startsWith('v') ? FIELD_LENGTH : 1)) : 10;
}

function unionOf(covers: readonly Cover[]): Cover {
  return {
    ids: covers.flatMap(({ ids }) => ids),
    externalIds: covers.flatMap(({ externalIds }) => externalIds),
    cells: mergeRanges(covers.flatMap(({ cells }) => cells)),
    terms: covers.flatMap(({ terms }) => terms),
    shapes: [...new Set(covers.flatMap(({ shapes }) => shapes))],
  };
}
