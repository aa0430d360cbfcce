/** What a batch of requests makes of a map's document, and what each of them is answered when that is stored. */

import { addAllToList } from '../../domain/list-end.ts';
import { encodeOrder, isNumberKey, largerNumber } from '../../domain/order.ts';
import type { AnnouncedWrite } from './announced-write.ts';
import { openWrite } from './announced-write.ts';
import type { Collections } from './database.ts';
import type { ListEndDocument, LocationDocument, MapDocument, TombstoneDocument } from './documents.ts';
import type { ListCount, OpenWrite } from './list-count.ts';
import { announce } from './list-count.ts';
import type { AppendRequest, ListRequest, RemovalRequest, StoringRequest } from './list-requests.ts';
import { LOCAL } from './local-reads.ts';
import { isLive } from './location-documents.ts';
import { fromRank, sequenceOf } from './rank.ts';

type StoredLocation = LocationDocument | TombstoneDocument;
type WriteOf = (entry: OpenWrite, parts: number) => AnnouncedWrite;

export interface ListPlan {
  /** The same object as before where nothing changes; likewise `count`. */
  readonly end: ListEndDocument;
  readonly count: ListCount;
  readonly answers: readonly (() => void)[];
}

export async function planChange(
  collections: Collections,
  mapId: string,
  map: Pick<MapDocument, 'isDeleted' | 'end' | 'count'>,
  batch: readonly ListRequest[],
  announced: WriteOf,
): Promise<ListPlan> {
  const answers: (() => void)[] = [];
  let { end, count } = map;

  for (const request of batch) {
    if (request.kind !== 'use') continue;
    const { orders, largestNumber = end.largestNumber } = request;
    const isOvertaken = largestNumber !== end.largestNumber;
    const used = isOvertaken ? 'overtaken' : 'used';
    if (!map.isDeleted && !isOvertaken) end = withOrders(end, orders);
    answers.push(() => request.resolve({ kind: map.isDeleted ? 'map-deleted' : used }));
  }

  const touching = batch.filter((request) => request.kind === 'remove' || request.kind === 'store');
  const found = await findLocations(
    collections,
    mapId,
    touching.map(({ id }) => id),
  );
  for (const request of touching) {
    // A location that is stored late was taken on before the map was deleted.
    if (map.isDeleted && request.kind === 'remove') {
      answers.push(() => request.resolve({ kind: 'map-deleted' }));
      continue;
    }
    const touched = touch(request, found.get(request.id));
    if (touched === null) {
      answers.push(() => request.resolve({ kind: 'nothing' }));
      continue;
    }
    count = announce(count, touched.entry, touched.present);
    answers.push(() => request.resolve({ kind: 'announced', write: announced(touched.entry, 1) }));
  }

  const appends = batch.filter((request) => request.kind === 'append');
  if (appends.length > 0 && map.isDeleted) {
    for (const { resolve } of appends) answers.push(() => resolve({ kind: 'map-deleted' }));
  } else if (appends.length > 0) {
    const added = await append(collections, mapId, end, appends, announced);
    count = announce(count, added.entry, []);
    end = added.end;
    answers.push(added.answer);
  }
  return { end, count, answers };
}

/** @returns `end` itself where the orders say nothing new of it */
function withOrders(end: ListEndDocument, orders: readonly string[]): ListEndDocument {
  const largestNumber = orders.reduce(largerNumber, end.largestNumber);
  const hasTexts = end.hasTexts || orders.some((order) => !isNumberKey(encodeOrder(order)));
  if (largestNumber === end.largestNumber && hasTexts === end.hasTexts) return end;
  return { ...end, largestNumber, hasTexts };
}

/** Null where there is nothing to do: nothing to be removed, or an id that is taken already. */
function touch(
  request: RemovalRequest | StoringRequest,
  found: StoredLocation | undefined,
): { readonly entry: OpenWrite; readonly present: readonly number[] } | null {
  if (request.kind === 'store') {
    const { sequence } = request;
    return found === undefined ? { entry: openWrite({ from: sequence, to: sequence }), present: [] } : null;
  }
  if (found === undefined || !isLive(found)) return null;
  const own = sequenceOf(found.place);
  return { entry: openWrite({ from: own, to: own }), present: [own] };
}

/** Locations for all requests of a batch, one after the other in the list, under one entry. */
async function append(
  collections: Collections,
  mapId: string,
  { version, sequence, largestNumber, hasTexts }: ListEndDocument,
  requests: readonly AppendRequest[],
  announced: WriteOf,
) {
  const lastText = hasTexts ? await findLastText(collections, mapId) : null;
  const { added, end } = addAllToList(
    { lastSequence: sequence, largestNumber, lastText },
    requests.flatMap(({ orders }) => orders),
  );
  const entry = openWrite({ from: sequence + 1, to: end.lastSequence });
  const document: ListEndDocument = {
    version,
    sequence: end.lastSequence,
    largestNumber: end.largestNumber,
    hasTexts: hasTexts || end.lastText !== null,
  };
  const answer = () => {
    const write = announced(entry, requests.length);
    let next = 0;
    for (const { orders, resolve } of requests) {
      resolve({ kind: 'given', sortKeys: added.slice(next, next + orders.length), write });
      next += orders.length;
    }
  };
  return { entry, end: document, answer };
}

async function findLocations(
  { locations }: Collections,
  mapId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredLocation>> {
  if (ids.length === 0) return new Map();
  const found = await locations
    .find({ mapId: { $eq: mapId }, _id: { $in: [...new Set(ids)] } }, LOCAL)
    .hint('_id_')
    .project<StoredLocation>({ _id: 1, place: 1 })
    .toArray();
  return new Map(found.map((document) => [document._id, document]));
}

/** The order of the list's last location where that is a text. */
async function findLastText({ locations }: Collections, mapId: string): Promise<string | null> {
  const last = await locations.findOne(
    { mapId: { $eq: mapId }, place: { $gte: '' } },
    { sort: { place: -1 }, hint: 'locations_in_order', projection: { place: 1 } },
  );
  if (last === null || !isLive(last)) return null;
  const { orderKey } = fromRank(last.place);
  return isNumberKey(orderKey) ? null : orderKey.slice(1);
}
