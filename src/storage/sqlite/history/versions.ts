/** Former states of locations: rows of `versions`. */

import type { LocationRecord } from '../../../domain/location.ts';
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

/**
 * SQL: of the location with the id `?1`, which its map has or has in the trash. Its versions are found by its sequence
 * number: that index is smaller than one by id, and an import that updates a list changes its pages in order.
 */
const OF_LOCATION = `(map_number, sequence) = (
  SELECT map_number, sequence FROM locations WHERE id = ?1
  UNION ALL SELECT map_number, sequence FROM versions WHERE id = ?1 AND is_in_trash = 1 LIMIT 1
) AND id = ?1`;

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
    writer.run(
      `DELETE FROM versions WHERE ${OF_LOCATION} AND version <= ?2`,
      id,
      version - call.mostVersions,
    );
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

/** Removes the versions of a location that its map has, or has in the trash. */
export function removeVersions(writer: Writer, id: string): void {
  writer.run(`DELETE FROM versions WHERE ${OF_LOCATION}`, id);
}

const INSERT_DELETION = `INSERT INTO versions (map_number, id, version, replaced_by, is_in_trash, sequence)
  VALUES (?, ?, ?, ?, 0, ?)`;

/** Takes a version out of the trash, and keeps one for the deletion. */
export function keepDeletion(
  writer: Writer,
  call: WriteCall | undefined,
  mapNumber: number,
  { id, version, sequence }: LocationRecord,
): void {
  if (call === undefined || call.mostVersions === 0) {
    removeVersions(writer, id);
    return;
  }
  writer.run(
    'UPDATE versions SET is_in_trash = 0 WHERE id = ? AND version = ? AND is_in_trash = 1',
    id,
    version,
  );
  writer.run(INSERT_DELETION, mapNumber, id, version + 1, call.id, sequence);
}

/** The sequence number of a deletion until the dump tells it, with the version in the trash. */
const UNKNOWN = -1;

/**
 * Stores a version of a dump, after the locations. A backup that is not of one moment may have versions that are not older
 * than their location, which are left out, and may have a location in the trash that exists.
 */
export function insertVersion(writer: Writer, mapId: string, version: VersionRecord): void {
  const { location, locationId, replacedBy, isInTrash } = version;
  const map = writer.get('SELECT number FROM maps WHERE id = ?', mapId);
  if (map === undefined) throw new Error('The map of a version must have been stored.');
  const mapNumber = numberOf(map, 'number');
  const current = writer.get('SELECT version, sequence FROM locations WHERE id = ?', locationId);
  if (current !== undefined && numberOf(current, 'version') <= version.version) return;
  if (location === null) {
    const sequence = current === undefined ? UNKNOWN : numberOf(current, 'sequence');
    writer.run(INSERT_DELETION, mapNumber, locationId, version.version, replacedBy, sequence);
    return;
  }
  writer.run(
    `INSERT INTO versions (map_number, replaced_by, is_in_trash, ${STATE_COLUMNS})
     VALUES (?, ?, ?, ${STATE_PLACEHOLDERS})`,
    mapNumber,
    replacedBy,
    Number(isInTrash && current === undefined),
    ...stateValues(location),
  );
  if (!isInTrash) return;
  writer.run(
    `UPDATE versions SET sequence = ? WHERE map_number = ? AND sequence = ${UNKNOWN} AND id = ?`,
    location.sequence,
    mapNumber,
    locationId,
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
    `SELECT ${VERSION_COLUMNS} FROM versions WHERE ${OF_LOCATION} AND version < ?2 AND map_number = (SELECT number FROM maps WHERE id = ?3)
     ORDER BY version DESC LIMIT ?4`,
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
    `SELECT ${VERSION_COLUMNS} FROM versions WHERE ${OF_LOCATION} AND replaced_by = ?2
       AND map_number = (SELECT number FROM maps WHERE id = ?3) ORDER BY version`,
    locationId,
    callId,
    mapId,
  );
  return rows.map((row) => toVersion(row, mapId));
}
