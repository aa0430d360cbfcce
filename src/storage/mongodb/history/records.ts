/** Reads what calls have changed: the parts of their records (calls.ts), and the change log. */

import type { Filter } from 'mongodb';

import { firstHistoryId } from '../../../domain/ids.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import { fromEntry, MOST_TOGETHER, toEntry } from '../../change-entries.ts';
import type { CallChange, HistoryFilter, HistoryRecord } from '../../storage.ts';
import type { ChangesDocument, Collections, HistoryDocument } from '../schema.ts';
import { callOfPart, toRecord } from './calls.ts';

/** Documents per batch. */
const BATCH = 200;
/** Calls that may have created a location. */
const MAX_CANDIDATES = 1_000;
/** How many of them are searched at once first; then twice as many each time. */
const FIRST_CANDIDATES = 20;
/** Parts that are less apart in the log are read by one query. */
const NEAR = MOST_TOGETHER;

export async function listHistory(
  { history }: Pick<Collections, 'history'>,
  mapId: string,
  { limit, after }: { readonly limit: number; readonly after: string | null },
  { since, until, operation }: HistoryFilter,
): Promise<readonly HistoryRecord[]> {
  if (limit === 0) return [];
  const first = since === null ? '' : firstHistoryId(since);
  let last = until === null ? '~' : firstHistoryId(until + 1);
  if (after !== null && after < last) last = after;
  const filter: Filter<HistoryDocument> = {
    mapId: { $eq: mapId },
    _id: { $gt: `${mapId} ${first}`, $lt: `${mapId} ${last}` },
    ...(operation !== null && { operation: { $eq: operation } }),
  };
  const cursor = history
    .find(filter)
    .sort({ _id: -1 })
    .hint('_id_')
    .batchSize(limit + 1);
  const records: HistoryRecord[] = [];
  let parts: HistoryDocument[] = [];
  for await (const part of cursor) {
    if (parts[0] !== undefined && callOfPart(parts[0]) !== callOfPart(part)) {
      if (records.push(toRecord(parts)) === limit) return records;
      parts = [];
    }
    parts.push(part);
  }
  if (parts.length > 0) records.push(toRecord(parts));
  return records;
}

export async function findHistory(
  { history }: Pick<Collections, 'history'>,
  mapId: string,
  ids: readonly string[],
): Promise<readonly (HistoryRecord | null)[]> {
  return Promise.all(
    ids.map(async (id) => {
      const parts = await history.find(partsOf(mapId, id)).sort({ _id: 1 }).hint('_id_').toArray();
      return parts.length === 0 ? null : toRecord(parts);
    }),
  );
}

/** The filter of a call's parts. */
function partsOf(mapId: string, id: string) {
  // The next character after the space.
  return { mapId: { $eq: mapId }, _id: { $gt: `${mapId} ${id} `, $lt: `${mapId} ${id}!` } };
}

/** Reads the changes of a call from its parts, without those of other calls in between. */
export async function changesOfCall(
  { history, changes }: Pick<Collections, 'history' | 'changes'>,
  mapId: string,
  id: string,
  { limit, after }: { readonly limit: number; readonly after: number },
): Promise<readonly CallChange[]> {
  const found: CallChange[] = [];
  if (limit === 0) return found;
  const cursor = history
    .find({ ...partsOf(mapId, id), last: { $gt: after }, isSummary: { $exists: false } })
    .sort({ _id: 1 })
    .hint('_id_')
    .batchSize(BATCH);
  let near: HistoryDocument[] = [];
  const readNear = async () => {
    found.push(...(await changesIn({ changes }, mapId, near, { limit: limit - found.length, after })));
    near = [];
  };
  for await (const part of cursor) {
    const end = near.at(-1)?.last ?? part.first;
    if (part.first > end + NEAR || part.last - (near[0]?.first ?? part.first) > 10 * NEAR) await readNear();
    if (found.length >= limit) return found;
    near.push(part);
  }
  await readNear();
  return found;
}

/** @param parts ascending */
async function changesIn(
  { changes }: Pick<Collections, 'changes'>,
  mapId: string,
  parts: readonly HistoryDocument[],
  { limit, after }: { readonly limit: number; readonly after: number },
): Promise<readonly CallChange[]> {
  const [first, last] = [parts[0], parts.at(-1)];
  const found: CallChange[] = [];
  if (first === undefined || last === undefined || limit <= 0) return found;
  const cursor = changes
    .find({
      mapId: { $eq: mapId },
      last: { $gte: Math.max(first.first, after + 1), $lt: last.last + MOST_TOGETHER },
    })
    .sort({ last: 1 })
    .hint('changes_by_place');
  let index = 0;
  for await (const document of cursor) {
    for (const change of toCallChanges(mapId, document)) {
      while ((parts[index]?.last ?? Infinity) < change.number) index += 1;
      const part = parts[index];
      if (part === undefined) return found;
      if (change.number < part.first || change.number <= after) continue;
      if (found.push(change) === limit) return found;
    }
  }
  return found;
}

function toCallChanges(mapId: string, { last, entries }: ChangesDocument): readonly CallChange[] {
  const first = last - entries.length + 1;
  return entries.flatMap((entry, index) => {
    // A number that was assigned and not used.
    if (entry === '') return [];
    const { kind, id } = fromEntry(mapId, entry);
    return [{ number: first + index, kind, locationId: id }];
  });
}

/** Searches the calls that were under way when the location was created, the latest first. */
export async function findCreation(
  collections: Pick<Collections, 'history' | 'changes'>,
  mapId: string,
  { id, createdAt }: Pick<LocationRecord, 'id' | 'createdAt'>,
): Promise<string | null> {
  const cursor = collections.history
    .find({
      mapId: { $eq: mapId },
      _id: { $gt: `${mapId} `, $lt: `${mapId} ${firstHistoryId(createdAt + 1)}` },
      'counts.created': { $gt: 0 },
    })
    .sort({ _id: -1 })
    .hint('_id_')
    .limit(MAX_CANDIDATES)
    .batchSize(FIRST_CANDIDATES);
  const entry = toEntry(mapId, { kind: 'created', id });
  let most = FIRST_CANDIDATES;
  let candidates: HistoryDocument[] = [];
  for await (const part of cursor) {
    if (candidates.push(part) < most) continue;
    const callId = await findCreator(collections, mapId, entry, candidates);
    if (callId !== null) return callId;
    candidates = [];
    most *= 2;
  }
  return findCreator(collections, mapId, entry, candidates);
}

/** The call among these parts that made this entry. */
async function findCreator(
  { history, changes }: Pick<Collections, 'history' | 'changes'>,
  mapId: string,
  entry: string,
  parts: readonly HistoryDocument[],
): Promise<string | null> {
  const [some] = parts;
  if (some === undefined) return null;
  const from = Math.min(...parts.map(({ first }) => first));
  const to = Math.max(...parts.map(({ last }) => last));
  const holding = await changes
    .find({ mapId: { $eq: mapId }, last: { $gte: from, $lt: to + MOST_TOGETHER }, entries: entry })
    .sort({ last: 1 })
    .hint('changes_by_place')
    .limit(1)
    .toArray();
  const [document] = holding;
  if (document === undefined) return null;
  const number = document.last - document.entries.length + 1 + document.entries.indexOf(entry);
  for (const part of parts.filter(({ first, last }) => first <= number && number <= last)) {
    const callId = callOfPart(part);
    if (part.isSummary !== true) return callId;
    const having = await history.findOne(
      {
        ...partsOf(mapId, callId),
        first: { $lte: number },
        last: { $gte: number },
        isSummary: { $exists: false },
      },
      { hint: '_id_' },
    );
    if (having !== null) return callId;
  }
  return null;
}
