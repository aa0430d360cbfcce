/** The shapes of a map's locations (domain/filter/property-presence.ts), as the index of words has them: nothing else keeps them. */

import type { PropertyPresence } from '../../../domain/filter/property-presence.ts';
import { presenceWith } from '../../../domain/filter/property-presence.ts';
import type { JsonObject } from '../../../domain/json/json.ts';
import type { Reader } from '../reader.ts';
import { textOf } from '../rows.ts';
import { startOfPresences } from './map-terms.ts';
import type { StoredMap } from './searched-map.ts';
import type { ResumableScan } from './resumable-scan.ts';

/** Shapes that are read at a time. */
const CHUNK = 20;

/** @returns null where there are more than `most` */
export function* readPresences(
  reader: Reader,
  { number, asked }: Pick<StoredMap, 'number' | 'asked'>,
  most: number,
): ResumableScan<readonly PropertyPresence[] | null> {
  const start = startOfPresences(number);
  const presences: PropertyPresence[] = [];
  for (let next = start; ;) {
    // From shape to shape, however many locations each of them has.
    const row = reader.get(
      `SELECT s.term, l.properties FROM location_words_seen AS s CROSS JOIN locations AS l ON l.number = s.doc
       WHERE s.term >= ? LIMIT 1`,
      next,
    );
    const term = row === undefined ? '' : textOf(row, 'term');
    if (row === undefined || !term.startsWith(start)) return presences;
    if (presences.length >= most) return null;
    const properties = JSON.parse(textOf(row, 'properties')) as JsonObject;
    presences.push(presenceWith(term.slice(start.length), properties, asked));
    // All terms of shapes are of one length, so the next one is behind this.
    next = `${term}0`;
    if (presences.length % CHUNK === 0) yield;
  }
}
