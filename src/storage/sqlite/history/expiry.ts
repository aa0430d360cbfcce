/** Removes what is older, or more, than is kept, in steps. */

import { firstHistoryId } from '../../../domain/ids.ts';
import type { HistoryLimits, HistoryStore } from '../../storage.ts';
import type { Database } from '../database.ts';
import type { SqlRow } from '../engine/driver.ts';
import { numberOf, numberOrNull, textOf } from '../engine/statements.ts';

type Step = Awaited<ReturnType<HistoryStore['removeOldHistory']>>;

/** Versions by number, then history records by map and id. A cursor names the last row: `v NUMBER` or `h MAP ID`. */
export async function removeOldHistory(
  database: Database,
  limits: HistoryLimits,
  after: string | null,
  limit: number,
): Promise<Step> {
  const [table = '', number = '', id = ''] = after?.split(' ') ?? ['v', '0'];
  return table === 'v'
    ? removeVersions(database, limits, Number(number), limit)
    : removeRecords(database, limits, { mapNumber: Number(number), id }, limit);
}

async function removeVersions(
  database: Database,
  limits: HistoryLimits,
  after: number,
  limit: number,
): Promise<Step> {
  const rows = database.read(() =>
    database.all(
      `SELECT versions.number, versions.map_number, versions.sequence, versions.id, versions.version, versions.replaced_by, versions.is_in_trash,
         locations.version AS current, EXISTS (
           SELECT 1 FROM versions AS last WHERE last.id = versions.id AND last.is_in_trash = 1
         ) AS has_trash
       FROM versions LEFT JOIN locations ON locations.id = versions.id
       WHERE versions.number > ? ORDER BY versions.number LIMIT ?`,
      after,
      limit,
    ),
  );
  const over = rows.filter((row) => isOver(row, limits));
  let removed = 0;
  // A write would invalidate the caches of all processes.
  if (over.length > 0) {
    await database.write(() => {
      removed = over
        .map((row) =>
          row.is_in_trash === 1
            ? // Unless it was restored meanwhile.
              database.run(
                `DELETE FROM versions WHERE map_number = ? AND sequence = ? AND id = ? AND EXISTS (
                   SELECT 1 FROM versions AS last WHERE last.number = ? AND last.is_in_trash = 1)`,
                numberOf(row, 'map_number'),
                numberOf(row, 'sequence'),
                textOf(row, 'id'),
                numberOf(row, 'number'),
              )
            : database.run(
                'DELETE FROM versions WHERE number = ? AND is_in_trash = 0',
                numberOf(row, 'number'),
              ),
        )
        .reduce((sum, count) => sum + count);
    });
  }
  const last = rows.at(-1);
  const isEnd = last === undefined || rows.length < limit;
  return { removed, next: isEnd ? 'h 0 ' : `v ${numberOf(last, 'number')}` };
}

function isOver(row: SqlRow, { versionsSince, trashSince, mostVersions }: HistoryLimits): boolean {
  const replacedBy = textOf(row, 'replaced_by');
  if (row.is_in_trash === 1) return replacedBy < firstHistoryId(trashSince);
  if (replacedBy < firstHistoryId(versionsSince)) return true;
  const current = numberOrNull(row, 'current');
  return current === null ? row.has_trash === 0 : numberOf(row, 'version') < current - mostVersions;
}

/** Records of a map sort by time, so a record that is not over ends the map. */
async function removeRecords(
  database: Database,
  { recordsSince }: HistoryLimits,
  after: { readonly mapNumber: number; readonly id: string },
  limit: number,
): Promise<Step> {
  const end = firstHistoryId(recordsSince);
  const first = database.read(() =>
    database.get(
      'SELECT map_number, id FROM history WHERE (map_number, id) > (?, ?) ORDER BY map_number, id LIMIT 1',
      after.mapNumber,
      after.id,
    ),
  );
  if (first === undefined) return { removed: 0, next: null };
  const [mapNumber, firstId] = [numberOf(first, 'map_number'), textOf(first, 'id')];
  if (firstId >= end) return { removed: 0, next: `h ${mapNumber} ~` };
  const rows = database.read(() =>
    database.all(
      'SELECT id FROM history WHERE map_number = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?',
      mapNumber,
      firstId,
      end,
      limit,
    ),
  );
  const lastId = textOf(rows.at(-1) ?? first, 'id');
  const removed = await database.write(() =>
    database.run('DELETE FROM history WHERE map_number = ? AND id <= ?', mapNumber, lastId),
  );
  return { removed, next: `h ${mapNumber} ${lastId}` };
}
