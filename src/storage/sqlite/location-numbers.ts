/**
 * Numbers of locations. Rows lie in the file in the order of their numbers. Each map has a block of numbers, so that its
 * locations lie together, whoever else writes meanwhile. Files of earlier versions also have locations in the first block,
 * which is no map's.
 */

import type { Reader } from './reader.ts';
import { numberOf } from './rows.ts';

/** Numbers of a block. A sequence number is never given again, so neither is a number. */
const BLOCK = 2 ** 32;
/** Numbers are safe integers. */
const BLOCKS = 2 ** 53 / BLOCK;

/** The number of a location that has none yet. */
export function numberFor(reader: Reader, mapNumber: number, sequence: number): number {
  return mapNumber < BLOCKS && sequence < BLOCK ? mapNumber * BLOCK + sequence : nextOfFirstBlock(reader);
}

/** For the maps, and the locations of a map, that are more than can be counted so. */
function nextOfFirstBlock(reader: Reader): number {
  const row = reader.get(`SELECT number FROM locations WHERE number < ${BLOCK} ORDER BY number DESC LIMIT 1`);
  return 1 + (row === undefined ? 0 : numberOf(row, 'number'));
}
