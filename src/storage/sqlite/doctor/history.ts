/** Former states, the trash, and the records of calls. */

import { isJson } from '../../../domain/json/json.ts';
import type { Finding } from '../../examination.ts';
import { REBUILD, RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { Reader } from '../engine/statements.ts';
import { numberOf, textOf, textOrNull } from '../engine/statements.ts';
import { decodeCalls } from '../history/calls.ts';

export function* examineHistory(reader: Reader): Generator<Finding> {
  yield* examineVersions(reader);
  yield* examineCalls(reader);
}

function* examineVersions(reader: Reader): Generator<Finding> {
  const [early, present, unreadable] = [new Wrongs(), new Wrongs(), new Wrongs()];
  const rows = reader.iterate(
    `SELECT versions.id, versions.version, versions.is_in_trash, versions.properties, locations.version AS current
     FROM versions LEFT JOIN locations ON locations.id = versions.id`,
  );
  for (const row of rows) {
    const id = textOf(row, 'id');
    const properties = textOrNull(row, 'properties');
    if (properties !== null && !isJson(properties)) unreadable.add(id);
    if (row.current === null) continue;
    if (row.is_in_trash === 1) present.add(id);
    else if (numberOf(row, 'version') >= numberOf(row, 'current')) early.add(id);
  }
  yield* unreadable.report('location', {
    check: 'integrity',
    remedy: RESTORE_LAST,
    message: (some) => `Former properties are not valid JSON: ${some}.`,
  });
  yield* present.report('location', {
    check: 'history',
    remedy: REBUILD,
    message: (some) => `Locations are in the trash and in their map: ${some}.`,
  });
  yield* early.report('location', {
    check: 'history',
    remedy: REBUILD,
    message: (some) => `Locations have former states that are not older than they: ${some}.`,
  });
}

/** Every record has its changes, in the numbers that it counts. */
function* examineCalls(reader: Reader): Generator<Finding> {
  for (const map of reader.iterate('SELECT number, id FROM maps')) {
    const mapNumber = numberOf(map, 'number');
    const counted = countChanges(reader, mapNumber);
    const wrong = new Wrongs();
    const oldest = reader.get('SELECT min(last) AS last FROM changes WHERE map_number = ?', mapNumber);
    const rows = reader.iterate(
      'SELECT id, first_change, created + updated + moved + deleted AS count FROM history WHERE map_number = ?',
      mapNumber,
    );
    for (const row of rows) {
      const id = textOf(row, 'id');
      // The log of an earlier call was removed before its record.
      if (typeof oldest?.last !== 'number' || numberOf(row, 'first_change') < oldest.last) continue;
      if (numberOf(row, 'count') !== (counted.get(id) ?? 0)) wrong.add(id);
    }
    yield* wrong.report('call', {
      check: 'history',
      remedy: RESTORE_LAST,
      message: (some) =>
        `The map ${textOf(map, 'id')} has calls whose changes are not all in its log: ${some}.`,
    });
  }
}

/** The number of changes in the log by call. */
function countChanges(reader: Reader, mapNumber: number): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  const rows = reader.iterate(
    'SELECT json_array_length(entries) AS count, calls FROM changes WHERE map_number = ? AND calls IS NOT NULL',
    mapNumber,
  );
  for (const row of rows) {
    for (const id of decodeCalls(textOrNull(row, 'calls'), numberOf(row, 'count'))) {
      if (id !== null) counted.set(id, (counted.get(id) ?? 0) + 1);
    }
  }
  return counted;
}
