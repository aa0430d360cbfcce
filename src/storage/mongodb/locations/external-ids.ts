/** Finds locations by external ids, through their reservations (writes/reservations.ts). */

import { setTimeout as delay } from 'node:timers/promises';

import { findLocations } from './list.ts';
import type { LocationDocument } from './location-records.ts';
import type { Collections, ExternalIdDocument } from '../schema.ts';
import type { ReservationWriter, WithExternalId } from '../writes/reservations.ts';
import { findActive } from '../writes/reservations.ts';

/**
 * How long a new location waits for another one that is being created with its external id: longer than most callers wait.
 * A crashed one is recovered long before, even on a busy machine.
 */
const DECIDED_WITHIN_MS = 30_000;
const PAUSE_MS = 20;

/** The locations that have these external ids, by external id. */
export async function findByExternalIds(
  collections: Pick<Collections, 'externalIds' | 'locations'>,
  mapId: string,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, LocationDocument>> {
  if (wanted.length === 0) return new Map();
  const reservations = await findReservations(collections, mapId, wanted);
  const found = await findLocations(
    collections,
    mapId,
    reservations.map(({ locationId }) => locationId),
  );
  // By the location's own external id: a reservation may be ahead of it.
  return new Map(
    [...found.values()].flatMap((location) =>
      location.externalId === undefined ? [] : [[location.externalId, location]],
    ),
  );
}

/**
 * The external ids of these items that other locations have or are about to get. Waits while it is undecided whether
 * another location is created: if the caller had to retry, its locations would lose their order.
 */
export async function findTakenExternalIds(
  writer: ReservationWriter,
  mapId: string,
  items: readonly WithExternalId[],
): Promise<ReadonlySet<string>> {
  const wanted = items.flatMap(({ externalId }) => (externalId === undefined ? [] : [externalId]));
  if (wanted.length === 0) return new Set();
  const own = new Set(items.map(({ _id }) => _id));
  for (const endsAt = performance.now() + DECIDED_WITHIN_MS; ;) {
    const found = await findReservations(writer.collections, mapId, wanted);
    const others = found.filter(({ locationId }) => !own.has(locationId));
    const { held, pending } = await findActive(writer, mapId, others);
    if (pending.size === 0 || performance.now() > endsAt) {
      return new Set([...held, ...pending].map(({ externalId }) => externalId));
    }
    await delay(PAUSE_MS);
  }
}

function findReservations(
  { externalIds }: Pick<Collections, 'externalIds'>,
  mapId: string,
  wanted: readonly string[],
): Promise<readonly ExternalIdDocument[]> {
  return externalIds
    .find({ mapId: { $eq: mapId }, externalId: { $in: [...new Set(wanted)] } })
    .hint('external_ids_by_id')
    .toArray();
}
