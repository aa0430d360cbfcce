/** The list of locations that match the filter, loaded page by page. */

import type { Attribution } from '../../src/domain/attribution.ts';
import type { CategoryValue } from '../../src/domain/categories.ts';
import { categoryOf, categoryValueOf, namesOf, valuesOf } from '../../src/domain/categories.ts';
import type { Box } from '../../src/web/basemap/box.ts';
import { GraphqlError } from '../shared/graphql.ts';
import type { CategoryMarks, CategoryStyles } from '../shared/map/categories.ts';
import { Categories, categoryFieldOf } from '../shared/map/categories.ts';
import type { Point } from '../shared/map/map-view.ts';
import { valueOf } from '../shared/properties.ts';
import { textOf } from '../shared/text.ts';
import type { MapConfig } from './config.ts';
import type { LocationFilter } from './generated/operations.ts';
import type { LocationsClient, RowsPage } from './locations-client.ts';

export interface Row {
  readonly id: string;
  readonly name: string;
  /** Empty if it has none. */
  readonly category: string;
  /** Second line: the address, or else the category. */
  readonly detail: string;
  /** The value of the field of opening hours. */
  readonly hours: unknown;
  /** From the reader, in metres; null in the order of the map. */
  readonly distance: number | null;
}

/** Characters kept of a detail. */
const MAX_DETAIL = 200;

export class LocationList {
  rows = $state.raw<readonly Row[]>([]);
  /** Null while unknown, such as after a failed search. */
  total = $state<number | null>(null);
  /** Of the geocoders that found the map's points. */
  attributions = $state.raw<readonly Attribution[]>([]);
  isLoading = $state(false);
  /** Error of the last request, or null. */
  error = $state<GraphqlError | null>(null);
  /** Labels by category: of the map's styles, and of all loaded rows. */
  readonly knownCategories = $derived.by(() => {
    const { labels } = this.#styles ?? { labels: [] };
    return new Map([...this.#seenCategories.map((name) => [name, name] as const), ...labels]);
  });
  /** All categories of the map; null if its locations do not fit on one page. */
  categories = $state.raw<Categories | null>(null);
  /** Null if categories have none, or until the first page is loaded. */
  marks = $state.raw<CategoryMarks | null>(null);

  readonly categoryField: string | null;
  readonly #addressField: string | null;
  readonly #hoursField: string | null;
  readonly #client: LocationsClient;
  readonly #styles: CategoryStyles | null;
  /** Categories of all loaded rows, sorted. */
  #seenCategories = $state.raw<readonly string[]>([]);
  /** The distinct values of the category field in all loaded rows. */
  readonly #seenValues = new Set<CategoryValue | null>();
  #filter: LocationFilter | null = null;
  #near: Point | null = null;
  #after: string | null = null;
  #hasMore = false;
  #request = new AbortController();
  /** The current or last request. */
  #loading: Promise<void> = Promise.resolve();

  constructor(client: LocationsClient, fields: MapConfig['fields'], styles: CategoryStyles | null) {
    this.#client = client;
    this.#styles = styles;
    this.categoryField = categoryFieldOf(fields);
    this.#addressField = fields.find(({ type }) => type === 'address')?.name ?? null;
    this.#hoursField = fields.find(({ type }) => type === 'openingHours')?.name ?? null;
  }

  /**
   * Starts a new search and cancels the previous one.
   *
   * @param near the point whose distance orders the list; null for the order of the map
   * @returns boxes around the results; empty if there are none, or the request failed or was canceled
   */
  async find(filter: LocationFilter | null, near: Point | null = null): Promise<readonly Box[]> {
    this.#filter = filter;
    this.#near = near;
    let boxes: readonly Box[] = [];
    this.#loading = this.#run(
      (signal) =>
        near === null ? this.#client.find(filter, signal) : this.#client.findNear(filter, near, null, signal),
      (found) => {
        this.total = found.total;
        this.attributions = found.attributions;
        this.rows = [];
        this.#add(found.page);
        if (filter === null && near === null) {
          const ofLocations = new Map(this.rows.map((row) => [row.id, row.category]));
          this.categories = found.page.pageInfo.hasNextPage
            ? null
            : new Categories(ofLocations, this.#styles);
          const marks = this.categories ?? this.#largeMarks;
          this.marks = marks === null || marks.marks.size === 0 ? null : marks;
        }
        boxes = found.boxes;
      },
      // The results of the previous filter do not match this one.
      () => {
        this.total = null;
        this.rows = [];
        this.#hasMore = false;
      },
    );
    await this.#loading;
    return boxes;
  }

  /** Loads the next page, if there is one and no request is running. */
  async more(): Promise<void> {
    if (this.#hasMore && !this.isLoading) {
      this.#loading = this.#run(
        async (signal) =>
          this.#near === null
            ? this.#client.more(this.#filter, this.#after, signal)
            : (await this.#client.findNear(this.#filter, this.#near, this.#after, signal)).page,
        (page) => this.#add(page),
      );
    }
    await this.#loading;
  }

  /** Loads the next page as the reader nears the end. After an error, only the reader retries. */
  async loadAhead(): Promise<void> {
    if (this.error === null) await this.more();
  }

  /** Applies the response unless a newer request has replaced this one. */
  async #run<T>(
    request: (signal: AbortSignal) => Promise<T>,
    apply: (response: T) => void,
    onFailure: () => void = () => {},
  ): Promise<void> {
    this.#request.abort();
    const current = new AbortController();
    this.#request = current;
    this.isLoading = true;
    this.error = null;
    try {
      const response = await request(current.signal);
      if (!current.signal.aborted) apply(response);
    } catch (error) {
      if (!current.signal.aborted) {
        this.error = asGraphqlError(error);
        onFailure();
      }
    } finally {
      if (this.#request === current) this.isLoading = false;
    }
  }

  labelOf(category: string): string {
    return this.#styles?.labels.get(category) ?? category;
  }

  /** The values that are the category. */
  readonly valuesOf = (category: string): readonly CategoryValue[] => valuesOf(category, this.#seenValues);

  get #largeMarks(): CategoryMarks | null {
    return this.categoryField === null ? null : (this.#styles?.marksOfLargeMap(this.categoryField) ?? null);
  }

  #add({ nodes, pageInfo }: RowsPage): void {
    // A location moved while the list loads may appear on two pages.
    const seen = new Set(this.rows.map(({ id }) => id));
    const others = nodes.filter(({ id }) => !seen.has(id));
    const rows = others.map(({ id, name, properties, distance = null }) => {
      this.#seenValues.add(categoryValueOf(properties, this.categoryField));
      const category = categoryOf(properties, this.categoryField);
      const address =
        this.#addressField === null ? '' : textOf(valueOf(properties, this.#addressField) ?? '');
      const hours = this.#hoursField === null ? undefined : valueOf(properties, this.#hoursField);
      const detail = (address === '' ? this.labelOf(category) : address).slice(0, MAX_DETAIL);
      return { id, name, category, detail, hours, distance };
    });
    this.rows = [...this.rows, ...rows];
    this.#seenCategories = namesOf([...this.#seenCategories, ...rows.map(({ category }) => category)]);
    this.#after = pageInfo.endCursor;
    this.#hasMore = pageInfo.hasNextPage;
  }
}

function asGraphqlError(error: unknown): GraphqlError {
  return error instanceof GraphqlError ? error : new GraphqlError('UNKNOWN', String(error));
}
