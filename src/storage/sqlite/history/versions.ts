/** Former states of locations: rows of `versions`. */

import type { VersionHit } from '../../search.ts';
import type { VersionRecord, WriteCall } from '../../storage.ts';
import type { SqlRow } from '../engine/driver.ts';
import type { Reader, Writer } from '../engine/statements.ts';
import { numberOf, textOf } from '../engine/statements.ts';
import {
  MAP_NUMBER,
  STATE_COLUMNS,
  STATE_PLACEHOLDERS,
  stateValues,
  toLocation,
} from '../locations/location-records.ts';

/** SQL: copies the present state of a location. */
const COPY = `INSERT INTO versions (map_number, replaced_by, is_in_trash, ${STATE_COLUMNS})
  SELECT map_number, ?, ?, ${STATE_COLUMNS} FROM locations WHERE id = ?`;

/**
 * Keeps the state of a location that is about to change.
 *
 * @param location.version if known, removes versions that are over the call's limit
 */
export function keepVersion(
  writer: Writer,
  call: WriteCall | undefined,
  { id, version = 0 }: { readonly id: string; readonly version?: number },
): void {
  if (call === undefined || call.mostVersions === 0) return;
  writer.run(COPY, call.id, 0, id);
  if (version > call.mostVersions) {
    writer.run('DELETE FROM versions WHERE id = ? AND version <= ?', id, version - call.mostVersions);
  }
}

/** Keeps the state of a location that is about to be deleted, if the map has it in that version. */
export function moveToTrash(
  writer: Writer,
  call: WriteCall,
  mapId: string,
  { id, version = null }: { readonly id: string; readonly version?: number | null | undefined },
): void {
  writer.run(
    `${COPY} AND map_number = ${MAP_NUMBER} AND version = coalesce(?, version)`,
    call.id,
    1,
    id,
    mapId,
    version,
  );
}

export function removeVersions(writer: Writer, id: string): void {
  writer.run('DELETE FROM versions WHERE id = ?', id);
}

/** Takes a version out of the trash, and keeps one for the deletion. */
export function keepDeletion(
  writer: Writer,
  call: WriteCall | undefined,
  mapNumber: number,
  { id, version }: VersionHit,
): void {
  if (call === undefined || call.mostVersions === 0) {
    removeVersions(writer, id);
    return;
  }
  writer.run('UPDATE versions SET is_in_trash = 0 WHERE id = ? AND version = ?', id, version);
  writer.run(
    'INSERT INTO versions (map_number, id, version, replaced_by, is_in_trash) VALUES (?, ?, ?, ?, 0)',
    mapNumber,
    id,
    version + 1,
    call.id,
  );
}

/**
 * Stores a version of a dump, after the locations. A backup that is not of one moment may have versions that are not older
 * than their location, which are left out, and may have a location in the trash that exists.
 */
export function insertVersion(writer: Writer, mapId: string, version: VersionRecord): void {
  const { location, locationId, replacedBy, isInTrash } = version;
  const current = writer.get('SELECT version FROM locations WHERE id = ?', locationId);
  if (current !== undefined && numberOf(current, 'version') <= version.version) return;
  if (location === null) {
    writer.run(
      `INSERT INTO versions (map_number, id, version, replaced_by, is_in_trash) VALUES (${MAP_NUMBER}, ?, ?, ?, 0)`,
      mapId,
      locationId,
      version.version,
      replacedBy,
    );
    return;
  }
  writer.run(
    `INSERT INTO versions (map_number, replaced_by, is_in_trash, ${STATE_COLUMNS})
     VALUES (${MAP_NUMBER}, ?, ?, ${STATE_PLACEHOLDERS})`,
    mapId,
    replacedBy,
    Number(isInTrash && current === undefined),
    ...stateValues(location),
  );
}

/** SQL: the columns that {@link toVersion} reads. */
export const VERSION_COLUMNS = `number, replaced_by, is_in_trash, ${STATE_COLUMNS}`;

export function toVersion(row: SqlRow, mapId: string): VersionRecord {
  return {
    locationId: textOf(row, 'id'),
    version: numberOf(row, 'version'),
    location: row.name === null ? null : toLocation(row, mapId),
    replacedBy: textOf(row, 'replaced_by'),
    isInTrash: row.is_in_trash === 1,
  };
}

/** Newest first. */
export function listVersions(
  reader: Reader,
  mapId: string,
  locationId: string,
  { limit, before }: { readonly limit: number; readonly before: number | null },
): readonly VersionRecord[] {
  const rows = reader.all(
    `SELECT ${VERSION_COLUMNS} FROM versions WHERE id = ? AND version < ? AND map_number = ${MAP_NUMBER}
     ORDER BY version DESC LIMIT ?`,
    locationId,
    before ?? Number.MAX_SAFE_INTEGER,
    mapId,
    limit,
  );
  return rows.map((row) => toVersion(row, mapId));
}

/** Oldest first. */
export function findReplaced(
  reader: Reader,
  mapId: string,
  callId: string,
  locationId: string,
): readonly VersionRecord[] {
  const rows = reader.all(
    `SELECT ${VERSION_COLUMNS} FROM versions WHERE id = ? AND replaced_by = ? AND map_number = ${MAP_NUMBER}
     ORDER BY version`,
    locationId,
    callId,
    mapId,
  );
  return rows.map((row) => toVersion(row, mapId));
}
