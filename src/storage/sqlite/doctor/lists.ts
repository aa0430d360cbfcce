/** Each map's list: its order and its end, its totals, and what its locations are found by. */

import { toPlainDecimal } from '../../../domain/coordinates.ts';
import { cellOf } from '../../../domain/filter/cell.ts';
import { EMPTY_LIST, endWith, isBeyond } from '../../../domain/list/list-end.ts';
import { encodeOrder } from '../../../domain/list/order.ts';
import type { Finding } from '../../examination.ts';
import { REBUILD, RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { SqlRow } from '../driver.ts';
import { countWrongSums } from '../search/cell-sums.ts';
import type { Reader } from '../reader.ts';
import { numberOf, textOf, textOrNull } from '../rows.ts';

export function* examineMaps(reader: Reader): Generator<Finding> {
  const maps = reader.iterate('SELECT number, id, location_count, last_sequence, largest_number FROM maps');
  for (const map of maps) yield* examineMap(reader, map);
}

function* examineMap(reader: Reader, map: SqlRow): Generator<Finding> {
  const number = numberOf(map, 'number');
  const look = new Look(map);
  const rows = reader.iterate(
    `SELECT id, order_key, sequence, position, cell, latitude, longitude, lat, lng, properties
     FROM locations WHERE map_number = ?`,
    number,
  );
  for (const row of rows) look.see(row);
  yield* look.findings();
  const sequences = reader.get(
    'SELECT count(*) - count(DISTINCT sequence) AS doubled FROM locations WHERE map_number = ?',
    number,
  );
  const doubled = numberOf(sequences ?? {}, 'doubled');
  const name = textOf(map, 'id');
  if (doubled > 0) {
    yield {
      check: 'orders',
      message: `The map ${name} has ${doubled} locations with the sequence number of another.`,
      remedy: RESTORE_LAST,
    };
  }
  const wrongSums = countWrongSums(reader, number);
  if (wrongSums > 0) {
    yield {
      check: 'totals',
      message: `The map ${name} has ${wrongSums} wrong sums of cells, so that clusters may be wrong.`,
      remedy: REBUILD,
    };
  }
}

/** What is seen of one map. */
class Look {
  readonly #map: SqlRow;
  readonly #unreadable = new Wrongs();
  readonly #wrongKeys = new Wrongs();
  readonly #wrongPlaces = new Wrongs();
  #count = 0;
  #end = EMPTY_LIST;

  constructor(map: SqlRow) {
    this.#map = map;
  }

  see(row: SqlRow): void {
    const id = textOf(row, 'id');
    const order = textOf(row, 'position');
    const point = { latitude: numberOf(row, 'latitude'), longitude: numberOf(row, 'longitude') };
    this.#count += 1;
    this.#end = endWith(this.#end, { order, sequence: numberOf(row, 'sequence') });
    if (textOf(row, 'order_key') !== encodeOrder(order)) this.#wrongKeys.add(id);
    const isInPlace =
      row.cell === cellOf(point) &&
      row.lat === toPlainDecimal(point.latitude) &&
      row.lng === toPlainDecimal(point.longitude);
    if (!isInPlace) this.#wrongPlaces.add(id);
    if (!isJson(textOf(row, 'properties'))) this.#unreadable.add(id);
  }

  *findings(): Generator<Finding> {
    const name = textOf(this.#map, 'id');
    const count = numberOf(this.#map, 'location_count');
    const unreadable = this.#unreadable.describe('location');
    if (unreadable !== null) {
      yield {
        check: 'integrity',
        message: `The map ${name} has ${unreadable} whose properties cannot be read.`,
        remedy: RESTORE_LAST,
      };
    }
    const wrongKeys = this.#wrongKeys.describe('location');
    if (wrongKeys !== null) {
      yield {
        check: 'orders',
        message: `The map ${name} has ${wrongKeys} that do not stand where their order says.`,
        remedy: RESTORE_LAST,
      };
    }
    const end = {
      lastSequence: numberOf(this.#map, 'last_sequence'),
      largestNumber: textOrNull(this.#map, 'largest_number'),
    };
    if (isBeyond(this.#end, end)) {
      yield {
        check: 'orders',
        message: `The end of the list of the map ${name} is not known rightly: what is added next may not come last.`,
        remedy: REBUILD,
      };
    }
    if (count !== this.#count) {
      yield {
        check: 'totals',
        message: `The map ${name} says that it has ${count} locations, and has ${this.#count}.`,
        remedy: REBUILD,
      };
    }
    const wrongPlaces = this.#wrongPlaces.describe('location');
    if (wrongPlaces !== null) {
      yield {
        check: 'indexes',
        message: `The map ${name} has ${wrongPlaces} that are found or shown at another point than theirs.`,
        remedy: REBUILD,
      };
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
