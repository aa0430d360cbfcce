/** Changing locations, within one transaction. */

import type { LocationRecord } from '../../domain/location.ts';
import { encodeOrder, largerNumber } from '../../domain/order.ts';
import type { LocationUpdate, MapGone, UpdateOutcome } from '../storage.ts';
import type { Connection } from './connection.ts';
import { findIdOfExternalId, getLocation, updateLocation } from './location-rows.ts';
import { goneBy } from './maps.ts';
import { textOrNull } from './rows.ts';

/** @returns an outcome for each update, or why the map takes no part */
export function updateAll(
  connection: Connection,
  mapId: string,
  updates: readonly LocationUpdate[],
): readonly UpdateOutcome[] | MapGone {
  const map = connection.get('SELECT is_deleted, largest_number FROM maps WHERE id = ?', mapId);
  const gone = goneBy(map);
  if (map === undefined || gone !== null) return gone ?? { kind: 'map-missing' };
  const outcomes = updates.map((update) => updateOne(connection, mapId, update));
  if (!outcomes.some(({ kind }) => kind === 'updated')) return outcomes;
  let largest = textOrNull(map, 'largest_number');
  for (const [index, { order }] of updates.entries()) {
    if (order !== null && outcomes[index]?.kind === 'updated') largest = largerNumber(largest, order);
  }
  connection.run('UPDATE maps SET largest_number = ?, revision = revision + 1 WHERE id = ?', largest, mapId);
  return outcomes;
}

function updateOne(connection: Connection, mapId: string, update: LocationUpdate): UpdateOutcome {
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
  return { kind: 'updated', location };
}
