/** Updates locations, within one transaction. */

import type { ChangeKind, LocationChanged } from '../../../domain/change.ts';
import { kindOfUpdate } from '../../../domain/change.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import { encodeOrder, largerNumber } from '../../../domain/list/order.ts';
import type { LocationUpdate, MapUnavailable, UpdateOutcome, WriteCall } from '../../storage.ts';
import type { Database } from '../database.ts';
import { keepVersion } from '../history/versions.ts';
import { changeListHead, readListHead } from './list.ts';
import { findIdOfExternalId } from './external-ids.ts';
import { getLocation, updateLocation } from './location-records.ts';

/** @returns an outcome per update, or why the map takes no part */
export function updateAll(
  database: Database,
  mapId: string,
  updates: readonly LocationUpdate[],
  call?: WriteCall,
): readonly UpdateOutcome[] | MapUnavailable {
  const head = readListHead(database, mapId);
  if ('kind' in head) return head;
  const changes: LocationChanged[] = [];
  let { largestNumber } = head;
  const outcomes = updates.map((update) => {
    const outcome = updateOne(database, mapId, update, call, (kind) => changes.push({ kind, id: update.id }));
    const isUsed = outcome.kind === 'updated' && update.order !== null;
    if (isUsed) largestNumber = largerNumber(largestNumber, update.order);
    return outcome;
  });
  changeListHead(database, head, { largestNumber, changes, call });
  return outcomes;
}

function updateOne(
  database: Database,
  mapId: string,
  update: LocationUpdate,
  call: WriteCall | undefined,
  onChange: (kind: ChangeKind) => void,
): UpdateOutcome {
  const { id, version, updatedAt, order, values } = update;
  const current = getLocation(database, mapId, id);
  if (current === null) return { kind: 'missing' };
  if (current.version !== version) return { kind: 'changed', location: current };
  const { externalId } = values;
  const other = externalId === null ? null : findIdOfExternalId(database, mapId, externalId);
  if (other !== null && other !== id) return { kind: 'external-id-taken' };
  const location: LocationRecord = {
    ...current,
    ...values,
    ...(order !== null && { order, orderKey: encodeOrder(order) }),
    version: version + 1,
    updatedAt,
  };
  keepVersion(database, call, current);
  updateLocation(database, current, location);
  onChange(kindOfUpdate(current, location));
  return { kind: 'updated', location };
}
