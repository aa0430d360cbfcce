/** The locations of a map that match a filter, loaded page by page, and changes of them. */

import type { Attribution } from '../../../src/domain/attribution.ts';
import type { Box } from '../../../src/web/basemap/box.ts';
import { toBbox } from '../../../src/web/basemap/box.ts';
import { GraphqlError } from '../../shared/graphql.ts';
import type { MapFeature } from '../../shared/map/map-features.ts';
import type { Session } from '../common/session.svelte.ts';
import type { IdsQuery, LocationFilter, LocationOrderInput, RowFragment } from '../generated/operations.ts';
import {
  CountDocument,
  DeleteLocationsDocument,
  IdAtDocument,
  IdsDocument,
  InViewDocument,
  MoveLocationsDocument,
  OneRowDocument,
  RowsDocument,
} from '../generated/operations.ts';

export type Row = RowFragment;

/** An end of the list, named as `moveLocations` names it. */
export type ListEnd = 'toStart' | 'toEnd';

const WORLD = { south: -90, west: -180, north: 90, east: 180 };
const MAX_ZOOM = 22;
/** Maximum number of locations deleted or moved by one mutation. */
const MAX_IDS = 1_000;

export class LocationsStore {
  rows = $state.raw<readonly Row[]>([]);
  total = $state<number | null>(null);
  /** Of the geocoders that found the map's points. */
  attributions = $state.raw<readonly Attribution[]>([]);
  isLoading = $state(false);
  hasMore = $state(false);
  /** All locations by id, regardless of the filter; null if they do not fit on one page. */
  all = $state.raw<ReadonlyMap<string, Row> | null>(null);
  /** Number of searches started. */
  searches = $state(0);
  /** Whether the last page failed to load. Then the next one waits for the user. */
  hasFailed = $state(false);
  #filter: LocationFilter | null = null;
  #orderBy: LocationOrderInput | null = null;
  readonly #session: Session;
  readonly #mapId: string;
  /** Ids of locations hidden until they are deleted. */
  readonly #hidden = new Set<string>();
  #after: string | null = null;
  #request = new AbortController();
  /** The current or last page load. */
  #loading: Promise<void> = Promise.resolve();

  constructor(session: Session, mapId: string) {
    this.#session = session;
    this.#mapId = mapId;
  }

  /** @param orderBy null for the order of the list */
  async search(filter: LocationFilter | null, orderBy: LocationOrderInput | null): Promise<void> {
    this.#filter = filter;
    this.#orderBy = orderBy;
    this.searches += 1;
    await this.refresh();
  }

  /** Loads the first page again. */
  async refresh(): Promise<void> {
    this.#after = null;
    await (this.#loading = this.#load([]));
  }

  /** Null if the location no longer exists. */
  async row(id: string): Promise<Row | null> {
    const loaded = this.rows.find((one) => one.id === id);
    if (loaded !== undefined) return loaded;
    return (await this.#session.request(OneRowDocument, { id: this.#mapId, locationId: id })).location;
  }

  /** The ids of all results, in order. Loads those of the remaining pages. */
  async ids(): Promise<readonly string[]> {
    await this.#loading;
    const ids = this.rows.map(({ id }) => id);
    const [filter, orderBy] = [this.#filter, this.#orderBy];
    for (let after = this.#after, hasMore = this.hasMore; hasMore;) {
      const variables = { id: this.#mapId, filter, orderBy, after };
      const { map }: IdsQuery = await this.#session.request(IdsDocument, variables);
      ids.push(...(map?.locations?.nodes ?? []).map(({ id }) => id));
      hasMore = map?.locations?.pageInfo.hasNextPage ?? false;
      after = map?.locations?.pageInfo.endCursor ?? null;
    }
    return [...new Set(ids)].filter((id) => !this.#hidden.has(id));
  }

  /** Loads the next page, or waits for the current one. */
  async more(): Promise<void> {
    // If the first page failed, the rows are those of the previous search.
    const before = this.#after === null ? [] : this.rows;
    if (this.hasMore && !this.isLoading) this.#loading = this.#load(before);
    await this.#loading;
  }

  async #load(before: readonly Row[]): Promise<void> {
    this.#request.abort();
    const request = new AbortController();
    this.#request = request;
    this.isLoading = true;
    this.hasFailed = false;
    try {
      const isFirst = this.#after === null;
      const [filter, orderBy] = [this.#filter, this.#orderBy];
      const variables = { id: this.#mapId, filter, orderBy, after: this.#after, isFirst };
      const [{ map }, hidden] = await Promise.all([
        this.#session.request(RowsDocument, variables, request.signal),
        isFirst ? this.#countHidden(filter, request.signal) : 0,
      ]);
      const page = map?.locations;
      if (!page) throw new GraphqlError('UNKNOWN', '');
      const seen = new Set(before.map(({ id }) => id));
      this.rows = [...before, ...page.nodes.filter(({ id }) => !seen.has(id) && !this.#hidden.has(id))];
      if (page.totalCount !== undefined) this.total = Math.max(0, page.totalCount - hidden);
      if (map.attributions !== undefined) this.attributions = map.attributions;
      this.hasMore = page.pageInfo.hasNextPage;
      if (isFirst && filter === null)
        this.all = this.hasMore ? null : new Map(this.rows.map((row) => [row.id, row]));
      this.#after = page.pageInfo.endCursor;
    } catch (error) {
      if (request.signal.aborted) return;
      this.hasFailed = true;
      throw error;
    } finally {
      if (this.#request === request) this.isLoading = false;
    }
  }

  /** Number of hidden locations that match the filter: the server still counts them. */
  async #countHidden(filter: LocationFilter | null, signal: AbortSignal): Promise<number> {
    const ids = [...this.#hidden];
    if (filter === null || ids.length === 0) return ids.length;
    const parts = chunksOf(ids).map((chunk) => ({ ids: [...chunk] }));
    const variables = { id: this.#mapId, filter: { and: [filter, { or: parts }] } };
    const { map } = await this.#session.request(CountDocument, variables, signal);
    return map?.locations?.totalCount ?? 0;
  }

  replace(row: Row): void {
    this.rows = this.rows.map((old) => (old.id === row.id ? row : old));
    this.#updateAll(row);
  }

  /** Adds a location, which is the last of the list. */
  async add(row: Row): Promise<void> {
    this.#updateAll(row);
    if (this.hasMore || this.#filter !== null || this.#orderBy !== null) return this.refresh();
    this.rows = [...this.rows, row];
    this.total = (this.total ?? 0) + 1;
  }

  #updateAll(row: Row): void {
    if (this.all !== null) this.all = new Map([...this.all, [row.id, row]]);
  }

  /** Hides locations until they are deleted or shown again. */
  hide(ids: readonly string[]): void {
    for (const id of ids) this.#hidden.add(id);
    this.rows = this.rows.filter(({ id }) => !this.#hidden.has(id));
    this.total = (this.total ?? ids.length) - ids.length;
  }

  async show(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#hidden.delete(id);
    await this.refresh();
  }

  async delete(ids: readonly string[]): Promise<void> {
    for (const chunk of chunksOf(ids)) {
      const input = { mapId: this.#mapId, ids: [...chunk] };
      await this.#session.request(DeleteLocationsDocument, { input });
    }
    for (const id of ids) this.#hidden.delete(id);
  }

  /**
   * Moves a location to the position of another. Beyond the loaded rows, it disappears from them.
   *
   * @param from index of a loaded row
   * @param to index in the list
   */
  async move(from: number, to: number): Promise<void> {
    const row = this.rows[from];
    const target = this.rows[to]?.id ?? (await this.#idAt(to));
    if (row === undefined || target === null || from === to) return;
    const before = this.rows;
    const rest = before.filter((one) => one !== row);
    this.rows = to < before.length ? [...rest.slice(0, to), row, ...rest.slice(to)] : rest;
    const anchor = from < to ? { after: target } : { before: target };
    try {
      const { moveLocations } = await this.#session.request(MoveLocationsDocument, {
        input: { mapId: this.#mapId, ids: [row.id], ...anchor },
      });
      const moved = moveLocations?.locations.find(({ id }) => id === row.id);
      if (moved !== undefined) this.replace({ ...row, version: moved.version });
    } catch (error) {
      this.rows = before;
      throw error;
    }
  }

  /** The server still counts hidden locations. All of them precede `index`, since they were selected among loaded rows. */
  async #idAt(index: number): Promise<string | null> {
    const position = index + this.#hidden.size + 1;
    const { map } = await this.#session.request(IdAtDocument, { id: this.#mapId, position });
    return map?.locationAt?.id ?? null;
  }

  /** Moves locations to an end of the list, in the given order. */
  async moveToEnd(ids: readonly string[], end: ListEnd): Promise<void> {
    const chunks = chunksOf(ids);
    // Each chunk moved to the start precedes those moved before.
    for (const chunk of end === 'toStart' ? chunks.toReversed() : chunks) {
      const input = { mapId: this.#mapId, ids: [...chunk], [end]: true };
      await this.#session.request(MoveLocationsDocument, { input });
    }
    await this.refresh();
  }

  /** Boxes that together contain all results. */
  async boxes(): Promise<readonly Box[]> {
    const features = await this.#clusters(WORLD, 1, new AbortController().signal);
    return features.map(({ box }) => box);
  }

  inView(box: Box, zoom: number, signal: AbortSignal): Promise<readonly MapFeature[]> {
    return this.#clusters(toBbox(box), Math.min(MAX_ZOOM, Math.max(0, Math.round(zoom))), signal);
  }

  async #clusters(
    bbox: ReturnType<typeof toBbox>,
    zoom: number,
    signal: AbortSignal,
  ): Promise<readonly MapFeature[]> {
    const variables = { id: this.#mapId, bbox, zoom, filter: this.#filter };
    const { map } = await this.#session.request(InViewDocument, variables, signal);
    return (map?.clusters ?? []).map(({ bbox: box, ...feature }) => ({ ...feature, box }));
  }
}

function chunksOf(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / MAX_IDS);
  return Array.from({ length: count }, (_, index) => ids.slice(index * MAX_IDS, (index + 1) * MAX_IDS));
}
