/** Changing locations, within one transaction. */

import type { ChangeKind, LocationChanged } from '../../domain/change.ts';
import { kindOfUpdate } from '../../domain/change.ts';
import type { LocationRecord } from '../../domain/location.ts';
import { encodeOrder, largerNumber } from '../../domain/list/order.ts';
import type { LocationUpdate, MapUnavailable, UpdateOutcome } from '../storage.ts';
import type { Connection } from './connection.ts';
import { changeListHead, readListHead } from './list-head.ts';
import { findIdOfExternalId, getLocation, updateLocation } from './location-rows.ts';

/** @returns an outcome for each update, or why the map takes no part */
export function updateAll(
  connection: Connection,
  mapId: string,
  updates: readonly LocationUpdate[],
): readonly UpdateOutcome[] | MapUnavailable {
  const head = readListHead(connection, mapId);
  if ('kind' in head) return head;
  const changes: LocationChanged[] = [];
  let { largestNumber } = head;
  const outcomes = updates.map((update) => {
    const outcome = updateOne(connection, mapId, update, (kind) => changes.push({ kind, id: update.id }));
    const isUsed = outcome.kind === 'updated' && update.order !== null;
    if (isUsed) largestNumber = largerNumber(largestNumber, update.order);
    return outcome;
  });
  changeListHead(connection, head, { largestNumber, changes });
  return outcomes;
}

function updateOne(
  connection: Connection,
  mapId: string,
  update: LocationUpdate,
  onChange: (kind: ChangeKind) => void,
): UpdateOutcome {
  const { id, version, updatedAt, order, values } = update;
  const current = getLocation(connection, mapId, id);
  if (current === null) return { kind: 'missing' };
  if (current.version !== version) return { kind: 'changed', location: current };
  const { externalId } = values;
  const other = externalId === null ? null : findIdOfExternalId(connection, mapId, externalId);
  if (other !== null && other !== id) return { kind: 'external-id-taken' };
  const location: LocationRecord = {
    ...current,
    ...values,
    ...(order !== null && { order, orderKey: encodeOrder(order) }),
    version: version + 1,
    updatedAt,
  };
  updateLocation(connection, current, location);
  onChange(kindOfUpdate(current, location));
  return { kind: 'updated', location };
}
