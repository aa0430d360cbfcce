/** The locations of a map as its owner works on them: found page by page, and changed. */

import type { Box } from '../../src/web/basemap/box.ts';
import { toBbox } from '../../src/web/basemap/box.ts';
import type { Spot } from '../map/marks.ts';
import { GraphqlError } from '../shared/graphql.ts';
import type { IdsQuery, LocationFilter, LocationOrderInput, RowFragment } from './generated/operations.ts';
import {
  CountDocument,
  DeleteLocationsDocument,
  IdAtDocument,
  IdsDocument,
  InViewDocument,
  MoveLocationsDocument,
  OneRowDocument,
  RowsDocument,
} from './generated/operations.ts';
import type { Session } from './session.svelte.ts';

export type Row = RowFragment;

const WORLD = { south: -90, west: -180, north: 90, east: 180 };
const MAX_ZOOM = 22;
/** As many locations as one call may delete or move. */
const MAX_IDS = 1_000;

export class Desk {
  rows = $state.raw<readonly Row[]>([]);
  total = $state<number | null>(null);
  isLoading = $state(false);
  hasMore = $state(false);
  /** All locations by their ids, whatever the filter; null where they are more than a page. */
  all = $state.raw<ReadonlyMap<string, Row> | null>(null);
  /** How often another filter or order was asked for. */
  searches = $state(0);
  /** Whether what was read last could not be: then nothing more is to be read until somebody asks for it. */
  hasFailed = $state(false);
  #filter: LocationFilter | null = null;
  #orderBy: LocationOrderInput | null = null;
  readonly #session: Session;
  readonly #id: string;
  /** About to be deleted, and no longer shown. */
  readonly #hidden = new Set<string>();
  #after: string | null = null;
  #request = new AbortController();
  /** What is under way, or was last. */
  #reading: Promise<void> = Promise.resolve();

  constructor(session: Session, id: string) {
    this.#session = session;
    this.#id = id;
  }

  /** @param orderBy null is the map's own order */
  async find(filter: LocationFilter | null, orderBy: LocationOrderInput | null): Promise<void> {
    this.#filter = filter;
    this.#orderBy = orderBy;
    this.searches += 1;
    await this.refresh();
  }

  /** The same again, from its beginning. */
  async refresh(): Promise<void> {
    this.#after = null;
    await (this.#reading = this.#load([]));
  }

  /** Read where it is none of the rows. Null where it is gone. */
  async row(id: string): Promise<Row | null> {
    const shown = this.rows.find((one) => one.id === id);
    return shown ?? (await this.#session.ask(OneRowDocument, { id: this.#id, locationId: id })).location;
  }

  /** Of all that is found, in order; those of pages that were not read yet are asked for. */
  async ids(): Promise<readonly string[]> {
    await this.#reading;
    const ids = this.rows.map(({ id }) => id);
    const [filter, orderBy] = [this.#filter, this.#orderBy];
    for (let after = this.#after, hasMore = this.hasMore; hasMore;) {
      const { map }: IdsQuery = await this.#session.ask(IdsDocument, {
        id: this.#id,
        filter,
        orderBy,
        after,
      });
      ids.push(...(map?.locations?.nodes ?? []).map(({ id }) => id));
      hasMore = map?.locations?.pageInfo.hasNextPage ?? false;
      after = map?.locations?.pageInfo.endCursor ?? null;
    }
    return [...new Set(ids)].filter((id) => !this.#hidden.has(id));
  }

  /** The next page, or the one that is under way. */
  async more(): Promise<void> {
    // Where the first page failed, what is shown is of another search.
    const before = this.#after === null ? [] : this.rows;
    if (this.hasMore && !this.isLoading) this.#reading = this.#load(before);
    await this.#reading;
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
      const variables = { id: this.#id, filter, orderBy, after: this.#after, isFirst };
      const [{ map }, hidden] = await Promise.all([
        this.#session.ask(RowsDocument, variables, request.signal),
        isFirst ? this.#countHidden(filter, request.signal) : 0,
      ]);
      const page = map?.locations;
      if (!page) throw new GraphqlError('UNKNOWN', '');
      const seen = new Set(before.map(({ id }) => id));
      this.rows = [...before, ...page.nodes.filter(({ id }) => !seen.has(id) && !this.#hidden.has(id))];
      if (page.totalCount !== undefined) this.total = Math.max(0, page.totalCount - hidden);
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

  /** Of those that are about to be deleted, which the server counts still, as many as a filter finds. */
  async #countHidden(filter: LocationFilter | null, signal: AbortSignal): Promise<number> {
    const ids = [...this.#hidden];
    if (filter === null || ids.length === 0) return ids.length;
    const parts = chunksOf(ids).map((some) => ({ ids: [...some] }));
    const variables = { id: this.#id, filter: { and: [filter, { or: parts }] } };
    const { map } = await this.#session.ask(CountDocument, variables, signal);
    return map?.locations?.totalCount ?? 0;
  }

  replace(row: Row): void {
    this.rows = this.rows.map((old) => (old.id === row.id ? row : old));
    this.#note(row);
  }

  #note(row: Row): void {
    if (this.all !== null) this.all = new Map([...this.all, [row.id, row]]);
  }

  /** A new location is at the end of the list, which may not be read yet. */
  async add(row: Row): Promise<void> {
    this.#note(row);
    if (this.hasMore || this.#filter !== null || this.#orderBy !== null) return this.refresh();
    this.rows = [...this.rows, row];
    this.total = (this.total ?? 0) + 1;
  }

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
    for (let start = 0; start < ids.length; start += MAX_IDS) {
      const some = ids.slice(start, start + MAX_IDS);
      await this.#session.ask(DeleteLocationsDocument, { input: { mapId: this.#id, ids: some } });
    }
    for (const id of ids) this.#hidden.delete(id);
  }

  /**
   * Puts a location where another one stands now. It may go farther than the list is read: then it is none of the rows
   * any more.
   *
   * @param from of the rows
   * @param to its place in the list, from 0
   */
  async move(from: number, to: number): Promise<void> {
    const row = this.rows[from];
    const target = this.rows[to]?.id ?? (await this.#idAt(to));
    if (row === undefined || target === null || from === to) return;
    const before = this.rows;
    const rest = before.filter((one) => one !== row);
    this.rows = to < before.length ? [...rest.slice(0, to), row, ...rest.slice(to)] : rest;
    const place = from < to ? { after: target } : { before: target };
    try {
      const { moveLocations } = await this.#session.ask(MoveLocationsDocument, {
        input: { mapId: this.#id, ids: [row.id], ...place },
      });
      const moved = moveLocations?.locations.find(({ id }) => id === row.id);
      if (moved !== undefined) this.replace({ ...row, version: moved.version });
    } catch (error) {
      this.rows = before;
      throw error;
    }
  }

  /** What is about to be deleted is counted by the server still; it was chosen among what is read, so it stands before. */
  async #idAt(index: number): Promise<string | null> {
    const place = index + this.#hidden.size + 1;
    const { map } = await this.#session.ask(IdAtDocument, { id: this.#id, place });
    return map?.locationAt?.id ?? null;
  }

  /** Puts locations to an end of the list, in the order given. Where there are many, it takes several calls. */
  async moveFar(ids: readonly string[], place: 'toStart' | 'toEnd'): Promise<void> {
    for (const some of chunksOf(ids, place)) {
      await this.#session.ask(MoveLocationsDocument, {
        input: { mapId: this.#id, ids: [...some], [place]: true },
      });
    }
    await this.refresh();
  }

  /** Around parts of what is found, and together around all of it. */
  async boxes(): Promise<readonly Box[]> {
    const spots = await this.#clusters(WORLD, 1, new AbortController().signal);
    return spots.map(({ box }) => box);
  }

  inView(box: Box, zoom: number, signal: AbortSignal): Promise<readonly Spot[]> {
    return this.#clusters(toBbox(box), Math.min(MAX_ZOOM, Math.max(0, Math.round(zoom))), signal);
  }

  async #clusters(
    bbox: ReturnType<typeof toBbox>,
    zoom: number,
    signal: AbortSignal,
  ): Promise<readonly Spot[]> {
    const variables = { id: this.#id, bbox, zoom, filter: this.#filter };
    const { map } = await this.#session.ask(InViewDocument, variables, signal);
    return (map?.clusters ?? []).map(({ bbox: box, ...spot }) => ({ ...spot, box }));
  }
}

/** What goes to the start goes there last part first, so that the first part stands first. */
function chunksOf(
  ids: readonly string[],
  place: 'toStart' | 'toEnd' = 'toEnd',
): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / MAX_IDS);
  const chunks = Array.from({ length: count }, (_, index) =>
    ids.slice(index * MAX_IDS, (index + 1) * MAX_IDS),
  );
  return place === 'toStart' ? chunks.toReversed() : chunks;
}
