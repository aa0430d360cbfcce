/**
 * Writing a move: new orders for the locations that it moves and for those that make room. Each is written where it
 * still stands as the move has seen it, and nothing else of it is touched. So a change that somebody makes beside it is
 * kept, and a location that somebody else has put elsewhere, or has deleted, is left alone.
 *
 * Without transactions it is one ordered command. A crash may end it after any of its locations, and whoever reads
 * meanwhile may see the list as it is then. So they are written in a sequence in which no neighbour ever passes another,
 * whichever of them are left alone. First come the neighbours: those that get larger orders, from the last to the first,
 * then those that get smaller ones, from the first to the last. Each so goes where there is room already. Then what is
 * moved goes to its place. The same call again completes it.
 */

import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';

import type { Listed, NewOrder } from '../../domain/list/move-plan.ts';
import { compareOrderKeys, encodeOrder } from '../../domain/list/order.ts';
import type { Collections } from './database.ts';
import type { LocationDocument, TombstoneDocument } from './documents.ts';
import { unfenced } from './recovery.ts';
import type { Lease } from './move-lease.ts';
import { WRITE_MS } from './move-lease.ts';
import { toStoredSortKey } from './stored-sort-key.ts';

type Operation = AnyBulkWriteOperation<LocationDocument | TombstoneDocument>;

export interface Written {
  readonly mapId: string;
  /** The moved ones. */
  readonly ids: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A new order, with the number of its change in the log. */
export interface NumberedOrder extends NewOrder<Listed> {
  readonly change: number;
}

/** @returns how many were written, if it was in time; in a transaction all or none */
export async function writeMove(
  { locations }: Collections,
  written: Written,
  lease: Lease,
  changes: readonly NumberedOrder[],
  session: ClientSession | null,
): Promise<number> {
  if (changes.length === 0) return 0;
  const moved = new Set(written.ids);
  const operations = inSafeSequence(changes, moved).map((change) => operationOf(written, lease, change));
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

function inSafeSequence(
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
  { mapId, now }: Written,
  { writeUntil }: Lease,
  { location, order, change }: NumberedOrder,
): Operation {
  const changed = {
    order: { $literal: order },
    place: { $literal: toStoredSortKey({ orderKey: encodeOrder(order), sequence: location.sequence }) },
    version: { $add: [{ $ifNull: ['$version', 1] }, 1] },
    updatedAt: { $max: [new Date(now), { $ifNull: ['$updatedAt', '$createdAt'] }] },
    change: { $literal: change },
  };
  return {
    updateOne: {
      filter: {
        mapId: { $eq: mapId },
        _id: { $eq: location.id },
        place: { $eq: toStoredSortKey(location) },
        fence: unfenced(change),
      },
      // A write that comes too late leaves everything as it is.
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
