/**
 * Compares the word index with the words of all locations. Each (word, row number) is hashed and summed, so that memory
 * use is constant.
 */

import type { Finding } from '../../examination.ts';
import { REBUILD } from '../../examination.ts';
import type { SqlRow } from '../engine/driver.ts';
import { wordsOf } from '../search/search-index.ts';
import { toIndexedText } from '../locations/location-records.ts';
import type { Reader } from '../engine/statements.ts';
import { numberOf, textOf } from '../engine/statements.ts';

export function* examineWordIndex(reader: Reader): Generator<Finding> {
  const [indexed, expected] = [new HashSum(), new HashSum()];
  for (const row of reader.iterate('SELECT term, doc FROM location_words_seen')) {
    indexed.add(textOf(row, 'term'), numberOf(row, 'doc'));
  }
  const locations = reader.iterate('SELECT number, map_number, name, properties FROM locations');
  for (const row of locations) {
    const mapNumber = numberOf(row, 'map_number');
    const words = new Set(readWords(row, mapNumber));
    for (const word of words) expected.add(word, numberOf(row, 'number'));
  }
  if (indexed.equals(expected)) return;
  yield {
    check: 'indexes',
    message: `The word index does not match the locations (${indexed.count} entries, ${expected.count} expected): searches may miss some.`,
    remedy: REBUILD,
  };
}

/** None where the properties cannot be parsed, which is another finding. */
function readWords(row: SqlRow, mapNumber: number): readonly string[] {
  try {
    return wordsOf(mapNumber, toIndexedText(row, mapNumber)).split(' ');
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** An order-independent sum of hashes. */
class HashSum {
  count = 0;
  #low = 0;
  #high = 0;

  add(word: string, number: number): void {
    this.count += 1;
    this.#low = (this.#low + hashOf(word, number)) | 0;
    this.#high = (this.#high + hashOf(word, number ^ 0x5bd1e995)) | 0;
  }

  equals(other: HashSum): boolean {
    return this.count === other.count && this.#low === other.#low && this.#high === other.#high;
  }
}

/** FNV-1a over UTF-16 units (https://www.ietf.org/archive/id/draft-eastlake-fnv-21.html). */
function hashOf(text: string, seed: number): number {
  let hash = Math.imul(0x811c9dc5 ^ seed, 0x01000193);
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}
