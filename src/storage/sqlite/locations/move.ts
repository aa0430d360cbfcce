/** Moves locations within their map's list, within one transaction. */

import { changesOfMove } from '../../../domain/change.ts';
import type { Listed, MovePosition, ReadingPages } from '../../../domain/list/move-plan.ts';
import { planMove } from '../../../domain/list/move-plan.ts';
import { encodeOrder, largerNumber } from '../../../domain/list/order.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import type { LocationMove, MoveOutcome, WriteCall } from '../../storage.ts';
import type { Database } from '../database.ts';
import type { SqlRow } from '../engine/driver.ts';
import { keepVersion } from '../history/versions.ts';
import { changeListHead, pageClauses, readListHead } from './list.ts';
import { getLocation } from './location-records.ts';
import { numberOf, textOf } from '../engine/statements.ts';

const COLUMNS = 'id, order_key, sequence, position';

export function moveAll(
  database: Database,
  mapId: string,
  { ids, position }: LocationMove,
  now: number,
  call?: WriteCall,
): MoveOutcome {
  const head = readListHead(database, mapId);
  if ('kind' in head) return head;
  const { mapNumber, largestNumber } = head;

  const listed = findListed(database, mapNumber, [...ids, ...targetOf(position)]);
  if ('kind' in listed) return listed;
  const moved = listed.slice(0, ids.length);
  const plan = supplyPages(
    planMove({ moved, kind: position.kind, target: listed[ids.length] ?? null, largestNumber }),
    (page) => readPage(database, mapNumber, page),
  );
  if (plan === null) return { kind: 'too-many-neighbours' };

  for (const { location, order } of plan) {
    keepVersion(database, call, location);
    database.run(
      `UPDATE locations SET order_key = ?, position = ?, version = version + 1,
         updated_at = max(?, coalesce(updated_at, created_at)) WHERE id = ?`,
      encodeOrder(order),
      order,
      now,
      location.id,
    );
  }
  changeListHead(database, head, {
    largestNumber: plan.map(({ order }) => order).reduce(largerNumber, largestNumber),
    changes: changesOfMove(
      ids,
      plan.map(({ location }) => location),
    ),
    call,
  });
  return { kind: 'moved', locations: ids.flatMap((id) => getLocation(database, mapId, id) ?? []) };
}

function targetOf(position: MovePosition): readonly string[] {
  return 'id' in position ? [position.id] : [];
}

/** One entry per id, or the first id that is missing. */
function findListed(
  database: Database,
  mapNumber: number,
  ids: readonly string[],
): readonly Listed[] | Extract<MoveOutcome, { kind: 'missing' }> {
  const listed: Listed[] = [];
  for (const id of ids) {
    const row = database.get(
      `SELECT ${COLUMNS} FROM locations WHERE id = ? AND map_number = ?`,
      id,
      mapNumber,
    );
    if (row === undefined) return { kind: 'missing', id };
    listed.push(toListed(row));
  }
  return listed;
}

function supplyPages<R>(
  reading: ReadingPages<Listed, R>,
  read: (page: PageRequest<SortKey>) => readonly Listed[],
): R {
  let step = reading.next();
  while (!step.done) step = reading.next(read(step.value));
  return step.value;
}

function readPage(database: Database, mapNumber: number, page: PageRequest<SortKey>): readonly Listed[] {
  const { clauses, values } = pageClauses(mapNumber, page);
  const listed = database.all(`SELECT ${COLUMNS} FROM locations ${clauses}`, ...values).map(toListed);
  return page.fromEnd ? listed.reverse() : listed;
}

function toListed(row: SqlRow): Listed {
  return {
    id: textOf(row, 'id'),
    order: textOf(row, 'position'),
    orderKey: textOf(row, 'order_key'),
    sequence: numberOf(row, 'sequence'),
  };
}
