/** The queries of an index lookup. Each has its maps and its index. */

import type { Filter } from 'mongodb';

import type { CellRange } from '../../../domain/filter/cell.ts';
import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import type { Term } from '../../../domain/filter/terms.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import { rangeOf } from '../locations/list.ts';
import type { StoredLocation } from '../locations/location-records.ts';

export interface LocationQuery {
  readonly filter: Filter<StoredLocation>;
  readonly hint:
    | '_id_'
    | 'locations_by_cell'
    | 'locations_by_geocoding'
    | 'locations_by_sequence'
    | 'locations_by_shape'
    | 'locations_by_term'
    | 'locations_in_order';
}

/** Ids per query. */
export const MAX_IDS = 1_000;
/** Cell ranges per query: each is a branch of the server's plan. */
const MAX_RANGES = 64;

/** All locations of these maps. */
export function queryOfMaps(mapIds: readonly string[]): LocationQuery {
  return { filter: { mapId: oneOf(mapIds), place: { $gt: '' } }, hint: 'locations_in_order' };
}

/** A range of a map's list, or of a part of it. */
export function queryOfList(
  mapId: string,
  range: Pick<PageRequest<SortKey>, 'after' | 'before'>,
  part: LocationQuery['filter'] | null,
): LocationQuery {
  return part === null
    ? { filter: rangeOf(mapId, range), hint: 'locations_in_order' }
    : { filter: { ...rangeOf(mapId, range), ...part }, hint: 'locations_by_geocoding' };
}

/** A range of a map's sequence numbers. */
export function queryOfSequences(
  mapId: string,
  { after, before }: Pick<PageRequest<SortKey>, 'after' | 'before'>,
): LocationQuery {
  const sequence = {
    $gt: after?.sequence ?? 0,
    ...(before === null ? {} : { $lt: before.sequence }),
  };
  return { filter: { mapId: { $eq: mapId }, sequence }, hint: 'locations_by_sequence' };
}

/** External ids must have been resolved to ids. */
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
 * A prefix is an anchored regular expression, for which mongod derives exact bounds. Two comparisons are no alternative: on
 * an array's index mongod uses only one of them, except in `$elemMatch`, which cannot be an element of `$in`.
 */
function someOf(terms: readonly Term[]) {
  const [only] = terms;
  if (terms.length === 1 && only !== undefined && !only.isPrefix) return { $eq: only.text };
  // Terms have no special characters of regular expressions (domain/filter/terms.ts).
  return { $in: terms.map(({ text, isPrefix }) => (isPrefix ? new RegExp(`^${text}`) : text)) };
}

export function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/**
 * Merges ranges across the smallest gaps until there are at most `limit`.
 *
 * @param ranges ascending, disjoint
 */
export function coarseRanges(ranges: readonly CellRange[], limit: number): readonly CellRange[] {
  if (ranges.length <= limit) return ranges;
  const gaps = ranges.slice(1).map(({ first }, index) => ({
    index: index + 1,
    cells: first - (ranges[index]?.last ?? 0),
  }));
  const kept = gaps
    .sort((a, b) => b.cells - a.cells)
    .slice(0, limit - 1)
    .map(({ index }) => index)
    .sort((a, b) => a - b);
  const starts = [0, ...kept];
  return starts.map((start, index) => ({
    first: ranges[start]?.first ?? 0,
    last: ranges[(starts[index + 1] ?? ranges.length) - 1]?.last ?? 0,
  }));
}
