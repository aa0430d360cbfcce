/**
 * Writing a move: every location that gets another order, each by a compare-and-set on its version.
 *
 * Without transactions it is one ordered command. A crash, or somebody else's change, may end it after any of its
 * locations; and whoever reads meanwhile may see the list as it is after any of them. So they are written in a sequence
 * in which no neighbour ever passes another. First come the neighbours: those that get larger orders, from the last to
 * the first, then those that get smaller ones, from the first to the last. Each so goes where there is room already. Then
 * what is moved goes to its place. The same call again completes it.
 */

import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';

import type { Listed, NewOrder } from '../../domain/move-plan.ts';
import { compareOrderKeys, encodeOrder } from '../../domain/order.ts';
import type { Collections } from './database.ts';
import type { LocationDocument, TombstoneDocument } from './documents.ts';
import type { Lease } from './move-lease.ts';
import { WRITE_MS } from './move-lease.ts';
import { fromRank, toRank } from './rank.ts';
import { versionFilter, versionOf } from './update.ts';

/** What of a location's document a move is worked out from. */
export const LISTED = { place: 1, order: 1, version: 1, createdAt: 1, updatedAt: 1 } as const;

/** A location of the list as it was read. */
export interface ListedDocument extends Listed {
  readonly document: Pick<LocationDocument, '_id' | keyof typeof LISTED>;
}

export function toListed(document: ListedDocument['document']): ListedDocument {
  return { id: document._id, order: document.order, ...fromRank(document.place), document };
}

export interface Written {
  readonly mapId: string;
  /** The moved ones. */
  readonly ids: readonly string[];
  readonly now: number;
}

/** @returns how many were changed, if it was in time; in a transaction all or none */
export async function writeMove(
  { locations }: Collections,
  { mapId, ids, now }: Written,
  { writeUntil }: Lease,
  changes: readonly NewOrder<ListedDocument>[],
  session: ClientSession | null,
): Promise<number> {
  if (changes.length === 0) return 0;
  const moved = new Set(ids);
  const operations = inSafeSequence(changes, moved).map(
    ({ location: { document }, order }): AnyBulkWriteOperation<LocationDocument | TombstoneDocument> => ({
      updateOne: {
        filter: {
          mapId: { $eq: mapId },
          _id: { $eq: document._id },
          place: { $gt: '' },
          version: versionFilter(versionOf(document)),
        },
        // A write that comes too late leaves everything as it is.
        update: [
          {
            $replaceWith: {
              $cond: [
                { $lt: ['$$NOW', writeUntil] },
                { $mergeObjects: ['$$ROOT', { $literal: changedFields(document, order, now) }] },
                '$$ROOT',
              ],
            },
          },
        ],
      },
    }),
  );
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

function inSafeSequence<L extends Listed>(
  changes: readonly NewOrder<L>[],
  moved: ReadonlySet<string>,
): readonly NewOrder<L>[] {
  const neighbours = changes.filter(({ location }) => !moved.has(location.id));
  const isLarger = ({ location, order }: NewOrder<L>) =>
    compareOrderKeys(encodeOrder(order), location.orderKey) > 0;
  return [
    ...neighbours.filter(isLarger).toReversed(),
    ...neighbours.filter((change) => !isLarger(change)),
    ...changes.filter(({ location }) => moved.has(location.id)),
  ];
}

function changedFields(
  document: ListedDocument['document'],
  order: string,
  now: number,
): Pick<LocationDocument, 'order' | 'place' | 'version' | 'updatedAt'> {
  const { sequence } = fromRank(document.place);
  return {
    order,
    place: toRank({ orderKey: encodeOrder(order), sequence }),
    version: versionOf(document) + 1,
    updatedAt: new Date(Math.max(now, (document.updatedAt ?? document.createdAt).getTime())),
  };
}

/** The document as the move leaves it. */
export function changedDocument(document: LocationDocument, order: string, now: number): LocationDocument {
  return { ...document, ...changedFields(document, order, now) };
}
