/**
 * A location's rank: its sort key as one string, which is its order key, U+0001 and its sequence number in 15 digits. An
 * order holds no control character, so U+0001 sorts before whatever a longer order key goes on with. MongoDB compares
 * strings by their UTF-8 bytes; so one field, one range and one index list the locations in their order.
 *
 * Documents keep it in a field that is called `place`.
 */

import type { SortKey } from '../../domain/list/sort-key.ts';

const SEPARATOR = '\u0001';
const SEQUENCE_DIGITS = 15;

export function toStoredSortKey({ orderKey, sequence }: SortKey): string {
  return orderKey + SEPARATOR + String(sequence).padStart(SEQUENCE_DIGITS, '0');
}

export function fromStoredSortKey(rank: string): SortKey {
  return {
    orderKey: rank.slice(0, rank.length - SEQUENCE_DIGITS - SEPARATOR.length),
    sequence: sequenceOf(rank),
  };
}

export function sequenceOf(rank: string): number {
  return Number(rank.slice(-SEQUENCE_DIGITS));
}
