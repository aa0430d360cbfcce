/** Checks each map's list: its order, its end, its count, and the search index of its locations. */

import { isDeepStrictEqual } from 'node:util';

import type { GeocodingCount } from '../../../domain/filter/geocoding-groups.ts';
import { keyOfGroup } from '../../../domain/filter/geocoding-groups.ts';
import { EMPTY_LIST, endWith, isBeyond } from '../../../domain/list/list-end.ts';
import { encodeOrder } from '../../../domain/list/order.ts';
import type { Finding, Unlooked } from '../../examination.ts';
import { REBUILD, RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { Database } from '../database.ts';
import { documentsOf } from '../database.ts';
import type { IndexedLocation, LocationDocument, TrashDocument } from '../locations/location-records.ts';
import { indexedOf, isLive, isTrash, toIndexed, toStoredSortKey } from '../locations/location-records.ts';
import type { MapDocument } from '../schema.ts';
import { countGroups, totalOf } from '../writes/count.ts';
import { mergeRanges } from '../writes/sequence-ranges.ts';

type Stored = LocationDocument & Partial<IndexedLocation>;

export async function* examineMaps(database: Database): AsyncGenerator<Finding | Unlooked> {
  const maps = database.collections.maps.find().project<Pick<MapDocument, '_id'>>({ _id: 1 });
  for await (const { _id: mapId } of documentsOf(database, maps)) {
    yield* examineMap(database, mapId);
    yield* findWrongTotal(database, mapId);
  }
}

async function* examineMap(database: Database, mapId: string): AsyncGenerator<Finding> {
  const check = new ListCheck();
  const { locations } = database.collections;
  let batch: Stored[] = [];
  const checkExternalIds = async () => {
    for (const id of await withoutReservation(database, mapId, batch)) check.unreserved.add(id);
    batch = [];
  };
  // The sequence never changes, so a location that moves meanwhile is not read twice.
  const all = locations
    .find({ mapId, sequence: { $gt: 0 } })
    .sort({ sequence: 1 })
    .allowDiskUse();
  for await (const document of documentsOf(database, all)) {
    if (!isLive(document)) continue;
    check.add(document);
    if (document.externalId !== undefined) batch.push(document);
    if (batch.length === 500) await checkExternalIds();
  }
  await checkExternalIds();
  const trash = locations.find({ mapId, 'trash.key': { $gte: '' } });
  for await (const document of documentsOf(database, trash))
    if (isTrash(document)) check.addTrashed(document);
  // After the locations: the map's document had each of them before it was inserted.
  const map = await database.run(({ maps }) => maps.findOne({ _id: mapId }));
  if (map !== null) yield* check.findings(map);
}

/** Locations whose external id is not reserved, so that another location could get it; each is checked twice. */
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

/** Collects the findings about one map's list. */
class ListCheck {
  readonly unreserved = new Wrongs();
  readonly #unreadable = new Wrongs();
  readonly #wrongPlaces = new Wrongs();
  readonly #wrongIndexed = new Wrongs();
  readonly #foreign = new Wrongs();
  #end = EMPTY_LIST;

  add(document: Stored): void {
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

  /** A restored location has its sequence number and order again, so no other may get them. */
  addTrashed({ trash: { location } }: TrashDocument): void {
    this.#end = endWith(this.#end, location);
  }

  *findings({ _id: name, end }: MapDocument): Generator<Finding> {
    const wrongs = (some: Wrongs, what: string) => {
      const described = some.describe('location');
      return described === null ? null : `The map ${name} has ${described} ${what}`;
    };
    const unreadable = wrongs(this.#unreadable, 'whose properties are not valid JSON.');
    if (unreadable !== null) yield { check: 'integrity', message: unreadable, remedy: RESTORE_LAST };
    const foreign = wrongs(this.#foreign, 'whose id does not belong to this map.');
    if (foreign !== null) yield { check: 'orphans', message: foreign, remedy: RESTORE_LAST };
    const wrongPlaces = wrongs(this.#wrongPlaces, 'whose position does not match their order.');
    if (wrongPlaces !== null) yield { check: 'orders', message: wrongPlaces, remedy: RESTORE_LAST };
    if (isBeyond(this.#end, { lastSequence: end.sequence, largestNumber: end.largestNumber })) {
      yield {
        check: 'orders',
        message: `The stored end of the list of map ${name} is wrong: the next appended location may not come last.`,
        remedy: REBUILD,
      };
    }
    const wrongIndexed = wrongs(this.#wrongIndexed, 'whose search index does not match their content.');
    if (wrongIndexed !== null) yield { check: 'indexes', message: wrongIndexed, remedy: REBUILD };
    const unreserved = wrongs(
      this.unreserved,
      'whose external id is not reserved: another location could get it too.',
    );
    if (unreserved !== null) yield { check: 'indexes', message: unreserved, remedy: REBUILD };
  }
}

const ATTEMPTS = 5;

/** Checks the invariant of writes/count.ts: counts the locations that no open write names, again if the map has changed. */
export async function* findWrongTotal(database: Database, mapId: string): AsyncGenerator<Finding | Unlooked> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await readMap(database, mapId);
    if (before === null) return;
    const settled = await countSettled(database, before);
    if (isSameCount(settled, before.count.settled)) return;
    const after = await readMap(database, mapId);
    if (after?.end.version !== before.end.version) continue;
    yield {
      check: 'totals',
      message: describeTotal(mapId, settled, before.count.settled),
      remedy: REBUILD,
    };
    return;
  }
  yield {
    check: 'totals',
    unlooked: `The map ${mapId} is written to all the time, so its total was not checked.`,
  };
}

function readMap(
  database: Database,
  mapId: string,
): Promise<Pick<MapDocument, '_id' | 'end' | 'count'> | null> {
  return database.run(({ maps }) => maps.findOne({ _id: mapId }, { projection: { end: 1, count: 1 } }));
}

function isSameCount(a: readonly GeocodingCount[], b: readonly GeocodingCount[]): boolean {
  const byKey = (counts: readonly GeocodingCount[]) =>
    new Map(counts.map((group) => [keyOfGroup(group), group.count]));
  return isDeepStrictEqual(byKey(a), byKey(b));
}

function describeTotal(
  mapId: string,
  settled: readonly GeocodingCount[],
  kept: readonly GeocodingCount[],
): string {
  const [count, says] = [totalOf(settled), totalOf(kept)];
  return count === says
    ? `The map ${mapId} has wrong counts by geocoding.`
    : `The map ${mapId} has ${count} locations that no write is changing, but its count says ${says}.`;
}

function countSettled(
  database: Database,
  { _id: mapId, count }: Pick<MapDocument, '_id' | 'count'>,
): Promise<readonly GeocodingCount[]> {
  const open = mergeRanges(count.open).map(({ from, to }) => ({ sequence: { $gte: from, $lte: to } }));
  return database.run((collections) =>
    countGroups(collections, { mapId, place: { $gt: '' }, ...(open.length === 0 ? {} : { $nor: open }) }),
  );
}
