/** Each map's list: order, end, totals, and derived columns. */

import { toPlainDecimal } from '../../../domain/coordinates.ts';
import { cellOf } from '../../../domain/filter/cell.ts';
import { isJson } from '../../../domain/json/json.ts';
import { EMPTY_LIST, endWith, isBeyond } from '../../../domain/list/list-end.ts';
import { encodeOrder } from '../../../domain/list/order.ts';
import type { Finding } from '../../examination.ts';
import { REBUILD, RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { SqlRow } from '../engine/driver.ts';
import { countWrongSums } from '../search/cell-sums.ts';
import { countWrongGroups } from '../search/geocoding-groups.ts';
import type { Reader } from '../engine/statements.ts';
import { numberOf, textOf, textOrNull } from '../engine/statements.ts';

export function* examineMaps(reader: Reader): Generator<Finding> {
  const maps = reader.iterate('SELECT number, id, location_count, last_sequence, largest_number FROM maps');
  for (const map of maps) yield* examineMap(reader, map);
}

function* examineMap(reader: Reader, map: SqlRow): Generator<Finding> {
  const number = numberOf(map, 'number');
  const check = new MapCheck(map);
  const rows = reader.iterate(
    `SELECT id, order_key, sequence, position, cell, latitude, longitude, lat, lng, properties
     FROM locations WHERE map_number = ?`,
    number,
  );
  for (const row of rows) check.add(row);
  yield* check.findings();
  const sequences = reader.get(
    'SELECT count(*) - count(DISTINCT sequence) AS duplicates FROM locations WHERE map_number = ?',
    number,
  );
  const duplicates = numberOf(sequences ?? {}, 'duplicates');
  const name = textOf(map, 'id');
  if (duplicates > 0) {
    yield {
      check: 'orders',
      message: `The map ${name} has duplicate sequence numbers (${duplicates}).`,
      remedy: RESTORE_LAST,
    };
  }
  const wrongSums = countWrongSums(reader, number);
  if (wrongSums > 0) {
    yield {
      check: 'totals',
      message: `The map ${name} has wrong cell sums (${wrongSums}); clusters may be wrong.`,
      remedy: REBUILD,
    };
  }
  const wrongGroups = countWrongGroups(reader, number);
  if (wrongGroups > 0) {
    yield {
      check: 'totals',
      message: `The map ${name} has wrong counts by geocoding (${wrongGroups}).`,
      remedy: REBUILD,
    };
  }
}

/** Collects the problems of one map. */
class MapCheck {
  readonly #map: SqlRow;
  readonly #unreadable = new Wrongs();
  readonly #wrongKeys = new Wrongs();
  readonly #misplaced = new Wrongs();
  #count = 0;
  #end = EMPTY_LIST;

  constructor(map: SqlRow) {
    this.#map = map;
  }

  add(row: SqlRow): void {
    const id = textOf(row, 'id');
    const order = textOf(row, 'position');
    const point = { latitude: numberOf(row, 'latitude'), longitude: numberOf(row, 'longitude') };
    this.#count += 1;
    this.#end = endWith(this.#end, { order, sequence: numberOf(row, 'sequence') });
    if (textOf(row, 'order_key') !== encodeOrder(order)) this.#wrongKeys.add(id);
    const isAtPoint =
      row.cell === cellOf(point) &&
      row.lat === toPlainDecimal(point.latitude) &&
      row.lng === toPlainDecimal(point.longitude);
    if (!isAtPoint) this.#misplaced.add(id);
    if (!isJson(textOf(row, 'properties'))) this.#unreadable.add(id);
  }

  *findings(): Generator<Finding> {
    const name = textOf(this.#map, 'id');
    const count = numberOf(this.#map, 'location_count');
    yield* this.#unreadable.report('location', {
      check: 'integrity',
      remedy: RESTORE_LAST,
      message: (some) => `The map ${name} has ${some} whose properties are not valid JSON.`,
    });
    yield* this.#wrongKeys.report('location', {
      check: 'orders',
      remedy: RESTORE_LAST,
      message: (some) => `The map ${name} has ${some} whose order key does not match their order.`,
    });
    const end = {
      lastSequence: numberOf(this.#map, 'last_sequence'),
      largestNumber: textOrNull(this.#map, 'largest_number'),
    };
    if (isBeyond(this.#end, end)) {
      yield {
        check: 'orders',
        message: `The stored end of the list of map ${name} is wrong: the next appended location may not come last.`,
        remedy: REBUILD,
      };
    }
    if (count !== this.#count) {
      yield {
        check: 'totals',
        message: `The map ${name} has ${this.#count} locations, but its count says ${count}.`,
        remedy: REBUILD,
      };
    }
    yield* this.#misplaced.report('location', {
      check: 'indexes',
      remedy: REBUILD,
      message: (some) => `The map ${name} has ${some} that searches or pages show at another point.`,
    });
  }
}
