/**
 * Restores locations from the trash with the steps of a create: the write intent, the external id, the location. The versions
 * before and after the deletion are stored with the intent, as in an update.
 */

import PQueue from 'p-queue';

import { storageUnavailable } from '../../../errors.ts';
import type { HistoryStore, LocationRestore, RestoreOutcome, WriteCall } from '../../storage.ts';
import { findTakenExternalIds } from '../locations/external-ids.ts';
import type { LocationDocument, TrashDocument } from '../locations/location-records.ts';
import {
  deletedBy,
  NO_CALL,
  sequenceOf,
  toLocation,
  toState,
  versionFilter,
  withIndexed,
} from '../locations/location-records.ts';
import { mapUnavailable } from '../maps.ts';
import type { Collections } from '../schema.ts';
import type { Writer } from '../writes/map-writes.ts';
import { isFenced, ROUNDS, unfenced } from '../writes/recovery.ts';
import type { IntentRecorded } from '../writes/requests.ts';
import { reserve } from '../writes/reservations.ts';
import { insertVersions, removeVersions, versionId } from './former-states.ts';
import { readTrash } from './trash.ts';

/** Concurrent statements of one call. */
const CONCURRENCY = 10;

const TAKEN = { kind: 'external-id-taken' } as const;

/** A location that may be restored. */
interface Item {
  /** Its index in the call. */
  readonly index: number;
  readonly restore: LocationRestore;
  readonly trashed: TrashDocument;
  /** As it is stored, without its change number. */
  readonly location: LocationDocument;
}

/** By index in the call; missing locations are absent. */
type Outcomes = Map<number, RestoreOutcome>;

interface RestoreCall {
  readonly mapId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly call: WriteCall | undefined;
}

export async function restoreAll(
  writer: Writer,
  restores: readonly LocationRestore[],
  restoreCall: RestoreCall,
): Promise<Awaited<ReturnType<HistoryStore['restoreLocations']>>> {
  const { collections } = writer;
  const { mapId, call } = restoreCall;
  const outcomes: Outcomes = new Map();
  let left = await findItems(writer, restores, restoreCall, outcomes);
  for (let round = 1; round === 1 || left.length > 0; round += 1) {
    if (round > ROUNDS) throw storageUnavailable();
    const [recorded] = await Promise.all([
      left.length === 0 ? mapUnavailable(collections, mapId) : recordIntent(writer, restoreCall, left),
      keepDeletions(collections, call, left),
    ]);
    if (recorded === null) break;
    if (recorded.kind !== 'recorded') return recorded;
    left = await restoreRecorded(writer, restoreCall, left, recorded, outcomes);
  }
  return {
    kind: 'done',
    outcomes: restores.map((_, index) => outcomes.get(index) ?? { kind: 'missing' }),
  };
}

/** The locations that may be restored. Adds the outcomes of others. */
async function findItems(
  writer: Writer,
  restores: readonly LocationRestore[],
  { mapId, now, call }: RestoreCall,
  outcomes: Outcomes,
): Promise<readonly Item[]> {
  const found = await readTrash(
    writer.collections,
    mapId,
    restores.map(({ id }) => id),
  );
  const items: Item[] = [];
  for (const [index, restore] of restores.entries()) {
    const trashed = found.get(restore.id);
    if ((trashed?.trash.location.version ?? 1) !== restore.version || trashed === undefined) continue;
    found.delete(restore.id);
    items.push({ index, restore, trashed, location: toRestored(trashed, now, call) });
  }
  const taken = await findTakenExternalIds(
    writer,
    mapId,
    items.map(({ location }) => location),
  );
  const isTaken = ({ location: { externalId } }: Item) => externalId !== undefined && taken.has(externalId);
  for (const { index } of items.filter(isTaken)) outcomes.set(index, TAKEN);
  return items.filter((item) => !isTaken(item));
}

function toRestored(
  { trash: { location }, fence }: TrashDocument,
  now: number,
  call: WriteCall | undefined,
): LocationDocument {
  const updatedAt = Math.max(now, (location.updatedAt ?? location.createdAt).getTime());
  const fences = [location.fence, fence].filter((each) => each !== undefined);
  return {
    ...location,
    version: (location.version ?? 1) + 2,
    updatedAt: new Date(updatedAt),
    call: call?.id ?? NO_CALL,
    // Statements that it held off before the deletion may still be on their way.
    ...(fences.length > 0 && { fence: Math.max(...fences) }),
  };
}

async function recordIntent({ writes }: Writer, { mapId, call }: RestoreCall, items: readonly Item[]) {
  const recorded = await writes.recordChanges(mapId, {
    changes: items.map(({ restore: { id } }) => ({ kind: 'created', id })),
    restored: new Map(items.map(({ location }) => [location._id, sequenceOf(location.place)])),
    orders: items.map(({ location }) => location.order),
    call,
  });
  if (recorded.kind === 'overtaken')
    throw new Error('Only a request with a largest number can be overtaken.');
  return recorded;
}

/** Stores the last state and the deletion as versions, which count once the location is restored. */
async function keepDeletions(
  collections: Collections,
  call: WriteCall | undefined,
  items: readonly Item[],
): Promise<void> {
  if (call === undefined || call.mostVersions === 0) return;
  const documents = items.flatMap(({ trashed }) => {
    const { _id: id, mapId, trash } = trashed;
    const { version = 1, call: madeBy } = trash.location;
    const deletion = deletedBy(trashed);
    return [
      { _id: versionId({ id, version }, deletion), mapId, state: toState(trash.location), madeBy },
      { _id: versionId({ id, version: version + 1 }, call.id), mapId, madeBy: deletion },
    ];
  });
  await insertVersions(collections, documents);
}

/** @returns the items that a recovery has fenced off */
async function restoreRecorded(
  writer: Writer,
  { mapId, call }: RestoreCall,
  items: readonly Item[],
  { write, firstChange }: IntentRecorded,
  outcomes: Outcomes,
): Promise<readonly Item[]> {
  const { collections } = writer;
  const reserved = await reserve(
    writer,
    items.map(({ location }) => location),
  );
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const results = await queue.addAll(
    items.map((item, index) => async () => {
      if (reserved.refused.has(item.location)) return TAKEN.kind;
      write.assertWithinLimit();
      reserved.assertWithinLimit();
      return restoreOne(collections, item, firstChange + index);
    }),
  );
  const having = (kind: (typeof results)[number]) => items.filter((_, index) => results[index] === kind);
  const restored = having('restored');
  const unchanged = items.filter((item) => !restored.includes(item));
  write.done(unchanged.map(({ restore }) => restore.id));
  await reserved.release(unchanged.map(({ location }) => location));
  if (call === undefined || call.mostVersions === 0) {
    await removeVersions(
      collections,
      restored.map(({ restore: { id } }) => ({ mapId, id })),
    );
  }
  for (const { index, location } of restored)
    outcomes.set(index, { kind: 'restored', location: toLocation(location) });
  for (const { index } of having(TAKEN.kind)) outcomes.set(index, TAKEN);
  return having('fenced');
}

async function restoreOne(
  { locations }: Pick<Collections, 'locations'>,
  { location, restore: { id, version } }: Item,
  change: number,
): Promise<'restored' | 'missing' | 'fenced'> {
  const { mapId } = location;
  const [document] = await withIndexed([{ ...location, change }]);
  if (document === undefined) throw new Error('A location has an indexed form.');
  const { matchedCount } = await locations.replaceOne(
    {
      mapId: { $eq: mapId },
      _id: { $eq: id },
      'trash.key': { $gte: '' },
      'trash.location.version': versionFilter(version),
      fence: unfenced(change),
    },
    document,
  );
  if (matchedCount === 1) return 'restored';
  const now = (await readTrash({ locations }, mapId, [id])).get(id);
  return isFenced(now, change) ? 'fenced' : 'missing';
}
