/** The queries that a cover's locations are read with. Each names its maps and its index. */

import type { Filter } from 'mongodb';

import type { CellRange } from '../../../domain/filter/cell.ts';
import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import type { Term } from '../../../domain/filter/terms.ts';
import type { IndexedLocation, LocationDocument, TombstoneDocument } from '../documents.ts';
import { coarseRanges } from './coarse-ranges.ts';

export interface LocationQuery {
  readonly filter: Filter<(LocationDocument & Partial<IndexedLocation>) | TombstoneDocument>;
  readonly hint:
    '_id_' | 'locations_by_cell' | 'locations_by_term' | 'locations_by_shape' | 'locations_in_order';
}

/** Ids of one query at most. */
export const MAX_IDS = 1_000;
/** Ranges of cells of one query: each is a branch of the server's plan. */
const MAX_RANGES = 64;

/** All locations of these maps. */
export function queryOfMaps(mapIds: readonly string[]): LocationQuery {
  return { filter: { mapId: oneOf(mapIds), place: { $gt: '' } }, hint: 'locations_in_order' };
}

/** @param cover whose external ids have been looked up: they are among the ids */
export function queriesOf(
  mapIds: readonly string[],
  { ids, cells, terms, presences }: Omit<IndexLookup, 'externalIds'>,
): readonly LocationQuery[] {
  const mapId = oneOf(mapIds);
  return [
    ...chunksOf(ids, MAX_IDS).map((some) => ({ filter: { mapId, _id: oneOf(some) }, hint: '_id_' as const })),
    ...(cells.length === 0 ? [] : [queryOfCells(mapId, cells)]),
    ...(terms.length === 0
      ? []
      : [{ filter: { mapId, terms: someOf(terms) }, hint: 'locations_by_term' as const }]),
    ...(presences.length === 0
      ? []
      : [{ filter: { mapId, shape: oneOf(presences) }, hint: 'locations_by_shape' as const }]),
  ];
}

function queryOfCells(mapId: OneOf, cells: readonly CellRange[]): LocationQuery {
  const [first, ...others] = coarseRanges(cells, MAX_RANGES).map((range) => ({
    cell: { $gte: range.first, $lte: range.last },
  }));
  return {
    filter: { mapId, ...(others.length === 0 ? first : { $or: [first ?? {}, ...others] }) },
    hint: 'locations_by_cell',
  };
}

type OneOf = { readonly $eq: string } | { readonly $in: string[] };

export function oneOf(values: readonly string[]): OneOf {
  const [only] = values;
  return values.length === 1 && only !== undefined ? { $eq: only } : { $in: [...values] };
}

/**
 * Beginnings are regular expressions, of which mongod makes exact bounds. Two comparisons would not do: of an index on an
 * array it takes one bound alone, unless both stand in an `$elemMatch`, and that cannot be an alternative of an `$in`.
 */
function someOf(terms: readonly Term[]) {
  const [only] = terms;
  if (terms.length === 1 && only !== undefined && !only.isPrefix) return { $eq: only.text };
  // No character of a term means anything to a regular expression (terms.ts).
  return { $in: terms.map(({ text, isPrefix }) => (isPrefix ? new RegExp(`^${text}`) : text)) };
}

export function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
