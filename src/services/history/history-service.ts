/** History, trash and undo (capabilities §18). Reads are inherited. Every write is audited, and a call of its own. */

import { isHistoryId, isLocationIdOf, newHistoryId, timeOfHistoryId } from '../../domain/ids.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WriteAudit } from '../audit/audit.ts';
import { ok } from '../audit/audit.ts';
import { authorize } from '../authorization.ts';
import { locationNotFound, mapUnavailableError } from '../caller.ts';
import type { AuthorizedRequest } from '../locations/authorized-request.ts';
import { updateOf } from '../locations/write-updates.ts';
import type { Scope } from '../scope.ts';
import { DerivedScope } from '../scope.ts';
import type { WrittenMap } from './calls.ts';
import { historyIdOf, scopeOfCall } from './calls.ts';
import type { HistoryOptions } from './history-reads.ts';
import { HistoryReads } from './history-reads.ts';
import type { HistoryRetention } from './retention.ts';
import { keptSince } from './retention.ts';
import type { LeftLocation } from './undo.ts';
import { externalIdGivenAway, undoCall, valuesOf } from './undo.ts';
import { isSameState } from './version-changes.ts';

export interface HistoryServiceOptions extends HistoryOptions {
  readonly audit: WriteAudit;
  /** Locations that one call may name. */
  readonly maxBulk: number;
}

/** The restored location, or why it was not restored. */
export type RestoreResult = { readonly id: string } & (
  | { readonly location: LocationRecord; readonly error: null }
  | { readonly location: null; readonly error: ServiceError }
);

export class HistoryService extends HistoryReads {
  readonly #storage: Storage;
  readonly #audit: WriteAudit;
  readonly #retention: HistoryRetention;
  readonly #clock: () => number;
  readonly #maxBulk: number;

  constructor(options: HistoryServiceOptions) {
    super(options);
    this.#storage = options.storage;
    this.#audit = options.audit;
    this.#retention = options.retention;
    this.#clock = options.clock;
    this.#maxBulk = options.maxBulk;
  }

  /**
   * A scope whose writes are one change in the history, such as those of an import.
   *
   * @param id that of an earlier scope, to go on with its change
   */
  beginCall(scope: Scope, operation: string, id = newHistoryId(this.#clock())): Scope {
    return scopeOfCall(scope, operation, this.#retention, id);
  }

  /**
   * Restores deleted locations, each by itself; those that exist already stay as they are.
   *
   * @returns one result for each id: the location; LOCATION_NOT_FOUND if it is not in the trash, or EXTERNAL_ID_TAKEN
   * @throws ServiceError for what concerns all of them: the scope, the map, their number, the store
   */
  restoreLocations(
    scope: Scope,
    mapId: string,
    ids: readonly string[],
  ): Promise<WrittenMap & { readonly results: readonly RestoreResult[] }> {
    const audited = {
      operation: 'restoreLocations',
      subject: { mapId, ids },
      done: ({ restoredIds }: { readonly restoredIds: readonly string[] }) => ok(mapId, restoredIds),
    };
    return this.#audit.run(scope, audited, async (called) => {
      const { map } = await authorize(this.#storage, called, mapId, { role: 'editor' });
      this.#assertBulk(ids);
      const wanted = [...new Set(ids)].filter((id) => isLocationIdOf(mapId, id));
      const { locations, taken, restoredIds } = await this.#restore(called, map, wanted);
      const results = ids.map((id): RestoreResult => {
        const location = locations.get(id);
        if (location !== undefined) return { id, location, error: null };
        return { id, location: null, error: taken.has(id) ? externalIdGivenAway() : notInTrash() };
      });
      return { map, results, restoredIds, historyId: historyIdOf(called, restoredIds.length > 0) };
    });
  }

  async #restore(scope: Scope, map: MapRecord, ids: readonly string[]) {
    const since = keptSince(this.#retention.trashDays, this.#clock());
    const trashed = (await this.#storage.findTrashed(map.id, ids, scope)).flatMap((found) =>
      found !== null && timeOfHistoryId(found.deletedBy) >= since ? [found.location] : [],
    );
    const result = await this.#storage.restoreLocations(map.id, trashed, this.#clock(), scope);
    if (result.kind !== 'done') throw mapUnavailableError(result);
    const locations = new Map<string, LocationRecord>();
    const taken = new Set<string>();
    for (const [index, outcome] of result.outcomes.entries()) {
      if (outcome.kind === 'restored') locations.set(outcome.location.id, outcome.location);
      if (outcome.kind === 'external-id-taken') taken.add(trashed[index]?.id ?? '');
    }
    const restoredIds = [...locations.keys()];
    const others = ids.filter((id) => !locations.has(id) && !taken.has(id));
    const existing = others.length === 0 ? [] : await this.#storage.getLocations(map.id, others, scope);
    for (const location of existing) if (location !== null) locations.set(location.id, location);
    return { locations, taken, restoredIds };
  }

  /**
   * Gives a location the fields, the point and the external id of an earlier version. Its position in the list stays.
   *
   * @throws ServiceError LOCATION_NOT_FOUND, also for a location in the trash; HISTORY_NOT_FOUND for a version that is not
   *   kept; EXTERNAL_ID_TAKEN
   */
  restoreVersion(
    scope: Scope,
    mapId: string,
    id: string,
    version: number,
  ): Promise<WrittenMap & { readonly location: LocationRecord }> {
    const audited = { operation: 'restoreVersion', subject: { mapId, ids: [id] } };
    return this.#audit.run(scope, audited, async (called) => {
      const { map } = await authorize(this.#storage, called, mapId, { role: 'editor' });
      if (!isLocationIdOf(mapId, id)) throw locationNotFound();
      for (;;) {
        const [current = null] = await this.#storage.getLocations(mapId, [id], called);
        if (current === null) throw locationNotFound();
        const to = version === current.version ? current : await this.#findState(called, current, version);
        if (isSameState({ ...to, order: current.order }, current)) {
          return { map, location: current, historyId: null };
        }
        const update = updateOf(current, valuesOf(to), this.#clock());
        const result = await this.#storage.updateLocations(mapId, [update], called);
        if (result.kind !== 'done') throw mapUnavailableError(result);
        const [outcome] = result.outcomes;
        if (outcome?.kind === 'updated') {
          return { map, location: outcome.location, historyId: historyIdOf(called, true) };
        }
        if (outcome?.kind === 'external-id-taken') throw externalIdGivenAway();
        // It was changed or deleted concurrently.
      }
    });
  }

  /** @throws ServiceError HISTORY_NOT_FOUND */
  async #findState(scope: Scope, { mapId, id, version }: LocationRecord, wanted: number) {
    const page = { limit: 1, before: wanted + 1 };
    const [found] = await this.#storage.listVersions(mapId, id, page, scope);
    const isKept =
      found?.version === wanted &&
      wanted >= version - this.#retention.maxVersions &&
      timeOfHistoryId(found.replacedBy) >= keptSince(this.#retention.days, this.#clock());
    if (!isKept || found.location === null) {
      throw new ServiceError('HISTORY_NOT_FOUND', `Version ${wanted} of the location is not kept.`);
    }
    return found.location;
  }

  /**
   * Undoes a whole call, such as an import.
   *
   * @param options.isDryRun stores nothing
   * @returns how many locations were reverted, and which were left as they are, with the reason
   * @throws ServiceError HISTORY_NOT_FOUND for a call that is not kept
   */
  undoChange(
    scope: Scope,
    mapId: string,
    historyId: string,
    { isDryRun }: { readonly isDryRun: boolean },
  ): Promise<
    WrittenMap & { readonly revertedIds: readonly string[]; readonly left: readonly LeftLocation[] }
  > {
    const audited = {
      operation: 'undoChange',
      subject: { mapId, ids: [] },
      done: ({ revertedIds }: { readonly revertedIds: readonly string[] }) =>
        ok(mapId, isDryRun ? [] : revertedIds),
    };
    return this.#audit.run(scope, audited, async (called) => {
      const authorized = await authorize(this.#storage, called, mapId, { role: 'editor' });
      // Undoing an import may take longer than a request may wait for the store.
      const request: AuthorizedRequest = {
        ...authorized,
        scope: new DerivedScope(called, { deadline: undefined }),
      };
      const [record = null] = isHistoryId(historyId)
        ? await this.#storage.findHistory(mapId, [historyId], called)
        : [];
      const since = keptSince(this.#retention.days, this.#clock());
      if (record === null || timeOfHistoryId(historyId) < since) {
        throw new ServiceError(
          'HISTORY_NOT_FOUND',
          'The map has no such change, or it is not kept any more.',
        );
      }
      const { reverted, left } = await undoCall(request, historyId, {
        storage: this.#storage,
        clock: this.#clock,
        maxVersions: this.#retention.maxVersions,
        trashedSince: keptSince(this.#retention.trashDays, this.#clock()),
        isDryRun,
      });
      const { map } = authorized;
      return {
        map,
        revertedIds: reverted,
        left,
        historyId: historyIdOf(called, !isDryRun && reverted.length > 0),
      };
    });
  }

  /**
   * Removes locations from the trash for ever, with their history. Ids that are not in the trash are ignored.
   *
   * @returns the removed ids, each once, in the order given
   */
  purgeLocations(
    scope: Scope,
    mapId: string,
    ids: readonly string[],
  ): Promise<{ readonly map: MapRecord; readonly purgedIds: readonly string[] }> {
    const audited = {
      operation: 'purgeLocations',
      subject: { mapId, ids },
      done: ({ purgedIds }: { readonly purgedIds: readonly string[] }) => ok(mapId, purgedIds),
    };
    return this.#audit.run(scope, audited, async () => {
      const { map } = await authorize(this.#storage, scope, mapId, { role: 'owner' });
      this.#assertBulk(ids);
      const wellFormed = ids.filter((id) => isLocationIdOf(mapId, id));
      const result = await this.#storage.purgeLocations(mapId, wellFormed, scope);
      if (result.kind !== 'done') throw mapUnavailableError(result);
      return { map, purgedIds: result.purgedIds };
    });
  }

  #assertBulk({ length }: readonly string[]): void {
    if (length >= 1 && length <= this.#maxBulk) return;
    throw badUserInput(`ids has ${length} items; 1 to ${this.#maxBulk} are allowed.`);
  }
}

function notInTrash(): ServiceError {
  return new ServiceError('LOCATION_NOT_FOUND', 'There is no such location in the trash of this map.');
}
