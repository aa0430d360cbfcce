/** Moving locations within their map's list, within one transaction. */

import type { Listed, MovePlace, ReadingPages } from '../../domain/move-plan.ts';
import { planMove } from '../../domain/move-plan.ts';
import { encodeOrder, largerNumber } from '../../domain/order.ts';
import type { PageRequest } from '../../domain/paging.ts';
import type { SortKey } from '../../domain/sort-key.ts';
import type { LocationMove, MoveOutcome } from '../storage.ts';
import type { Connection } from './connection.ts';
import type { SqlRow } from './driver.ts';
import { getLocation } from './location-rows.ts';
import { goneBy } from './maps.ts';
import { pageClauses } from './pages.ts';
import { numberOf, textOf, textOrNull } from './rows.ts';

const COLUMNS = 'id, order_key, sequence, position';

export function moveAll(
  connection: Connection,
  mapId: string,
  { ids, place }: LocationMove,
  now: number,
): MoveOutcome {
  const map = connection.get('SELECT is_deleted, number, largest_number FROM maps WHERE id = ?', mapId);
  const gone = goneBy(map);
  if (map === undefined || gone !== null) return gone ?? { kind: 'map-missing' };
  const mapNumber = numberOf(map, 'number');
  const largestNumber = textOrNull(map, 'largest_number');

  const found = findListed(connection, mapNumber, [...ids, ...targetOf(place)]);
  if ('kind' in found) return found;
  const moved = found.slice(0, ids.length);
  const plan = answerReads(
    planMove({ moved, kind: place.kind, target: found[ids.length] ?? null, largestNumber }),
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
  if (plan.length > 0) {
    connection.run(
      'UPDATE maps SET largest_number = ?, revision = revision + 1 WHERE number = ?',
      plan.map(({ order }) => order).reduce(largerNumber, largestNumber),
      mapNumber,
    );
  }
  return { kind: 'moved', locations: ids.flatMap((id) => getLocation(connection, mapId, id) ?? []) };
}

function targetOf(place: MovePlace): readonly string[] {
  return 'id' in place ? [place.id] : [];
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

function answerReads<R>(
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
