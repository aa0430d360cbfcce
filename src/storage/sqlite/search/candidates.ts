/** Which locations of a map may pass a filter, by what the indexes hold. */

import type { LocationOrder } from '../../../domain/filter/location-order.ts';
import type { LocationSearch } from '../../../domain/filter/location-search.ts';
import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import { MAX_PRESENCES } from '../../../domain/filter/property-presence.ts';
import type { Reader } from '../engine/statements.ts';
import type { Candidate } from './projection.ts';
import { readCandidates } from './projection.ts';
import { AT_NUMBERS } from './hit-rows.ts';
import { countWithin, numbersWithin } from './index-lookups.ts';
import { readPresences } from './search-index.ts';
import { isOfPoints, numbersNearby, pointsWithin } from './points.ts';
import type { Shown, SearchedMapRow } from './searched-map.ts';
import { readSearchedMap } from './searched-map.ts';
import type { ResumableScan } from '../threads/long-reads.ts';
import { runToCompletion } from '../threads/long-reads.ts';

export type CountSearch = Omit<LocationSearch, 'order'>;

/** Locations that a search may read within one turn of the event loop. Each takes about 10 µs. */
const MAX_INLINE_LOCATIONS = 250;
const MAX_INLINE_MAPS = 10;
/** A map of this size is read as a whole: an index lookup costs more than it saves. */
const TINY_MAP = 20;

/**
 * Reads the candidates of a search with a few statements, map by map.
 *
 * @returns false where there may be too many; then the calls of `onCandidates` so far do not count
 */
export function readFewCandidates(
  reader: Reader,
  { maps, filter, order, shown }: CountSearch & { order?: LocationOrder; shown?: Shown | undefined },
  onCandidates: (map: SearchedMapRow, few: Few) => void,
): boolean {
  if (maps.length > MAX_INLINE_MAPS) return false;
  let left = MAX_INLINE_LOCATIONS;
  for (const each of maps) {
    const map = readSearchedMap(reader, each, filter, { order: order ?? null, shown });
    if (map === null) continue;
    const few = fewOfMap(reader, map, left);
    if (few === null) return false;
    left -= few.candidates.length;
    onCandidates(map, few);
  }
  return true;
}

function fewOfMap(reader: Reader, map: SearchedMapRow, limit: number): Few | null {
  const few = map.count <= TINY_MAP ? null : fewCandidates(reader, map, limit);
  if (few !== null) return few;
  if (map.count > limit) return null;
  const all = readCandidates(reader, map.projection, 'locations WHERE map_number = ?', map.number);
  return { candidates: all, areMatches: false };
}

/** Entries of an index that are read to see whether there are few. */
const MAX_ENTRIES = 600;
/** So few that to look into further indexes costs more than it spares. */
const FEW = 50;

/** Shapes of a map that are read on the event loop. Each takes about 40 µs. */
const FEW_PRESENCES = 20;
/** A shape takes as long as five locations. Where it has less than twice that on average, the map is read instead. */
const LOCATIONS_OF_A_PRESENCE = 10;

interface Few {
  readonly candidates: readonly Candidate[];
  /** Whether the filter lets all of them through. */
  readonly areMatches: boolean;
}

/** What is found in a few statements; null where that would be more than `limit`, or the indexes hold too much for that. */
function fewCandidates(reader: Reader, map: SearchedMapRow, limit: number): Few | null {
  const few = fewWithin(reader, map, map.lookups, limit);
  if (few !== null || map.asked.size === 0) return few;
  const presences = runToCompletion(readPresences(reader, map, FEW_PRESENCES));
  return presences === null ? null : fewWithin(reader, map, map.lookupsWith(presences), limit);
}

function fewWithin(
  reader: Reader,
  map: SearchedMapRow,
  lookups: readonly IndexLookup[],
  limit: number,
): Few | null {
  for (const lookup of lookups) {
    if (!isOfPoints(map, lookup)) continue;
    const shown = shownWithin(reader, map, lookup, limit);
    if (shown !== null) return shown;
    const points = pointsWithin(reader, map, lookup, MAX_ENTRIES);
    if (points !== null) return points.length > limit ? null : { candidates: points, areMatches: true };
  }
  const { numbers, areOfAll } = fewNumbers(reader, map, lookups);
  if (numbers === null || numbers.length > limit) return null;
  const areMatches = map.isExact && areOfAll;
  return { candidates: candidatesOf(reader, map, numbers, areMatches), areMatches };
}

/** What fits a page is read once, to be judged and to be shown. */
function shownWithin(reader: Reader, map: SearchedMapRow, lookup: IndexLookup, limit: number): Few | null {
  const most = Math.min(map.shown?.most ?? 0, limit);
  const nearby = most <= 0 ? null : numbersNearby(reader, map, lookup, most);
  if (nearby === null) return null;
  const { numbers, areMatches } = nearby;
  return { candidates: candidatesOf(reader, map, numbers, areMatches), areMatches };
}

/** By one cover or several; or by all of them. */
function fewNumbers(reader: Reader, map: SearchedMapRow, lookups: readonly IndexLookup[]) {
  let few: readonly number[] | null = null;
  let asked = 0;
  for (const lookup of lookups) {
    const numbers = numbersWithin(reader, map, lookup, MAX_ENTRIES);
    if (numbers === null) continue;
    asked += 1;
    few = few === null ? [...numbers] : few.filter((number) => numbers.has(number));
    // To know that they pass spares to look at them.
    if (few.length <= FEW && !map.isExact) break;
  }
  return { numbers: few, areOfAll: asked === lookups.length };
}

/**
 * In the order given.
 *
 * @param areMatches whether the filter is known to let them through
 */
export function candidatesOf(
  reader: Reader,
  { projection, projectionOfPassed, shown }: SearchedMapRow,
  numbers: readonly number[],
  areMatches: boolean,
): readonly Candidate[] {
  const isShown = shown !== null && numbers.length <= shown.most;
  return readCandidates(
    reader,
    { ...(areMatches ? projectionOfPassed : projection), template: isShown ? shown.template : null },
    AT_NUMBERS,
    JSON.stringify(numbers),
  );
}

export interface Choice {
  /** The narrowest first. */
  readonly lookups: readonly [IndexLookup, ...IndexLookup[]];
  /** Entries that the narrowest of them has in the indexes. */
  readonly width: number;
}

/** A wider cover than this many times the narrowest costs more to read than it spares. */
const WORTH = 8;

/** Chooses among what a map's filter says. To ask for more goes on where it was asked before. */
export class LookupChooser {
  readonly #reader: Reader;
  readonly #map: SearchedMapRow;
  #lookups: readonly IndexLookup[];
  /** Counting goes as far as the narrowest cover needs, and not to the end of the widest. */
  #limit = MAX_ENTRIES;

  constructor(reader: Reader, map: SearchedMapRow) {
    this.#reader = reader;
    this.#map = map;
    this.#lookups = map.lookups;
  }

  /**
   * Null where no index helps, or the map may as well be read as a whole.
   *
   * @param most entries that are counted of each cover; null also where all have more
   */
  *choose(most = Infinity): ResumableScan<Choice | null> {
    const [reader, map] = [this.#reader, this.#map];
    if (map.count <= FEW) return null;
    for (let isEnough = false; !isEnough;) {
      const limit = this.#limit;
      this.#limit *= WORTH;
      let counted = yield* countedWithin(reader, map, this.#lookups, limit);
      if (counted.length === 0 && limit === MAX_ENTRIES && map.asked.size > 0) {
        const presences = yield* readPresences(
          reader,
          map,
          Math.min(MAX_PRESENCES, map.count / LOCATIONS_OF_A_PRESENCE),
        );
        if (presences !== null) this.#lookups = map.lookupsWith(presences);
        counted = yield* countedWithin(reader, map, this.#lookups, limit);
      }
      const [narrowest, ...others] = counted.sort((a, b) => a.width - b.width);
      if (narrowest !== undefined) {
        const { lookup, width } = narrowest;
        const further = others.filter((each) => each.width <= WORTH * width).map((each) => each.lookup);
        return { lookups: [lookup, ...further], width };
      }
      isEnough = this.#lookups.length === 0 || limit >= Math.min(most, map.count);
    }
    return null;
  }
}

interface Counted {
  readonly lookup: IndexLookup;
  readonly width: number;
}

/** The covers that have no more entries than that, nor more than the map has locations. */
function* countedWithin(
  reader: Reader,
  map: SearchedMapRow,
  lookups: readonly IndexLookup[],
  limit: number,
): ResumableScan<Counted[]> {
  const counted: Counted[] = [];
  for (const lookup of lookups) {
    const width = countWithin(reader, map, lookup, Math.min(limit, map.count));
    if (width !== null) counted.push({ lookup, width });
    yield;
  }
  return counted;
}
