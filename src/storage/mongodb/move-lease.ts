/**
 * The right to move locations of a map, which one call has at a time. The map's document keeps it, and it lapses by
 * itself, so that a process that died holds nobody up for long.
 *
 * All its times are the server's own (`$$NOW`). So it does not matter what time the gateways think it is.
 */

import { ObjectId } from 'mongodb';

import type { MapUnavailable } from '../storage.ts';
import type { Collections } from './database.ts';
import type { ListEndDocument } from './documents.ts';
import { mapUnavailable } from './maps.ts';

/** From when the right was taken until anybody else may take it. */
const LEASE_MS = 9_000;
/** The last part of that: no write is begun in it any more, and one that was begun before has ended. */
export const WRITE_MS = 5_000;

export interface Lease {
  readonly id: string;
  /** No write that the right is needed for is begun later, by the server's clock. */
  readonly writeUntil: Date;
  /** Whether that time is certain not to have come. */
  isWithinLimit(): boolean;
  /** What the map knew of its list's end when the right was taken. */
  readonly end: ListEndDocument;
}

export function newLeaseId(): string {
  return new ObjectId().toHexString();
}

/** @returns the right, anew to whom has it already; null while another has it */
export async function takeLease(
  { maps }: Pick<Collections, 'maps'>,
  mapId: string,
  id: string,
): Promise<Lease | MapUnavailable | null> {
  const isFree = {
    $or: [
      { $eq: [{ $type: '$mover' }, 'missing'] },
      { $eq: ['$mover.id', id] },
      { $lte: ['$mover.until', '$$NOW'] },
    ],
  };
  const mover = { id, until: { $add: ['$$NOW', LEASE_MS] } };
  const begun = performance.now();
  const map = await maps.findOneAndUpdate(
    { _id: { $eq: mapId }, isDeleted: false },
    // Decided here and not by the filter: not every server knows the time there.
    [{ $set: { mover: { $cond: [isFree, mover, '$mover'] } } }],
    { returnDocument: 'after', projection: { end: 1, mover: 1 } },
  );
  if (map?.mover === undefined) return mapUnavailable({ maps }, mapId);
  if (map.mover.id !== id) return null;
  return {
    id,
    writeUntil: new Date(map.mover.until.getTime() - WRITE_MS),
    isWithinLimit: () => performance.now() - begun < LEASE_MS - WRITE_MS,
    end: map.end,
  };
}

export async function giveBack(
  { maps }: Pick<Collections, 'maps'>,
  mapId: string,
  id: string,
): Promise<void> {
  await maps.updateOne({ _id: { $eq: mapId }, 'mover.id': id }, { $unset: { mover: '' } });
}
