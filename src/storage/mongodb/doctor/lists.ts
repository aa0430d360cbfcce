/** Each map's list: its order and its end, its total, and what its locations are found by. */

import { isDeepStrictEqual } from 'node:util';

import { EMPTY_LIST, endWith, isBeyond } from '../../../domain/list/list-end.ts';
import { encodeOrder } from '../../../domain/list/order.ts';
import type { Finding, Unlooked } from '../../examination.ts';
import { REBUILD, RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { Database } from '../database.ts';
import type { IndexedLocation, LocationDocument, MapDocument } from '../documents.ts';
import { indexedOf, toIndexed } from '../search/indexed.ts';
import { isLive } from '../location-documents.ts';
import { toStoredSortKey } from '../stored-sort-key.ts';
import { documentsOf } from '../for-each-batch.ts';
import { findWrongTotal } from './totals.ts';

type Stored = LocationDocument & Partial<IndexedLocation>;

export async function* examineMaps(database: Database): AsyncGenerator<Finding | Unlooked> {
  const maps = database.collections.maps.find().project<Pick<MapDocument, '_id'>>({ _id: 1 });
  for await (const { _id: mapId } of documentsOf(database, maps)) {
    yield* examineMap(database, mapId);
    yield* findWrongTotal(database, mapId);
  }
}

async function* examineMap(database: Database, mapId: string): AsyncGenerator<Finding> {
  const look = new Look();
  const { locations } = database.collections;
  let batch: Stored[] = [];
  const lookAtExternalIds = async () => {
    for (const id of await withoutReservation(database, mapId, batch)) look.unreserved.add(id);
    batch = [];
  };
  // By what never changes: a location that is moved meanwhile is not met twice.
  const all = locations
    .find({ mapId, sequence: { $gt: 0 } })
    .sort({ sequence: 1 })
    .allowDiskUse();
  for await (const document of documentsOf(database, all)) {
    if (!isLive(document)) continue;
    look.see(document);
    if (document.externalId !== undefined) batch.push(document);
    if (batch.length === 500) await lookAtExternalIds();
  }
  await lookAtExternalIds();
  // Read after the locations: each of them was told to the map before it was stored.
  const map = await database.run(({ maps }) => maps.findOne({ _id: mapId }));
  if (map !== null) yield* look.findings(map);
}

/** Those whose external id nobody keeps for them, so that another could get it; looked at once more, as they are then. */
async function withoutReservation(
  database: Database,
  mapId: string,
  documents: readonly Stored[],
): Promise<readonly string[]> {
  if (documents.length === 0) return [];
  const reserved = async (of: readonly Stored[]) => {
    const externalIds = of.flatMap(({ externalId }) => externalId ?? []);
    const found = await database.run(({ externalIds: reservations }) =>
      reservations.find({ mapId, externalId: { $in: externalIds } }).toArray(),
    );
    return new Map(found.map(({ externalId, locationId }) => [externalId, locationId]));
  };
  const first = await reserved(documents);
  const suspects = documents.filter(({ _id, externalId = '' }) => first.get(externalId) !== _id);
  if (suspects.length === 0) return [];
  const again = await database.run(({ locations }) =>
    locations.find({ mapId, _id: { $in: suspects.map(({ _id }) => _id) } }).toArray(),
  );
  const now = again.filter(isLive).filter(({ externalId }) => externalId !== undefined);
  const second = await reserved(now);
  return now.filter(({ _id, externalId = '' }) => second.get(externalId) !== _id).map(({ _id }) => _id);
}

/** What is seen of one map. */
class Look {
  readonly unreserved = new Wrongs();
  readonly #unreadable = new Wrongs();
  readonly #wrongPlaces = new Wrongs();
  readonly #wrongIndexed = new Wrongs();
  readonly #foreign = new Wrongs();
  #end = EMPTY_LIST;

  see(document: Stored): void {
    const { _id, mapId, order, sequence, place, cell, terms, shape } = document;
    this.#end = endWith(this.#end, { order, sequence });
    if (place !== toStoredSortKey({ orderKey: encodeOrder(order), sequence })) this.#wrongPlaces.add(_id);
    if (!_id.startsWith(`${mapId}_`)) this.#foreign.add(_id);
    try {
      const wanted = indexedOf(toIndexed(document));
      if (!isDeepStrictEqual({ cell, terms, shape }, wanted)) this.#wrongIndexed.add(_id);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.#unreadable.add(_id);
    }
  }

  *findings({ _id: name, end }: MapDocument): Generator<Finding> {
    const wrongs = (some: Wrongs, what: string) => {
      const described = some.describe('location');
      return described === null ? null : `The map ${name} has ${described} ${what}`;
    };
    const unreadable = wrongs(this.#unreadable, 'whose properties cannot be read.');
    if (unreadable !== null) yield { check: 'integrity', message: unreadable, remedy: RESTORE_LAST };
    const foreign = wrongs(this.#foreign, 'whose id is not of this map.');
    if (foreign !== null) yield { check: 'orphans', message: foreign, remedy: RESTORE_LAST };
    const wrongPlaces = wrongs(this.#wrongPlaces, 'that do not stand where their order says.');
    if (wrongPlaces !== null) yield { check: 'orders', message: wrongPlaces, remedy: RESTORE_LAST };
    if (isBeyond(this.#end, { lastSequence: end.sequence, largestNumber: end.largestNumber })) {
      yield {
        check: 'orders',
        message: `The end of the list of the map ${name} is not known rightly: what is added next may not come last.`,
        remedy: REBUILD,
      };
    }
    const wrongIndexed = wrongs(this.#wrongIndexed, 'that are not found by what they hold.');
    if (wrongIndexed !== null) yield { check: 'indexes', message: wrongIndexed, remedy: REBUILD };
    const unreserved = wrongs(this.unreserved, 'whose external id another location could get too.');
    if (unreserved !== null) yield { check: 'indexes', message: unreserved, remedy: REBUILD };
  }
}
