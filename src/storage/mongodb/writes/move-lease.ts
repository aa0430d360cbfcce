/**
 * The lease of a move: one call at a time moves locations of a map. The map's document keeps it. It expires by itself, so a
 * crashed process blocks the map for a few seconds only. All its times are the server's (`$$NOW`), so gateways' clocks do
 * not matter.
 */

import { ObjectId } from 'mongodb';

import type { MapUnavailable } from '../../storage.ts';
import { mapUnavailable } from '../maps.ts';
import type { Collections, ListEndDocument } from '../schema.ts';

/** From the acquisition until another call may take over. */
const LEASE_MS = 9_000;
/** The last part of it, in which no write starts. A write that started before ends within it. */
export const WRITE_MS = 5_000;

export interface Lease {
  readonly id: string;
  /** No write starts later, by the server's clock. */
  readonly writeUntil: Date;
  /** False if `writeUntil` may have passed. */
  isWithinLimit(): boolean;
  /** The end of the map's list when the lease was acquired. */
  readonly end: ListEndDocument;
}

export function newLeaseId(): string {
  return new ObjectId().toHexString();
}

/** Acquires or renews the lease. @returns null while another call holds it */
export async function acquireLease(
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
    // Not in the filter: not every server supports $$NOW there.
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

export async function releaseLease(
  { maps }: Pick<Collections, 'maps'>,
  mapId: string,
  id: string,
): Promise<void> {
  await maps.updateOne({ _id: { $eq: mapId }, 'mover.id': id }, { $unset: { mover: '' } });
}
