/** The locations of a map that match a filter, loaded page by page, and changes of them. */

import type { Attribution } from '../../../src/domain/attribution.ts';
import type { Box } from '../../../src/web/basemap/box.ts';
import type { MapFeature } from '../../shared/map/map-features.ts';
import { chunksOf } from '../common/chunks.ts';
import type { Session } from '../common/session.svelte.ts';
import type {
  LocationFilter,
  LocationOrderInput,
  MapChangesSubscription,
  MoveLocationsInput,
} from '../generated/operations.ts';
import { DeleteLocationsDocument, MoveLocationsDocument } from '../generated/operations.ts';
import type { Row, RowsPage, Search, ViewRequest } from './location-reads.ts';
import { LocationReads } from './location-reads.ts';

export type { Row };
export type LocationChange = MapChangesSubscription['locationChanges'];

/** An end of the list, named as `moveLocations` names it. */
export type ListEnd = 'toStart' | 'toEnd';

const WORLD = { south: -90, west: -180, north: 90, east: 180 };
/** More rows are loaded again only on demand: that takes many requests. */
const MAX_RELOADED = 500;

export class LocationsStore {
  rows = $state.raw<readonly Row[]>([]);
  total = $state<number | null>(null);
  /** Of the geocoders that found the map's points. */
  attributions = $state.raw<readonly Attribution[]>([]);
  isLoading = $state(false);
  isReloading = $state(false);
  hasMore = $state(false);
  /** All locations by id, regardless of the filter; null if they do not fit on one page. */
  all = $state.raw<ReadonlyMap<string, Row> | null>(null);
  /** Number of searches started. */
  searches = $state(0);
  /** Whether the last page failed to load. Then the next one waits for the user. */
  hasFailed = $state(false);
  /** Whether the rows or their order have changed on the server, but are too many to load again. */
  isStale = $state(false);
  #search: Search = { filter: null, orderBy: null };
  readonly #session: Session;
  readonly #mapId: string;
  readonly #reads: LocationReads;
  /** Ids of locations that were deleted here. */
  readonly #deleted = new Set<string>();
  /** Versions of locations that were moved here, by id: they may have left the loaded rows. */
  readonly #moved = new Map<string, number>();
  /** Number of changes of the rows made here. */
  #edits = 0;
  #after: string | null = null;
  #request = new AbortController();
  /** The current or last load. */
  #loading: Promise<void> = Promise.resolve();
  /** The current or last move. */
  #moving: Promise<unknown> = Promise.resolve();
  /** Whether a move awaits its response, before which its own event may arrive. */
  isMoving = false;

  constructor(session: Session, mapId: string) {
    this.#session = session;
    this.#mapId = mapId;
    this.#reads = new LocationReads(session, mapId);
  }

  /** @param orderBy null for the order of the list */
  async search(filter: LocationFilter | null, orderBy: LocationOrderInput | null): Promise<void> {
    this.#search = { filter, orderBy };
    this.searches += 1;
    await this.refresh();
  }

  /** Loads the first page again. */
  async refresh(): Promise<void> {
    this.#after = null;
    await (this.#loading = this.#load(null));
  }

  /** Loads all loaded rows again, unless they are too many. The list stays as it is meanwhile. */
  async reload(): Promise<void> {
    this.isReloading = true;
    try {
      // Rows read before a change made here would undo it in the list.
      for (let edits = -1; edits !== this.#edits;) {
        await Promise.allSettled([this.#loading, this.#moving]);
        edits = this.#edits;
        const count = this.rows.length;
        this.isStale = count > MAX_RELOADED;
        if (!this.isStale) await (this.#loading = this.#load(null, { count, edits }));
      }
    } finally {
      this.isReloading = false;
    }
  }

  /** Null if the location no longer exists. */
  async row(id: string): Promise<Row | null> {
    return this.rows.find((one) => one.id === id) ?? this.#reads.row(id);
  }

  /** The ids of all results, in order. Loads those of the remaining pages. */
  async ids(): Promise<readonly string[]> {
    await this.#loading;
    const ids = this.rows.map(({ id }) => id);
    if (this.hasMore) ids.push(...(await this.#reads.ids(this.#search, this.#after)));
    return [...new Set(ids)];
  }

  /** Loads the next page, or waits for the current one. */
  async more(): Promise<void> {
    if (this.hasMore && !this.isLoading) this.#loading = this.#load(this.#after);
    await this.#loading;
  }

  /**
   * @param from cursor; null for the first page, before which the rows may be those of the previous search
   * @param again of the rows to load again: how many, and after how many edits they were needed
   */
  async #load(
    from: string | null,
    again?: { readonly count: number; readonly edits: number },
  ): Promise<void> {
    this.#request.abort();
    const request = new AbortController();
    this.#request = request;
    this.isLoading = true;
    if (again === undefined) this.hasFailed = false;
    try {
      const first = await this.#reads.page(this.#search, from, request.signal);
      const loaded = [...first.rows];
      let last = first;
      while (last.hasMore && loaded.length < (again?.count ?? 0)) {
        last = await this.#reads.page(this.#search, last.after, request.signal);
        loaded.push(...last.rows);
      }
      if (again !== undefined && again.edits !== this.#edits) return;
      this.#show(loaded, last, from === null ? first : null);
    } catch (error) {
      if (request.signal.aborted) return;
      if (again === undefined) this.hasFailed = true;
      throw error;
    } finally {
      if (this.#request === request) this.isLoading = false;
    }
  }

  /** @param first the first page, if the rows start there; null to add them to those shown */
  #show(loaded: readonly Row[], last: RowsPage, first: RowsPage | null): void {
    const rows = new Map((first === null ? this.rows : []).map((row) => [row.id, row]));
    for (const row of loaded) if (!rows.has(row.id)) rows.set(row.id, row);
    this.rows = [...rows.values()];
    this.#after = last.after;
    this.hasMore = last.hasMore;
    if (first === null) return;
    this.isStale = false;
    this.total = first.total;
    this.attributions = first.attributions;
    if (this.#search.filter === null) this.all = this.hasMore ? null : rows;
  }

  /**
   * Applies a change that the server reports, by anyone.
   *
   * @returns whether it changed anything, and whether the rows must be loaded again to show it
   */
  apply({ kind, locationId: id, location }: LocationChange): 'nothing' | 'applied' | 'reload' {
    if (id === null) return 'reload';
    if (kind === 'created') this.#deleted.delete(id);
    if (this.#deleted.has(id)) return 'nothing';
    const old = this.rows.find((row) => row.id === id);
    if (kind === 'deleted') {
      if (old === undefined) return 'reload';
      this.#drop(id);
      this.total = Math.max(0, (this.total ?? 0) - 1);
      return 'applied';
    }
    // The event of its deletion follows.
    if (location === null) return 'nothing';
    if (location.version <= Math.max(old?.version ?? 0, this.#moved.get(id) ?? 0)) return 'nothing';
    if (old === undefined) {
      const isBeyondLoaded = kind === 'updated' && this.#search.filter === null;
      return isBeyondLoaded ? 'applied' : 'reload';
    }
    this.replace(location);
    return kind === 'updated' ? 'applied' : 'reload';
  }

  #drop(...ids: readonly string[]): void {
    const dropped = new Set(ids);
    this.rows = this.rows.filter(({ id }) => !dropped.has(id));
    if (this.all !== null) this.all = new Map([...this.all].filter(([id]) => !dropped.has(id)));
  }

  replace(row: Row): void {
    this.#edits += 1;
    this.rows = this.rows.map((old) => (old.id === row.id ? row : old));
    this.#updateAll(row);
  }

  /** Adds a location, which is the last of the list. */
  async add(row: Row): Promise<void> {
    // The event of its creation may have arrived first.
    if (this.rows.some(({ id }) => id === row.id)) return this.replace(row);
    this.#edits += 1;
    this.#updateAll(row);
    if (this.hasMore || this.#search.filter !== null || this.#search.orderBy !== null) return this.refresh();
    this.rows = [...this.rows, row];
    this.total = (this.total ?? 0) + 1;
  }

  #updateAll(row: Row): void {
    if (this.all !== null) this.all = new Map([...this.all, [row.id, row]]);
  }

  /**
   * Deletes locations. Then the total is to be counted again.
   *
   * @param ids 1 to 1,000
   * @returns how many of them existed
   */
  async delete(ids: readonly string[]): Promise<number> {
    // Their events may arrive before the response.
    for (const id of ids) this.#deleted.add(id);
    try {
      const input = { mapId: this.#mapId, ids: [...ids] };
      const { deleteLocations } = await this.#session.request(DeleteLocationsDocument, { input });
      this.#drop(...ids);
      return deleteLocations?.deletedCount ?? 0;
    } catch (error) {
      for (const id of ids) this.#deleted.delete(id);
      throw error;
    } finally {
      this.#edits += 1;
    }
  }

  async recount(): Promise<void> {
    this.total = await this.#reads.count(this.#search.filter, new AbortController().signal);
  }

  /**
   * Moves a location to the position of another. Beyond the loaded rows, it disappears from them.
   *
   * @param from index of a loaded row
   * @param to index in the list
   */
  move(from: number, to: number): Promise<void> {
    return this.#whileMoving(this.#move(from, to));
  }

  async #whileMoving<T>(moving: Promise<T>): Promise<T> {
    this.#moving = moving;
    this.isMoving = true;
    try {
      return await moving;
    } finally {
      if (this.#moving === moving) this.isMoving = false;
    }
  }

  async #move(from: number, to: number): Promise<void> {
    const row = this.rows[from];
    const target = this.rows[to]?.id ?? (await this.#reads.idAt(to + 1));
    if (row === undefined || target === null || from === to) return;
    const before = this.rows;
    const rest = before.filter((one) => one !== row);
    this.#edits += 1;
    this.rows = to < before.length ? [...rest.slice(0, to), row, ...rest.slice(to)] : rest;
    const anchor = from < to ? { after: target } : { before: target };
    try {
      await this.#requestMove({ ids: [row.id], ...anchor });
      this.replace({ ...row, version: this.#moved.get(row.id) ?? row.version });
    } catch (error) {
      this.rows = before;
      throw error;
    } finally {
      this.#edits += 1;
    }
  }

  /**
   * Moves locations to an end of the list, in the given order.
   *
   * @returns the calls in the map's history, in their order; none if no history is kept
   */
  moveToEnd(ids: readonly string[], end: ListEnd): Promise<readonly string[]> {
    return this.#whileMoving(this.#moveToEnd(ids, end));
  }

  async #moveToEnd(ids: readonly string[], end: ListEnd): Promise<readonly string[]> {
    const chunks = chunksOf(ids);
    const historyIds: string[] = [];
    // Each chunk moved to the start precedes those moved before.
    for (const chunk of end === 'toStart' ? chunks.toReversed() : chunks) {
      const historyId = await this.#requestMove({ ids: [...chunk], [end]: true });
      if (historyId !== null) historyIds.push(historyId);
    }
    await this.refresh();
    return historyIds;
  }

  /** @returns the call in the map's history; null if no history is kept */
  async #requestMove(move: Omit<MoveLocationsInput, 'mapId'>): Promise<string | null> {
    const input = { mapId: this.#mapId, ...move };
    const { moveLocations } = await this.#session.request(MoveLocationsDocument, { input });
    for (const { id, version } of moveLocations?.locations ?? []) this.#moved.set(id, version);
    return moveLocations?.historyId ?? null;
  }

  /** Boxes that together contain all results. */
  async boxes(): Promise<readonly Box[]> {
    const features = await this.#reads.features(
      this.#search.filter,
      { box: WORLD, zoom: 1, isStyled: false },
      new AbortController().signal,
    );
    return features.map(({ box }) => box);
  }

  inView(view: ViewRequest, signal: AbortSignal): Promise<readonly MapFeature[]> {
    return this.#reads.features(this.#search.filter, view, signal);
  }
}
