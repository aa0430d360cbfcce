/** The trash: the last states of deleted locations. */

import { firstHistoryId } from '../../../domain/ids.ts';
import type { LocationChanged } from '../../../domain/change.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import { yieldWhenLong } from '../../../lib/cooperative-scheduler.ts';
import type {
  HistoryStore,
  LocationRestore,
  MapUnavailable,
  RestoreOutcome,
  TrashedLocation,
  WriteCall,
} from '../../storage.ts';
import type { Database } from '../database.ts';
import type { Reader } from '../engine/statements.ts';
import { findIdOfExternalId } from '../locations/external-ids.ts';
import { changeListHead, mapUnavailableReason, readListHead } from '../locations/list.ts';
import { insertLocation, MAP_NUMBER } from '../locations/location-records.ts';
import { keepDeletion, removeVersions, toVersion, VERSION_COLUMNS } from './versions.ts';

/** Rows read at once: a few milliseconds at most. */
const STRIDE = 200;

export async function listTrash(
  database: Database,
  mapId: string,
  { limit, after }: Parameters<HistoryStore['listTrash']>[1],
  { deletedSince, matches }: Parameters<HistoryStore['listTrash']>[2],
): Promise<readonly TrashedLocation[]> {
  const yieldIfDue = yieldWhenLong();
  const found: TrashedLocation[] = [];
  // Sorts after every id.
  let key = after ?? { deletedBy: '~', locationId: '~' };
  for (;;) {
    const rows = database.read(() =>
      database.all(
        `SELECT ${VERSION_COLUMNS} FROM versions WHERE map_number = ${MAP_NUMBER} AND is_in_trash = 1
           AND replaced_by >= ? AND (replaced_by, id) < (?, ?) ORDER BY replaced_by DESC, id DESC LIMIT ${STRIDE}`,
        mapId,
        firstHistoryId(deletedSince),
        key.deletedBy,
        key.locationId,
      ),
    );
    for (const row of rows) {
      const { location, locationId, replacedBy: deletedBy } = toVersion(row, mapId);
      key = { deletedBy, locationId };
      if (location === null || (matches !== null && !matches(location))) continue;
      if (found.push({ location, deletedBy }) === limit) return found;
    }
    if (rows.length < STRIDE) return found;
    await yieldIfDue();
  }
}

export function findTrashed(reader: Reader, mapId: string, id: string): TrashedLocation | null {
  const row = reader.get(
    `SELECT ${VERSION_COLUMNS} FROM versions WHERE id = ? AND is_in_trash = 1 AND map_number = ${MAP_NUMBER}
     ORDER BY version DESC LIMIT 1`,
    id,
    mapId,
  );
  if (row === undefined) return null;
  const { location, replacedBy } = toVersion(row, mapId);
  return location === null ? null : { location, deletedBy: replacedBy };
}

export function restoreAll(
  database: Database,
  mapId: string,
  restores: readonly LocationRestore[],
  now: number,
  call: WriteCall | undefined,
): readonly RestoreOutcome[] | MapUnavailable {
  const head = readListHead(database, mapId);
  if ('kind' in head) return head;
  const changes: LocationChanged[] = [];
  const outcomes = restores.map((restore) => {
    const outcome = restoreOne(database, mapId, head.mapNumber, restore, now, call);
    if (outcome.kind === 'restored') changes.push({ kind: 'created', id: restore.id });
    return outcome;
  });
  changeListHead(database, head, { added: changes.length, changes, call });
  return outcomes;
}

function restoreOne(
  database: Database,
  mapId: string,
  mapNumber: number,
  { id, version }: LocationRestore,
  now: number,
  call: WriteCall | undefined,
): RestoreOutcome {
  const trashed = findTrashed(database, mapId, id)?.location;
  if (trashed?.version !== version) return { kind: 'missing' };
  const { externalId } = trashed;
  if (externalId !== null && findIdOfExternalId(database, mapId, externalId) !== null) {
    return { kind: 'external-id-taken' };
  }
  const location: LocationRecord = {
    ...trashed,
    version: version + 2,
    updatedAt: Math.max(now, trashed.updatedAt),
  };
  keepDeletion(database, call, mapNumber, trashed);
  insertLocation(database, mapNumber, location);
  return { kind: 'restored', location };
}

export function purgeAll(
  database: Database,
  mapId: string,
  ids: readonly string[],
): Awaited<ReturnType<HistoryStore['purgeLocations']>> {
  const unavailable = mapUnavailableReason(database.get('SELECT is_deleted FROM maps WHERE id = ?', mapId));
  if (unavailable !== null) return unavailable;
  const purgedIds = ids.filter((id) => {
    if (findTrashed(database, mapId, id) === null) return false;
    removeVersions(database, id);
    return true;
  });
  return { kind: 'done', purgedIds };
}
