/** The shapes of a map's locations (domain/filter/shape.ts), as the index of words has them: nothing else keeps them. */

import type { Shape } from '../../../domain/filter/shape.ts';
import { shapeWith } from '../../../domain/filter/shape.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Reader } from '../reader.ts';
import { textOf } from '../rows.ts';
import { startOfShapes } from './map-terms.ts';
import type { StoredMap } from './searched-map.ts';
import type { Steps } from './steps.ts';

/** Shapes that are read at a time. */
const CHUNK = 20;

/** @returns null where there are more than `most` */
export function* readShapes(
  reader: Reader,
  { number, asked }: Pick<StoredMap, 'number' | 'asked'>,
  most: number,
): Steps<readonly Shape[] | null> {
  const start = startOfShapes(number);
  const shapes: Shape[] = [];
  for (let next = start; ;) {
    // From shape to shape, however many locations each of them has.
    const row = reader.get(
      `SELECT s.term, l.properties FROM location_words_seen AS s CROSS JOIN locations AS l ON l.number = s.doc
       WHERE s.term >= ? LIMIT 1`,
      next,
    );
    const term = row === undefined ? '' : textOf(row, 'term');
    if (row === undefined || !term.startsWith(start)) return shapes;
    if (shapes.length >= most) return null;
    const properties = JSON.parse(textOf(row, 'properties')) as JsonObject;
    shapes.push(shapeWith(term.slice(start.length), properties, asked));
    // All terms of shapes are of one length, so the next one is behind this.
    next = `${term}0`;
    if (shapes.length % CHUNK === 0) yield;
  }
}
