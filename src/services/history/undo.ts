/**
 * Undoes a whole call: what it created is deleted, what it changed gets its former state and position back, and what it
 * deleted is restored. Locations that were changed since are left. Works in pieces, and a repeated call goes on where
 * another one ended: what has its former state already is skipped.
 */

import type { ChangeKind } from '../../domain/change.ts';
import { timeOfHistoryId } from '../../domain/ids.ts';
import type { LocationRecord } from '../../domain/location.ts';
import { ServiceError } from '../../errors.ts';
import type { LocationUpdate, Storage, VersionRecord } from '../../storage/storage.ts';
import { mapUnavailableError } from '../caller.ts';
import type { AuthorizedRequest } from '../locations/authorized-request.ts';
import { updateOf } from '../locations/write-updates.ts';
import { isSameState } from './version-changes.ts';

/** A location that was not reverted, and why. */
export interface LeftLocation {
  readonly id: string;
  readonly error: ServiceError;
}

export interface Undone {
  /** Ids of the reverted locations. */
  readonly reverted: readonly string[];
  readonly left: readonly LeftLocation[];
}

export interface UndoOptions {
  readonly storage: Storage;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Former states that are kept of each location. */
  readonly maxVersions: number;
  /** Locations deleted before this time are not in the trash any more. Milliseconds since the epoch. */
  readonly trashedSince: number;
  /** Stores nothing. */
  readonly isDryRun: boolean;
}

/** Changes that are read at once. */
const PAGE = 5_000;
/** Locations that are reverted at once: about 50 ms. */
const PIECE = 500;

/** What a call did to a location. */
interface Touched {
  readonly id: string;
  readonly first: ChangeKind;
  last: ChangeKind;
  count: number;
}

/** What undoing does to a location. */
type Plan =
  | { readonly kind: 'delete'; readonly location: LocationRecord }
  | { readonly kind: 'update'; readonly location: LocationRecord; readonly to: LocationRecord }
  | { readonly kind: 'restore'; readonly trashed: LocationRecord; readonly to: LocationRecord }
  | { readonly kind: 'left'; readonly error: ServiceError }
  /** It is as before already. */
  | { readonly kind: 'done' };

/** @throws CallerGoneError between two pieces; ServiceError for what concerns all locations */
export async function undoCall(
  request: AuthorizedRequest,
  historyId: string,
  options: UndoOptions,
): Promise<Undone> {
  const touched = await findTouched(options.storage, request, historyId);
  // The last change first: what made room for something is reverted after it.
  touched.reverse();
  const ids = new Set(touched.map(({ id }) => id));
  const reverted: string[] = [];
  const left: LeftLocation[] = [];
  for (let start = 0; start < touched.length; start += PIECE) {
    request.scope.signal?.throwIfAborted();
    const plans = await planPiece(request, historyId, touched.slice(start, start + PIECE), options);
    const errors = options.isDryRun
      ? await findConflicts(request, plans, ids, options)
      : await revert(request, plans, options);
    for (const [id, plan] of plans) {
      const error = plan.kind === 'left' ? plan.error : errors.get(id);
      if (error !== undefined) left.push({ id, error });
      else if (plan.kind !== 'done') reverted.push(id);
    }
  }
  return { reverted, left };
}

/** Each location once, in the order of its first change. */
async function findTouched(
  storage: Storage,
  { map, scope }: AuthorizedRequest,
  historyId: string,
): Promise<Touched[]> {
  const touched = new Map<string, Touched>();
  for (let after = 0; ;) {
    const changes = await storage.changesOfCall(map.id, historyId, { limit: PAGE, after }, scope);
    for (const { kind, locationId: id } of changes) {
      const known = touched.get(id);
      if (known === undefined) touched.set(id, { id, first: kind, last: kind, count: 1 });
      else Object.assign(known, { last: kind, count: known.count + 1 });
    }
    if (changes.length < PAGE) return [...touched.values()];
    after = changes.at(-1)?.number ?? after;
  }
}

async function planPiece(
  request: AuthorizedRequest,
  historyId: string,
  piece: readonly Touched[],
  { storage, maxVersions, trashedSince }: UndoOptions,
): Promise<ReadonlyMap<string, Plan>> {
  const { map, scope } = request;
  const ids = piece.map(({ id }) => id);
  const [current, replaced, trashed] = await Promise.all([
    storage.getLocations(map.id, ids, scope),
    storage.findReplacedVersions(map.id, historyId, ids, scope),
    storage.findTrashed(map.id, ids, scope),
  ]);
  const planned = piece.map(async (touched, index) => {
    const versions = replaced[index] ?? [];
    const deleted = trashed[index] ?? null;
    const isInTrash = deleted !== null && timeOfHistoryId(deleted.deletedBy) >= trashedSince;
    const found = {
      current: current[index] ?? null,
      trashed: isInTrash ? deleted.location : null,
      versions,
    };
    const isUnchanged = await isAsLeft(storage, request, touched, found);
    return [touched.id, planOne(touched, found, isUnchanged, maxVersions)] as const;
  });
  return new Map(await Promise.all(planned));
}

interface Found {
  readonly current: LocationRecord | null;
  /** Its last state, if it is in the trash. */
  readonly trashed: LocationRecord | null;
  /** That the call replaced, oldest first. */
  readonly versions: readonly VersionRecord[];
}

/** Whether a location is as the call has left it: later changes that were undone do not count. */
async function isAsLeft(
  storage: Storage,
  { map, scope }: AuthorizedRequest,
  { id, last }: Touched,
  { current, trashed, versions }: Found,
): Promise<boolean> {
  const replaced = versions.at(-1);
  if (last === 'deleted') {
    return current === null && trashed !== null && isSame(trashed, replaced?.location ?? null);
  }
  if (current === null) return false;
  const version = (replaced?.version ?? 0) + 1;
  if (current.version === version) return true;
  const [left] = await storage.listVersions(map.id, id, { limit: 1, before: version + 1 }, scope);
  return left?.version === version && isSame(current, left.location);
}

function isSame(location: LocationRecord, state: LocationRecord | null): boolean {
  return state !== null && isSameState(location, state);
}

function planOne(
  { first, last, count }: Touched,
  { current, trashed, versions }: Found,
  isUnchanged: boolean,
  maxVersions: number,
): Plan {
  if (first === 'created') {
    // It is gone already, by this call or since.
    if (current === null) return { kind: 'done' };
    return isUnchanged ? { kind: 'delete', location: current } : leave(changedSince());
  }
  const before = versions[0]?.location ?? null;
  const lastVersion = versions.at(-1)?.version ?? 0;
  const isKept =
    versions.length === count &&
    lastVersion - count + 1 >= (current?.version ?? lastVersion + 1) - maxVersions;
  const isGone = current === null && trashed === null && last === 'deleted';
  if (before === null || !isKept || isGone) {
    return leave(new ServiceError('HISTORY_NOT_FOUND', 'Its former state is not kept any more.'));
  }
  if (current !== null && isSameState(current, before)) return { kind: 'done' };
  if (!isUnchanged) return leave(changedSince());
  if (current !== null) return { kind: 'update', location: current, to: before };
  return trashed !== null && last === 'deleted'
    ? { kind: 'restore', trashed, to: before }
    : leave(changedSince());
}

function leave(error: ServiceError): Plan {
  return { kind: 'left', error };
}

function changedSince(): ServiceError {
  return new ServiceError('CONFLICT', 'It was changed since.');
}

export function externalIdGivenAway(): ServiceError {
  return new ServiceError('EXTERNAL_ID_TAKEN', 'Another location of the map has its external id now.');
}

/** @returns why locations of these plans would not be reverted, by id */
async function findConflicts(
  { map, scope }: AuthorizedRequest,
  plans: ReadonlyMap<string, Plan>,
  touched: ReadonlySet<string>,
  { storage }: UndoOptions,
): Promise<ReadonlyMap<string, ServiceError>> {
  const wanted = [...plans].flatMap(([id, plan]) => {
    if (plan.kind !== 'update' && plan.kind !== 'restore') return [];
    const { externalId } = plan.to;
    const has = plan.kind === 'update' && plan.location.externalId === externalId;
    return externalId === null || has ? [] : [{ id, externalId }];
  });
  const externalIds = wanted.map(({ externalId }) => externalId);
  const found =
    wanted.length === 0 ? [] : await storage.findLocationsByExternalIds(map.id, externalIds, scope);
  // A location that the call has touched gives its external id back first.
  const conflicts = wanted.filter((_, index) => {
    const other = found[index] ?? null;
    return other !== null && !touched.has(other.id);
  });
  return new Map(conflicts.map(({ id }) => [id, externalIdGivenAway()]));
}

/** @returns why locations of these plans were not reverted, by id */
async function revert(
  request: AuthorizedRequest,
  plans: ReadonlyMap<string, Plan>,
  { storage, clock }: UndoOptions,
): Promise<ReadonlyMap<string, ServiceError>> {
  const { map, scope } = request;
  const ofKind = <K extends Plan['kind']>(kind: K) =>
    [...plans.values()].filter((plan): plan is Extract<Plan, { kind: K }> => plan.kind === kind);
  const errors = new Map<string, ServiceError>();

  const deleted = ofKind('delete').map(({ location }) => location);
  if (deleted.length > 0) {
    const result = await storage.deleteVersions(map.id, deleted, scope);
    if (result.kind !== 'done') throw mapUnavailableError(result);
    const done = new Set(result.deletedIds);
    for (const { id } of deleted) if (!done.has(id)) errors.set(id, changedSince());
  }
  const update = async (updates: readonly LocationUpdate[]) => {
    if (updates.length === 0) return;
    const result = await storage.updateLocations(map.id, updates, scope);
    if (result.kind !== 'done') throw mapUnavailableError(result);
    for (const [index, { kind }] of result.outcomes.entries()) {
      const { id = '' } = updates[index] ?? {};
      if (kind === 'external-id-taken') errors.set(id, externalIdGivenAway());
      else if (kind !== 'updated') errors.set(id, changedSince());
    }
  };
  await update(ofKind('update').map(({ location, to }) => updateTo(location, to, clock())));

  const restores = ofKind('restore');
  if (restores.length > 0) {
    const targets = restores.map(({ trashed }) => trashed);
    const result = await storage.restoreLocations(map.id, targets, clock(), scope);
    if (result.kind !== 'done') throw mapUnavailableError(result);
    // The call had changed some of them before it deleted them.
    const updates: LocationUpdate[] = [];
    for (const [index, { to }] of restores.entries()) {
      const outcome = result.outcomes[index];
      if (outcome?.kind === 'external-id-taken') errors.set(to.id, externalIdGivenAway());
      else if (outcome?.kind !== 'restored') errors.set(to.id, changedSince());
      else if (!isSameState(outcome.location, to)) updates.push(updateTo(outcome.location, to, clock()));
    }
    await update(updates);
  }
  return errors;
}

/** All values of a former state, and its order. */
function updateTo(location: LocationRecord, to: LocationRecord, now: number): LocationUpdate {
  return {
    ...updateOf(location, valuesOf(to), now),
    order: to.order === location.order ? null : to.order,
  };
}

/** What an update may change, but the order. */
export function valuesOf({
  name,
  placeId,
  latitude,
  longitude,
  properties,
  externalId,
  geocoding,
}: LocationRecord): LocationUpdate['values'] {
  return { name, placeId, latitude, longitude, properties, externalId, geocoding };
}
