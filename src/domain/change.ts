/** Kinds of changes of locations. */

import type { LocationRecord } from './location.ts';

export const CHANGE_KINDS = ['created', 'updated', 'moved', 'deleted'] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface LocationChanged {
  readonly kind: ChangeKind;
  readonly id: string;
}

/** A position in a map's log. A log that was reset does not accept the offsets of its predecessor. */
export interface ChangeOffset {
  /** Ascending, with gaps; 0 before the first change. */
  readonly number: number;
  /** Identifies the log: letters and digits. */
  readonly stamp: string;
}

/** A location whose order alone has changed was moved. */
export function kindOfUpdate(before: LocationRecord, after: LocationRecord): 'updated' | 'moved' {
  return before.order !== after.order && valuesOf(before) === valuesOf(after) ? 'moved' : 'updated';
}

function valuesOf(location: LocationRecord): string {
  const { name, placeId, latitude, longitude, properties, externalId, geocoding } = location;
  const { provider, precision, label, isAmbiguous, isChecked } = geocoding;
  const point = [placeId, latitude, longitude, provider, precision, label, isAmbiguous, isChecked];
  return JSON.stringify([name, properties, externalId, ...point]);
}

/**
 * The changes of a move: the moved locations in the given sequence, then the neighbours that made room.
 *
 * @param written the locations with a new order
 */
export function changesOfMove(
  ids: readonly string[],
  written: readonly { readonly id: string }[],
): readonly LocationChanged[] {
  const all = new Set(written.map(({ id }) => id));
  const moved = ids.filter((id) => all.delete(id));
  return [...moved, ...all].map((id) => ({ kind: 'moved', id }));
}
