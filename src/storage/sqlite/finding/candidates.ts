/** Which locations of a map may pass a filter, by what the indexes hold. */

import type { Cover } from '../../../domain/filter/covers.ts';
import type { Reader } from '../reader.ts';
import type { Candidate } from './candidate.ts';
import { toCandidate } from './candidate.ts';
import { countWithin, numbersWithin } from './covered-numbers.ts';
import { isOfPoints, pointsWithin } from './points.ts';
import type { StoredMap } from './searched-map.ts';
import type { Steps } from './steps.ts';

/** Entries of an index that are read to see whether there are few. */
const MAX_ENTRIES = 600;
/** So few that to look into further indexes costs more than it spares. */
const FEW = 50;

export interface Few {
  readonly candidates: readonly Candidate[];
  /** Whether the filter lets all of them through. */
  readonly havePassed: boolean;
}

/** What is found in a few statements; null where that would be more than `limit`, or the indexes hold too much for that. */
export function fewCandidates(reader: Reader, map: StoredMap, limit: number): Few | null {
  for (const cover of map.covers) {
    const points = isOfPoints(map, cover) ? pointsWithin(reader, map, cover, MAX_ENTRIES) : null;
    if (points !== null) return points.length > limit ? null : { candidates: points, havePassed: true };
  }
  const { numbers, areOfAll } = fewNumbers(reader, map);
  if (numbers === null || numbers.length > limit) return null;
  const havePassed = map.isExact && areOfAll;
  return { candidates: candidatesOf(reader, map, numbers, havePassed), havePassed };
}

/** By one cover or several; or by all of them. */
function fewNumbers(reader: Reader, map: StoredMap) {
  let few: readonly number[] | null = null;
  let asked = 0;
  for (const cover of map.covers) {
    const numbers = numbersWithin(reader, map, cover, MAX_ENTRIES);
    if (numbers === null) continue;
    asked += 1;
    few = few === null ? [...numbers] : few.filter((number) => numbers.has(number));
    // To know that they pass spares to look at them.
    if (few.length <= FEW && !map.isExact) break;
  }
  return { numbers: few, areOfAll: asked === map.covers.length };
}

/**
 * In the order given.
 *
 * @param havePassed whether the filter is known to let them through
 */
export function candidatesOf(
  reader: Reader,
  { columns, columnsOfPassed }: StoredMap,
  numbers: readonly number[],
  havePassed: boolean,
): readonly Candidate[] {
  return reader
    .all(
      `SELECT ${havePassed ? columnsOfPassed : columns}
       FROM json_each(?) AS n CROSS JOIN locations ON locations.number = n.value`,
      JSON.stringify(numbers),
    )
    .map(toCandidate);
}

export interface Choice {
  /** The narrowest first. */
  readonly covers: readonly [Cover, ...Cover[]];
  /** Entries that the narrowest of them has in the indexes. */
  readonly width: number;
}

/** A wider cover than this many times the narrowest costs more to read than it spares. */
const WORTH = 8;

/**
 * Null where no index helps, or the map may as well be read as a whole.
 *
 * @param most entries that are counted of each cover; null also where all have more
 */
export function* chooseCovers(reader: Reader, map: StoredMap, most = Infinity): Steps<Choice | null> {
  if (map.count <= FEW || map.covers.length === 0) return null;
  // Counting goes as far as the narrowest cover needs, and not to the end of the widest.
  for (let limit = MAX_ENTRIES; ; limit *= WORTH) {
    const counted: { readonly cover: Cover; readonly width: number }[] = [];
    for (const cover of map.covers) {
      const width = countWithin(reader, map, cover, Math.min(limit, map.count));
      if (width !== null) counted.push({ cover, width });
      yield;
    }
    const [narrowest, ...others] = counted.sort((a, b) => a.width - b.width);
    if (narrowest !== undefined) {
      const { cover, width } = narrowest;
      const further = others.filter((each) => each.width <= WORTH * width).map((each) => each.cover);
      return { covers: [cover, ...further], width };
    }
    if (limit >= Math.min(most, map.count)) return null;
  }
}
