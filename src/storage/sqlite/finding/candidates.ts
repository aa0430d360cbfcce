/** Which locations of a map may pass a filter, by what the indexes hold. */

import type { Cover } from '../../../domain/filter/covers.ts';
import { countWithin, numbersWithin } from './covered-numbers.ts';
import type { Reader } from '../reader.ts';
import type { Steps } from './steps.ts';
import type { StoredMap } from './searched-map.ts';

/** Entries of an index that are read to see whether there are few. */
const MAX_ENTRIES = 600;
/** So few that to look into further indexes costs more than it spares. */
const FEW = 50;

/** What is narrowed down in a few statements; null where the indexes hold too much for that. */
export function fewCandidates(reader: Reader, map: StoredMap): readonly number[] | null {
  let few: readonly number[] | null = null;
  for (const cover of map.covers) {
    const numbers = numbersWithin(reader, map, cover, MAX_ENTRIES);
    if (numbers === null) continue;
    few = few === null ? [...numbers] : few.filter((number) => numbers.has(number));
    if (few.length <= FEW) break;
  }
  return few;
}

export interface Choice {
  readonly covers: readonly Cover[];
  /** Entries that the narrowest of them has in the indexes. */
  readonly width: number;
}

/** A wider cover than this many times the narrowest costs more to read than it spares. */
const WORTH = 8;

/** Null where no index helps, or the map may as well be read as a whole. */
export function* chooseCovers(reader: Reader, map: StoredMap): Steps<Choice | null> {
  if (map.count <= FEW || map.covers.length === 0) return null;
  // Counting goes as far as the narrowest cover needs, and not to the end of the widest.
  for (let limit = MAX_ENTRIES; ; limit *= WORTH) {
    const counted: { readonly cover: Cover; readonly width: number }[] = [];
    for (const cover of map.covers) {
      const width = countWithin(reader, map, cover, Math.min(limit, map.count));
      if (width !== null) counted.push({ cover, width });
      yield;
    }
    if (counted.length === 0) {
      if (limit >= map.count) return null;
      continue;
    }
    const width = Math.min(...counted.map((each) => each.width));
    return { covers: counted.filter((each) => each.width <= WORTH * width).map(({ cover }) => cover), width };
  }
  return null;
}
