/** Candidates: locations that the search indexes cannot rule out. */

import type { LocationOrder } from '../../../domain/filter/location-order.ts';
import type { LocationSearch } from '../../../domain/filter/location-search.ts';
import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import { MAX_PRESENCES } from '../../../domain/filter/property-presence.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import type { LocationTemplate } from '../../../domain/location-template.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { Reader } from '../engine/statements.ts';
import { pageClauses, sequenceClauses } from '../locations/list.ts';
import type { Candidate } from './projection.ts';
import { readCandidates } from './projection.ts';
import { AT_NUMBERS } from './hit-rows.ts';
import { groupsInOrder } from './geocoding-groups.ts';
import { countWithin, numbersWithin } from './index-lookups.ts';
import { readPresences } from './search-index.ts';
import { isPointLookup, numbersNearby, pointsWithin } from './points.ts';
import type { Rendering, SearchedMapRow } from './searched-map.ts';
import { readSearchedMap } from './searched-map.ts';
import type { ResumableScan } from '../threads/long-reads.ts';
import { runToCompletion } from '../threads/long-reads.ts';

export type CountSearch = Omit<LocationSearch, 'order'>;

/**
 * Locations that an inline search, within one turn of the event loop, may read. Each takes about 10 µs. More than a
 * page of the size WALK_PAGE (../../search.ts) and the location after it.
 */
export const MAX_INLINE_LOCATIONS = 250;
export const MAX_INLINE_MAPS = 10;
/** A map of this size is read whole: an index lookup costs more than it saves. */
const TINY_MAP = 20;

export const WHOLE_LIST = { after: null, before: null, fromEnd: false };

/**
 * Reads the candidates of a search with a few statements, map by map.
 *
 * @returns false where there may be too many; discard what `onCandidates` received
 */
export function readFewCandidates(
  reader: Reader,
  {
    maps,
    filter,
    order,
    rendering,
  }: CountSearch & { order?: LocationOrder; rendering?: Rendering | undefined },
  onCandidates: (map: SearchedMapRow, few: FewCandidates) => void,
): boolean {
  if (maps.length > MAX_INLINE_MAPS) return false;
  let left = MAX_INLINE_LOCATIONS;
  for (const each of maps) {
    const map = readSearchedMap(reader, each, filter, { order: order ?? null, rendering });
    if (map === null) continue;
    const few = fewOfMap(reader, map, left);
    if (few === null) return false;
    left -= few.candidates.length;
    onCandidates(map, few);
  }
  return true;
}

function fewOfMap(reader: Reader, map: SearchedMapRow, limit: number): FewCandidates | null {
  const { count, areMatches } = map.list;
  const few = count <= TINY_MAP ? null : fewCandidates(reader, map, limit);
  if (few !== null) return few;
  if (count > limit) return null;
  return { candidates: listedCandidates(reader, map, { ...WHOLE_LIST, limit }), areMatches };
}

/**
 * A page of the part of a map that may match, in its order; from the end in descending order. All of them match where the map's
 * `list` says so.
 *
 * @param template also renders them
 */
export function listedCandidates(
  reader: Reader,
  { number, list, order, projection, projectionOfMatches }: SearchedMapRow,
  page: PageRequest<SortKey>,
  template: LocationTemplate | null = null,
): readonly Candidate[] {
  const read = { ...(list.areMatches ? projectionOfMatches : projection), template };
  if (list.groups === null) {
    const { clauses, values } =
      order === 'list' ? pageClauses(number, page) : sequenceClauses(reader, number, page);
    return readCandidates(reader, read, `locations ${clauses}`, ...values);
  }
  if (list.groups.length === 0) return [];
  const { sql, values } = groupsInOrder(number, list.groups, page);
  return readCandidates(reader, read, `(${sql}) CROSS JOIN locations ON number = at_number`, ...values);
}

/** Index entries to read before giving up. */
const MAX_INLINE_ENTRIES = 600;
/** With so few candidates, another index lookup costs more than it saves. */
const FEW_ENOUGH = 50;

/** Presences to read on the event loop. Each takes about 40 µs. */
const FEW_PRESENCES = 20;
/**
 * Reading a presence takes as long as five locations. Maps with less than twice that many per presence are scanned
 * instead.
 */
const LOCATIONS_OF_A_PRESENCE = 10;

interface FewCandidates {
  readonly candidates: readonly Candidate[];
  /** Whether all of them are known to match the filter. */
  readonly areMatches: boolean;
}

/** Null where the indexes hold too many entries, or there are more than `limit` candidates. */
function fewCandidates(reader: Reader, map: SearchedMapRow, limit: number): FewCandidates | null {
  const few = fewWithin(reader, map, map.lookups, limit);
  if (few !== null || map.presenceNames.size === 0) return few;
  const presences = runToCompletion(readPresences(reader, map, FEW_PRESENCES));
  return presences === null ? null : fewWithin(reader, map, map.lookupsWith(presences), limit);
}

function fewWithin(
  reader: Reader,
  map: SearchedMapRow,
  lookups: readonly IndexLookup[],
  limit: number,
): FewCandidates | null {
  for (const lookup of lookups) {
    if (!isPointLookup(map, lookup)) continue;
    const rendering = renderedWithin(reader, map, lookup, limit);
    if (rendering !== null) return rendering;
    const points = pointsWithin(reader, map, lookup, MAX_INLINE_ENTRIES);
    if (points !== null) return points.length > limit ? null : { candidates: points, areMatches: true };
  }
  const { numbers, areOfAll } = fewNumbers(reader, map, lookups);
  if (numbers === null || numbers.length > limit) return null;
  const areMatches = map.isExact && areOfAll;
  return { candidates: candidatesOf(reader, map, numbers, areMatches), areMatches };
}

/** Candidates that fit a page are read once, for matching and for display. */
function renderedWithin(
  reader: Reader,
  map: SearchedMapRow,
  lookup: IndexLookup,
  limit: number,
): FewCandidates | null {
  const max = Math.min(map.rendering?.max ?? 0, limit);
  const nearby = max <= 0 ? null : numbersNearby(reader, map, lookup, max);
  if (nearby === null) return null;
  const { numbers, areMatches } = nearby;
  return { candidates: candidatesOf(reader, map, numbers, areMatches), areMatches };
}

/** Intersects the results of one or more lookups. */
function fewNumbers(reader: Reader, map: SearchedMapRow, lookups: readonly IndexLookup[]) {
  let few: readonly number[] | null = null;
  let presenceNames = 0;
  for (const lookup of lookups) {
    const numbers = numbersWithin(reader, map, lookup, MAX_INLINE_ENTRIES);
    if (numbers === null) continue;
    presenceNames += 1;
    few = few === null ? [...numbers] : few.filter((number) => numbers.has(number));
    // Reading all lookups of an exact filter proves that the candidates match.
    if (few.length <= FEW_ENOUGH && !map.isExact) break;
  }
  return { numbers: few, areOfAll: presenceNames === lookups.length };
}

/**
 * In the given order.
 *
 * @param areMatches whether they are known to match the filter
 */
export function candidatesOf(
  reader: Reader,
  { projection, projectionOfMatches, rendering }: SearchedMapRow,
  numbers: readonly number[],
  areMatches: boolean,
): readonly Candidate[] {
  const isShown = rendering !== null && numbers.length <= rendering.max;
  return readCandidates(
    reader,
    { ...(areMatches ? projectionOfMatches : projection), template: isShown ? rendering.template : null },
    AT_NUMBERS,
    JSON.stringify(numbers),
  );
}

export interface Choice {
  /** The narrowest first. */
  readonly lookups: readonly [IndexLookup, ...IndexLookup[]];
  /** Index entries of the narrowest lookup. */
  readonly width: number;
}

/** Lookups wider than this many times the narrowest cost more than they save. */
const MAX_WIDTH_RATIO = 8;

/** Chooses among the lookups of a filter. Repeated calls resume with a higher limit. */
export class LookupChooser {
  readonly #reader: Reader;
  readonly #map: SearchedMapRow;
  #lookups: readonly IndexLookup[];
  /** Grows step by step, so that counting goes as far as the narrowest lookup needs. */
  #limit = MAX_INLINE_ENTRIES;

  constructor(reader: Reader, map: SearchedMapRow) {
    this.#reader = reader;
    this.#map = map;
    this.#lookups = map.lookups;
  }

  /**
   * Null where no index helps, or scanning the map is as cheap.
   *
   * @param most entries to count per lookup; null where all have more
   */
  *choose(max = Infinity): ResumableScan<Choice | null> {
    const [reader, map] = [this.#reader, this.#map];
    const { count } = map.list;
    if (count <= FEW_ENOUGH) return null;
    for (let isEnough = false; !isEnough;) {
      const limit = this.#limit;
      this.#limit *= MAX_WIDTH_RATIO;
      let counted = yield* countedWithin(reader, map, this.#lookups, limit);
      if (counted.length === 0 && limit === MAX_INLINE_ENTRIES && map.presenceNames.size > 0) {
        const presences = yield* readPresences(
          reader,
          map,
          Math.min(MAX_PRESENCES, count / LOCATIONS_OF_A_PRESENCE),
        );
        if (presences !== null) this.#lookups = map.lookupsWith(presences);
        counted = yield* countedWithin(reader, map, this.#lookups, limit);
      }
      const [narrowest, ...others] = counted.sort((a, b) => a.width - b.width);
      if (narrowest !== undefined) {
        const { lookup, width } = narrowest;
        const further = others
          .filter((each) => each.width <= MAX_WIDTH_RATIO * width)
          .map((each) => each.lookup);
        return { lookups: [lookup, ...further], width };
      }
      isEnough = this.#lookups.length === 0 || limit >= Math.min(max, count);
    }
    return null;
  }
}

interface Counted {
  readonly lookup: IndexLookup;
  readonly width: number;
}

/** Lookups with no more entries than `limit`, nor than the map has locations. */
function* countedWithin(
  reader: Reader,
  map: SearchedMapRow,
  lookups: readonly IndexLookup[],
  limit: number,
): ResumableScan<Counted[]> {
  const counted: Counted[] = [];
  for (const lookup of lookups) {
    const width = countWithin(reader, map, lookup, Math.min(limit, map.list.count));
    if (width !== null) counted.push({ lookup, width });
    yield;
  }
  return counted;
}
