/** Deletes locations, within one transaction. */

import type { LocationRecord } from '../../../domain/location.ts';
import type { VersionHit } from '../../search.ts';
import type { MapUnavailable, Storage, WriteCall } from '../../storage.ts';
import type { Database } from '../database.ts';
import { numberOf } from '../engine/statements.ts';
import { moveToTrash, removeVersions } from '../history/versions.ts';
import { changeListHead, readListHead } from './list.ts';
import { getLocation, INDEXED_COLUMNS, MAP_NUMBER, toIndexedLocation } from './location-records.ts';

/** Deletes any version where none is given. */
export type DeleteTarget = Pick<VersionHit, 'id'> & Partial<Pick<VersionHit, 'version'>>;

export function deleteAll(
  database: Database,
  mapId: string,
  targets: readonly DeleteTarget[],
  call?: WriteCall,
): Awaited<ReturnType<Storage['deleteLocations']>> {
  const head = readListHead(database, mapId);
  if ('kind' in head) return head;
  const deletedIds = targets.flatMap((target) =>
    deleteRow(database, mapId, target, call) ? [target.id] : [],
  );
  changeListHead(database, head, {
    added: -deletedIds.length,
    changes: deletedIds.map((id) => ({ kind: 'deleted', id })),
    call,
  });
  return { kind: 'done', deletedIds };
}

export function deleteOne(
  database: Database,
  mapId: string,
  id: string,
  call?: WriteCall,
): { kind: 'deleted'; location: LocationRecord } | { kind: 'missing' } | MapUnavailable {
  const location = getLocation(database, mapId, id);
  const outcome = deleteAll(database, mapId, [{ id }], call);
  if (outcome.kind !== 'done') return outcome;
  return location === null ? { kind: 'missing' } : { kind: 'deleted', location };
}

/** @returns whether the map had that location, in that version */
function deleteRow(
  database: Database,
  mapId: string,
  { id, version }: DeleteTarget,
  call: WriteCall | undefined,
): boolean {
  if (call?.keepsTrash === true) moveToTrash(database, call, mapId, { id, version });
  const row = database.get(
    `DELETE FROM locations WHERE id = ? AND map_number = ${MAP_NUMBER} AND version = coalesce(?, version)
     RETURNING number, map_number, ${INDEXED_COLUMNS}`,
    id,
    mapId,
    version ?? null,
  );
  if (row === undefined) return false;
  if (call?.keepsTrash !== true) removeVersions(database, id);
  const before = toIndexedLocation(row, numberOf(row, 'map_number'));
  database.pending.indexChanges.push({ number: numberOf(row, 'number'), before, after: null });
  return true;
}
