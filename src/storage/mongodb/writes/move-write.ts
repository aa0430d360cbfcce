/**
 * Writes a move: new orders for the moved locations and for neighbours that make room. Each update applies only if the
 * location still has the sort key that the plan has seen, and it changes nothing else. So concurrent updates are kept, and a
 * location that was moved or deleted meanwhile is left alone.
 *
 * On a standalone server, without transactions, it is one ordered command. A crash may stop it after any location, and
 * readers may see the list in between. So the updates come in a sequence in which no neighbour ever passes another,
 * whichever of them apply: first the neighbours with larger orders, from the last to the first; then those with smaller
 * orders, from the first to the last; then the moved locations. Each goes where there is room already. The same call
 * again completes a partial move.
 */

import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';

import type { Listed, NewOrder } from '../../../domain/list/move-plan.ts';
import { compareOrderKeys, encodeOrder } from '../../../domain/list/order.ts';
import type { WriteCall } from '../../storage.ts';
import type { StoredLocation } from '../locations/location-records.ts';
import { NO_CALL, toStoredSortKey } from '../locations/location-records.ts';
import type { Collections } from '../schema.ts';
import type { Lease } from './move-lease.ts';
import { WRITE_MS } from './move-lease.ts';
import { unfenced } from './recovery.ts';

type Operation = AnyBulkWriteOperation<StoredLocation>;

export interface Written {
  readonly mapId: string;
  /** The moved locations. */
  readonly ids: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly call: WriteCall | undefined;
}

/** A new order with its change number. */
export interface NumberedOrder extends NewOrder<Listed> {
  readonly change: number;
}

/** @returns how many updates matched; in a transaction, all or none. They have no effect after the lease's time. */
export async function writeMove(
  { locations }: Collections,
  written: Written,
  lease: Lease,
  changes: readonly NumberedOrder[],
  session: ClientSession | null,
): Promise<number> {
  if (changes.length === 0) return 0;
  const moved = new Set(written.ids);
  const operations = inSafeOrder(changes, moved).map((change) => operationOf(written, lease, change));
  if (session === null) {
    return (await locations.bulkWrite(operations, { maxTimeMS: WRITE_MS })).matchedCount;
  }
  return session.withTransaction(async () => {
    const { matchedCount } = await locations.bulkWrite(operations, { session });
    if (matchedCount === operations.length) return matchedCount;
    await session.abortTransaction();
    return 0;
  });
}

function inSafeOrder(
  changes: readonly NumberedOrder[],
  moved: ReadonlySet<string>,
): readonly NumberedOrder[] {
  const neighbours = changes.filter(({ location }) => !moved.has(location.id));
  const isLarger = ({ location, order }: NewOrder<Listed>) =>
    compareOrderKeys(encodeOrder(order), location.orderKey) > 0;
  return [
    ...neighbours.filter(isLarger).toReversed(),
    ...neighbours.filter((change) => !isLarger(change)),
    ...changes.filter(({ location }) => moved.has(location.id)),
  ];
}

function operationOf(
  { mapId, now, call }: Written,
  { writeUntil }: Lease,
  { location, order, change }: NumberedOrder,
): Operation {
  const changed = {
    order: { $literal: order },
    place: { $literal: toStoredSortKey({ orderKey: encodeOrder(order), sequence: location.sequence }) },
    version: { $add: [{ $ifNull: ['$version', 1] }, 1] },
    updatedAt: { $max: [new Date(now), { $ifNull: ['$updatedAt', '$createdAt'] }] },
    change: { $literal: change },
    call: { $literal: call?.id ?? NO_CALL },
  };
  return {
    updateOne: {
      filter: {
        mapId: { $eq: mapId },
        _id: { $eq: location.id },
        place: { $eq: toStoredSortKey(location) },
        fence: unfenced(change),
      },
      // After the lease's time the update changes nothing.
      update: [
        {
          $replaceWith: {
            $cond: [{ $lt: ['$$NOW', writeUntil] }, { $mergeObjects: ['$$ROOT', changed] }, '$$ROOT'],
          },
        },
      ],
    },
  };
}
