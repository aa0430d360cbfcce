/**
 * Where a location stands, as one string: its order key, U+0001 and its sequence in 15 digits. An order holds no
 * control character, so U+0001 sorts before whatever a longer key goes on with, and MongoDB's comparison of strings by
 * their UTF-8 bytes lists locations rightly with one field, one range and one index.
 */

import type { SortKey } from '../../domain/sort-key.ts';

const SEPARATOR = '\u0001';
const SEQUENCE_DIGITS = 15;

export function toPlace({ orderKey, sequence }: SortKey): string {
  return orderKey + SEPARATOR + String(sequence).padStart(SEQUENCE_DIGITS, '0');
}

export function fromPlace(place: string): SortKey {
  const end = place.length - SEQUENCE_DIGITS - SEPARATOR.length;
  return { orderKey: place.slice(0, end), sequence: Number(place.slice(-SEQUENCE_DIGITS)) };
}
