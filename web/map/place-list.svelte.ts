/** The list beside the map: what was found, page by page. */

import { GraphqlError } from '../shared/graphql.ts';
import type { Box } from '../../src/web/basemap/box.ts';
import type { LocationFilter } from './generated/operations.ts';
import type { Places, RowsPage } from './places.ts';
import { textOf } from '../shared/field-values.ts';
import type { CategoryMark } from './category-marks.ts';
import { marksOf, OTHER_MARK } from './category-marks.ts';
import type { MapConfig } from './config.ts';

export interface Row {
  readonly id: string;
  readonly name: string;
  /** Empty where it has none. */
  readonly category: string;
  /** A line below the name: the address, or else the category. */
  readonly detail: string;
}

/** Of a detail, so that a long one takes no memory. */
const MAX_DETAIL = 200;

export class PlaceList {
  rows = $state.raw<readonly Row[]>([]);
  /** Null while it is not known. */
  total = $state<number | null>(null);
  isLoading = $state(false);
  /** Of the last request; null where it was answered. */
  error = $state<GraphqlError | null>(null);
  /** Values of the category field, in order. */
  categories = $state.raw<readonly string[]>([]);

  /** How many locations have each of them, where the first page was all of the map; null where that is not known. */
  categoryCounts = $state.raw<ReadonlyMap<string, number> | null>(null);
  /** Of the categories, where all are known and there are several. Else empty. */
  readonly marks: ReadonlyMap<string, CategoryMark> = $derived(
    this.categoryCounts !== null && this.categoryCounts.size > 1 ? marksOf(this.categoryCounts) : new Map(),
  );

  readonly categoryField: string | null;
  readonly #addressField: string | null;
  readonly #places: Places;
  #filter: LocationFilter | null = null;
  #after: string | null = null;
  #hasMore = false;
  #request = new AbortController();
  /** What is under way, or was last. */
  #reading: Promise<void> = Promise.resolve();
  /** Of the locations on the map's first page. */
  #categories: ReadonlyMap<string, string> = new Map();

  constructor(places: Places, fields: MapConfig['fields']) {
    const nameOf = (type: string) => fields.find((field) => field.type === type)?.name ?? null;
    this.#places = places;
    this.categoryField = nameOf('category');
    this.#addressField = nameOf('address');
  }

  /**
   * Starts anew. What was under way is given up.
   *
   * @returns the box around all that was found; null where nothing was, or the request failed or was given up
   */
  async find(filter: LocationFilter | null): Promise<Box | null> {
    this.#filter = filter;
    let box: Box | null = null;
    this.#reading = this.#run(
      (signal) => this.#places.find(filter, signal),
      (found) => {
        this.total = found.total;
        this.rows = [];
        this.#add(found.page);
        if (filter === null) {
          this.#categories = new Map(this.rows.map((row) => [row.id, row.category]));
          this.categoryCounts = found.page.pageInfo.hasNextPage ? null : this.#count(this.rows);
        }
        box = found.box;
      },
    );
    await this.#reading;
    return box;
  }

  /** Null where categories have no marks. */
  markOf(id: string): CategoryMark | null {
    return this.markOfCategory(this.#categories.get(id) ?? '');
  }

  /** As {@link markOf}. */
  markOfCategory(category: string): CategoryMark | null {
    return this.marks.size === 0 ? null : (this.marks.get(category) ?? OTHER_MARK);
  }

  /** Whether there are locations whose category has no mark of its own. */
  get hasOthers(): boolean {
    return [...this.#categories.values()].some((category) => !this.marks.has(category));
  }

  /** The next page, if there is one, or what is under way. */
  async more(): Promise<void> {
    if (this.#hasMore && !this.isLoading) {
      this.#reading = this.#run(
        (signal) => this.#places.more(this.#filter, this.#after, signal),
        (page) => this.#add(page),
      );
    }
    await this.#reading;
  }

  /** Asks again for what failed. */
  async retry(): Promise<void> {
    if (this.rows.length === 0) await this.find(this.#filter);
    else await this.more();
  }

  /** Only what is still wanted is taken, and before the list says that it is no longer loading. */
  async #run<T>(ask: (signal: AbortSignal) => Promise<T>, take: (answer: T) => void): Promise<void> {
    this.#request.abort();
    const request = new AbortController();
    this.#request = request;
    this.isLoading = true;
    this.error = null;
    try {
      const answer = await ask(request.signal);
      if (!request.signal.aborted) take(answer);
    } catch (error) {
      if (!request.signal.aborted) this.error = asGraphqlError(error);
    } finally {
      if (this.#request === request) this.isLoading = false;
    }
  }

  #categoryOf(properties: RowsPage['nodes'][number]['properties']): string {
    return this.categoryField === null ? '' : textOf(properties[this.categoryField] ?? '');
  }

  /** In order of their names. */
  #count(rows: readonly Row[]): ReadonlyMap<string, number> {
    const counts = new Map(this.categories.map((category) => [category, 0]));
    for (const { category } of rows) {
      const count = counts.get(category);
      if (count !== undefined) counts.set(category, count + 1);
    }
    return counts;
  }

  #add({ nodes, pageInfo }: RowsPage): void {
    const seen = new Set(this.categories);
    const rows = nodes.map(({ id, name, properties }) => {
      const category = this.#categoryOf(properties);
      if (category !== '' && category.length <= MAX_DETAIL) seen.add(category);
      const address = this.#addressField === null ? '' : textOf(properties[this.#addressField] ?? '');
      return { id, name, category, detail: (address === '' ? category : address).slice(0, MAX_DETAIL) };
    });
    this.rows = [...this.rows, ...rows];
    if (seen.size !== this.categories.length)
      this.categories = [...seen].toSorted((a, b) => a.localeCompare(b));
    this.#after = pageInfo.endCursor;
    this.#hasMore = pageInfo.hasNextPage;
  }
}

function asGraphqlError(error: unknown): GraphqlError {
  return error instanceof GraphqlError ? error : new GraphqlError('UNKNOWN', String(error));
}
