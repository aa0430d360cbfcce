/** Moving locations within their map's list, within one transaction. */

import { changesOfMove } from '../../domain/change.ts';
import type { Listed, MovePosition, ReadingPages } from '../../domain/list/move-plan.ts';
import { planMove } from '../../domain/list/move-plan.ts';
import { encodeOrder, largerNumber } from '../../domain/list/order.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { LocationMove, MoveOutcome } from '../storage.ts';
import type { Connection } from './connection.ts';
import type { SqlRow } from './driver.ts';
import { changeListHead, readListHead } from './list-head.ts';
import { getLocation } from './location-rows.ts';
import { pageClauses } from './pages.ts';
import { numberOf, textOf } from './rows.ts';

const COLUMNS = 'id, order_key, sequence, position';

export function moveAll(
  connection: Connection,
  mapId: string,
  { ids, position }: LocationMove,
  now: number,
): MoveOutcome {
  const head = readListHead(connection, mapId);
  if ('kind' in head) return head;
  const { mapNumber, largestNumber } = head;

  const found = findListed(connection, mapNumber, [...ids, ...targetOf(position)]);
  if ('kind' in found) return found;
  const moved = found.slice(0, ids.length);
  const plan = supplyPages(
    planMove({ moved, kind: position.kind, target: found[ids.length] ?? null, largestNumber }),
    (page) => readPage(connection, mapNumber, page),
  );
  if (plan === null) return { kind: 'too-many-neighbours' };

  for (const { location, order } of plan) {
    connection.run(
      `UPDATE locations SET order_key = ?, position = ?, version = version + 1,
         updated_at = max(?, coalesce(updated_at, created_at)) WHERE id = ?`,
      encodeOrder(order),
      order,
      now,
      location.id,
    );
  }
  changeListHead(connection, head, {
    largestNumber: plan.map(({ order }) => order).reduce(largerNumber, largestNumber),
    changes: changesOfMove(
      ids,
      plan.map(({ location }) => location),
    ),
  });
  return { kind: 'moved', locations: ids.flatMap((id) => getLocation(connection, mapId, id) ?? []) };
}

function targetOf(position: MovePosition): readonly string[] {
  return 'id' in position ? [position.id] : [];
}

/** One for each id, or which of them is not there. */
function findListed(
  connection: Connection,
  mapNumber: number,
  ids: readonly string[],
): readonly Listed[] | Extract<MoveOutcome, { kind: 'missing' }> {
  const found: Listed[] = [];
  for (const id of ids) {
    const row = connection.get(
      `SELECT ${COLUMNS} FROM locations WHERE id = ? AND map_number = ?`,
      id,
      mapNumber,
    );
    if (row === undefined) return { kind: 'missing', id };
    found.push(toListed(row));
  }
  return found;
}

function supplyPages<R>(
  reading: ReadingPages<Listed, R>,
  read: (page: PageRequest<SortKey>) => readonly Listed[],
): R {
  let step = reading.next();
  while (!step.done) step = reading.next(read(step.value));
  return step.value;
}

function readPage(connection: Connection, mapNumber: number, page: PageRequest<SortKey>): readonly Listed[] {
  const { clauses, values } = pageClauses(mapNumber, page);
  const listed = connection.all(`SELECT ${COLUMNS} FROM locations ${clauses}`, ...values).map(toListed);
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
