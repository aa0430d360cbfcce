/** Which locations of a map may pass a filter, by what the indexes hold. */

import type { Cover } from '../../../domain/filter/covers.ts';
import { MAX_SHAPES } from '../../../domain/filter/shape.ts';
import { countWithin, numbersWithin } from './covered-numbers.ts';
import type { Reader } from '../reader.ts';
import { readShapes } from './map-shapes.ts';
import type { Steps } from './steps.ts';
import type { StoredMap } from './searched-map.ts';

/** Entries of an index that are read to see whether there are few. */
const MAX_ENTRIES = 600;
/** So few that to look into further indexes costs more than it spares. */
const FEW = 50;

/** Shapes of a map that are read on the event loop. Each takes about 40 µs. */
const FEW_SHAPES = 20;
/** A shape takes as long as five locations. Where it has less than twice that on average, the map is read instead. */
const LOCATIONS_OF_A_SHAPE = 10;

/** What is narrowed down in a few statements; null where the indexes hold too much for that. */
export function fewCandidates(reader: Reader, map: StoredMap): readonly number[] | null {
  const few = fewOf(reader, map, map.coversWith(null));
  if (few !== null || map.asked.size === 0) return few;
  const shapes = endOf(readShapes(reader, map, FEW_SHAPES));
  return shapes === null ? null : fewOf(reader, map, map.coversWith(shapes));
}

function fewOf(reader: Reader, map: StoredMap, covers: readonly Cover[]): readonly number[] | null {
  let few: readonly number[] | null = null;
  for (const cover of covers) {
    const numbers = numbersWithin(reader, map, cover, MAX_ENTRIES);
    if (numbers === null) continue;
    few = few === null ? [...numbers] : few.filter((number) => numbers.has(number));
    if (few.length <= FEW) break;
  }
  return few;
}

function endOf<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
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
  if (map.count <= FEW) return null;
  let covers = map.coversWith(null);
  // Counting goes as far as the narrowest cover needs, and not to the end of the widest.
  for (let limit = MAX_ENTRIES; ; limit *= WORTH) {
    let counted = yield* countedWithin(reader, map, covers, limit);
    if (counted.length === 0 && limit === MAX_ENTRIES && map.asked.size > 0) {
      const most = Math.min(MAX_SHAPES, map.count / LOCATIONS_OF_A_SHAPE);
      covers = map.coversWith(yield* readShapes(reader, map, most));
      counted = yield* countedWithin(reader, map, covers, limit);
    }
    if (counted.length > 0) {
      const width = Math.min(...counted.map((each) => each.width));
      return {
        covers: counted.filter((each) => each.width <= WORTH * width).map(({ cover }) => cover),
        width,
      };
    }
    if (covers.length === 0 || limit >= map.count) return null;
  }
}

interface Counted {
  readonly cover: Cover;
  readonly width: number;
}

/** The covers that have no more entries than that, nor more than the map has locations. */
function* countedWithin(
  reader: Reader,
  map: StoredMap,
  covers: readonly Cover[],
  limit: number,
): Steps<readonly Counted[]> {
  const counted: Counted[] = [];
  for (const cover of covers) {
    const width = countWithin(reader, map, cover, Math.min(limit, map.count));
    if (width !== null) counted.push({ cover, width });
    yield;
  }
  return counted;
}
