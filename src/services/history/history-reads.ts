/** What members see of history and trash (capabilities §18): nothing older than what is kept, removed or not. */

import type { Actor } from '../../domain/actor.ts';
import { isLocationIdOf, timeOfHistoryId } from '../../domain/ids.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { LocationView, MapView } from '../../domain/public-view.ts';
import type { HistoryRecord, Storage, TrashedLocation, VersionRecord } from '../../storage/storage.ts';
import { authorizeOn } from '../authorization.ts';
import type { Scope } from '../scope.ts';
import type { ShownActor } from './actors.ts';
import { shownActors } from './actors.ts';
import type { HistoryRetention } from './retention.ts';
import { DAY_MS, keptSince } from './retention.ts';
import type { ReadRecords } from './select-records.ts';
import { assertOperations, selectRecords } from './select-records.ts';
import type { TrashFilterInput, TrashPage } from './trash-reads.ts';
import { readTrash } from './trash-reads.ts';
import type { VersionChange } from './version-changes.ts';
import { changesBetween } from './version-changes.ts';

export type { HistoryRecord, TrashKey } from '../../storage/storage.ts';

/** A change of a location, by the version that it made. Members are null where they are not kept. */
export interface ShownVersion {
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by: Actor | null;
  readonly operation: string | null;
  readonly historyId: string | null;
  /** Empty for a creation, a deletion and a restored location. */
  readonly changes: readonly VersionChange[];
}

export interface ShownTrash extends TrashedLocation {
  /** Milliseconds since the epoch. */
  readonly deletedAt: number;
  /** When it may be removed. Milliseconds since the epoch. */
  readonly keptUntil: number;
  /** Null where it is not kept. */
  readonly by: Actor | null;
}

/** Null members match everything. */
export interface HistoryFilterInput {
  /** The name of an actor. */
  readonly by?: string | null;
  readonly operation?: string | null;
  /** One of these. */
  readonly operations?: readonly string[] | null;
  readonly locationId?: string | null;
  /** Inclusive. */
  readonly since?: Date | null;
  readonly until?: Date | null;
}

export interface HistoryOptions {
  readonly storage: Storage;
  readonly retention: HistoryRetention;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Ids of locations that an entry shows. */
const MAX_SHOWN_IDS = 100;

export class HistoryReads {
  readonly #storage: Storage;
  readonly #retention: HistoryRetention;
  readonly #clock: () => number;

  constructor({ storage, retention, clock }: HistoryOptions) {
    this.#storage = storage;
    this.#retention = retention;
    this.#clock = clock;
  }

  /**
   * The changes of a location, newest first.
   *
   * @param page.after the last version of the previous page
   * @throws ServiceError FORBIDDEN in the public view, MAP_DELETED
   */
  async listVersions(
    scope: Scope,
    view: MapView,
    { id }: Pick<LocationView, 'id'>,
    { limit, after }: { readonly limit: number; readonly after: number | null },
  ): Promise<readonly ShownVersion[]> {
    const map = this.#authorize(scope, view);
    const since = keptSince(this.#retention.days, this.#clock());
    const read = () => this.#storage.listVersions(map.id, id, { limit: limit + 2, before: after }, scope);
    let rows = await read();
    const [current = null] = await this.#storage.getLocations(map.id, [id], scope);
    // It has changed between both reads.
    if (after === null && current !== null && rows[0]?.version !== current.version - 1) rows = await read();
    const [newest, ...older] = statesOf(rows, current, after);
    if (newest === undefined) return [];
    const oldestKept = (current?.version ?? newest.version) - this.#retention.maxVersions;
    const pairs: { readonly state: State; readonly before: VersionRecord | null }[] = [];
    for (let state = newest; pairs.length < limit;) {
      const before = older[pairs.length]?.record ?? null;
      const isKept =
        before?.version === state.version - 1 &&
        before.version >= oldestKept &&
        timeOfHistoryId(before.replacedBy) >= since;
      const isCreation = state.version === 1 && state.location !== null && state.location.createdAt >= since;
      if (!isKept && !isCreation) break;
      pairs.push({ state, before });
      const next = older[pairs.length - 1];
      if (next === undefined) break;
      state = next;
    }
    return this.#show(scope, map, pairs);
  }

  async #show(
    scope: Scope,
    map: MapRecord,
    pairs: readonly { readonly state: State; readonly before: VersionRecord | null }[],
  ): Promise<readonly ShownVersion[]> {
    const ids = await Promise.all(
      pairs.map(async ({ state, before }) => {
        if (before !== null) return before.replacedBy;
        return state.location && this.#storage.findCreation(map.id, state.location, scope);
      }),
    );
    const records = await this.#find(scope, map, ids);
    return pairs.map(({ state, before }, index) => {
      const id = ids[index] ?? null;
      const record = id === null ? undefined : records.get(id);
      return {
        version: state.version,
        at: state.location?.updatedAt ?? timeOfHistoryId(id ?? ''),
        by: record?.actor ?? null,
        operation: record?.operation ?? null,
        historyId: record?.id ?? null,
        changes:
          state.location === null || !before?.location ? [] : changesBetween(before.location, state.location),
      };
    });
  }

  /** The records that are kept, by id. */
  async #find(
    scope: Scope,
    map: MapRecord,
    ids: readonly (string | null)[],
  ): Promise<ReadonlyMap<string, HistoryRecord>> {
    const unique = [...new Set(ids)].filter((id) => id !== null);
    if (unique.length === 0) return new Map();
    const records = await this.#storage.findHistory(map.id, unique, scope);
    return new Map(records.flatMap((record) => (record === null ? [] : [[record.id, record] as const])));
  }

  /**
   * The calls that changed locations of a map, newest first.
   *
   * @param page.after the last id of the previous page
   * @throws ServiceError FORBIDDEN in the public view, MAP_DELETED
   */
  async listHistory(
    scope: Scope,
    view: MapView,
    page: { readonly limit: number; readonly after: string | null },
    { by = null, operation = null, operations = null, locationId = null, since, until }: HistoryFilterInput,
  ): Promise<readonly HistoryRecord[]> {
    const map = this.#authorize(scope, view);
    assertOperations(operations);
    const kept = keptSince(this.#retention.days, this.#clock());
    if (kept === Number.POSITIVE_INFINITY) return [];
    const filter = {
      since: Math.max(kept, since?.getTime() ?? 0),
      until: until?.getTime() ?? null,
      operation,
    };
    const read: ReadRecords =
      locationId === null
        ? (range) => this.#storage.listHistory(map.id, range, filter, scope)
        : await this.#recordsOfLocation(scope, map, locationId, filter);
    if (by === null && operations === null) return read(page);
    return selectRecords(read, page, {
      operations,
      by,
      shownActors: (actors) => shownActors(this.#storage, scope, actors),
    });
  }

  /** A location has few records, so all are read. */
  async #recordsOfLocation(
    scope: Scope,
    map: MapRecord,
    id: string,
    filter: { readonly since: number; readonly until: number | null; readonly operation: string | null },
  ): Promise<ReadRecords> {
    if (!isLocationIdOf(map.id, id)) return async () => [];
    const limit = this.#retention.maxVersions + 2;
    const versions = await this.#storage.listVersions(map.id, id, { limit, before: null }, scope);
    const [current = null] = await this.#storage.getLocations(map.id, [id], scope);
    const state = current ?? versions.find(({ location }) => location !== null)?.location ?? null;
    const creation = state === null ? null : await this.#storage.findCreation(map.id, state, scope);
    const ids = [...versions.map(({ replacedBy }) => replacedBy), creation];
    const records = [...(await this.#find(scope, map, ids)).values()]
      .filter((record) => {
        const at = timeOfHistoryId(record.id);
        const isOperation = filter.operation === null || record.operation === filter.operation;
        return at >= filter.since && (filter.until === null || at <= filter.until) && isOperation;
      })
      .toSorted((a, b) => (a.id < b.id ? 1 : -1));
    return async ({ limit: most, after }) =>
      records.filter((record) => after === null || record.id < after).slice(0, most);
  }

  /** Ids of the first locations that a call changed, each once. */
  async changedIds(scope: Scope, { mapId, id }: HistoryRecord): Promise<readonly string[]> {
    const page = { limit: MAX_SHOWN_IDS, after: 0 };
    const changes = await this.#storage.changesOfCall(mapId, id, page, scope);
    return [...new Set(changes.map(({ locationId }) => locationId))];
  }

  /**
   * The deleted locations of a map, the last ones first.
   *
   * @throws ServiceError FORBIDDEN in the public view, MAP_DELETED, BAD_USER_INPUT
   */
  async listTrash(
    scope: Scope,
    view: MapView,
    page: TrashPage,
    filter: TrashFilterInput = {},
  ): Promise<readonly ShownTrash[]> {
    const map = this.#authorize(scope, view);
    const { trashDays } = this.#retention;
    const deletedSince = keptSince(trashDays, this.#clock());
    const found = await readTrash(this.#storage, scope, map, page, filter, deletedSince);
    const records = await this.#find(
      scope,
      map,
      found.map(({ deletedBy }) => deletedBy),
    );
    return found.map((trashed) => {
      const deletedAt = timeOfHistoryId(trashed.deletedBy);
      return {
        ...trashed,
        deletedAt,
        keptUntil: deletedAt + trashDays * DAY_MS,
        by: records.get(trashed.deletedBy)?.actor ?? null,
      };
    });
  }

  /** One for each actor, in order. */
  shownActors(scope: Scope, actors: readonly Actor[]): Promise<readonly ShownActor[]> {
    return shownActors(this.#storage, scope, actors);
  }

  #authorize(scope: Scope, map: MapView): MapRecord {
    return authorizeOn(scope, map, { role: 'viewer' }, 'history and trash').map;
  }
}

/** A state of a location, present or former. */
interface State {
  readonly version: number;
  /** Null: deleted. */
  readonly location: LocationRecord | null;
  /** Null for the present one. */
  readonly record: VersionRecord | null;
}

/**
 * Newest first, the present one included.
 *
 * @param after the version that the page begins after; null for the first page
 */
function statesOf(
  rows: readonly VersionRecord[],
  current: LocationRecord | null,
  after: number | null,
): readonly State[] {
  const former = rows.map((record) => ({ version: record.version, location: record.location, record }));
  if (after !== null) return former;
  if (current !== null) return [{ version: current.version, location: current, record: null }, ...former];
  const [last] = rows;
  return last?.isInTrash === true
    ? [{ version: last.version + 1, location: null, record: null }, ...former]
    : [];
}
