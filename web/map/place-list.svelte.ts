/** The list beside the map: what was found, page by page. */

import { GraphqlError } from '../shared/graphql.ts';
import type { Box } from '../../src/web/basemap/box.ts';
import type { LocationFilter } from './generated/operations.ts';
import type { Places, RowsPage } from './places.ts';
import { textOf } from '../shared/field-values.ts';
import { valueOf } from '../shared/properties.ts';
import { Categories, categoryFieldOf, categoryOf, namesOf } from './categories.ts';
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
  /** Null while it is not known, as after a search that failed. */
  total = $state<number | null>(null);
  isLoading = $state(false);
  /** Of the last request; null where it was answered. */
  error = $state<GraphqlError | null>(null);
  /** Values of the category field that were seen, in order. */
  categories = $state.raw<readonly string[]>([]);
  /** Where the first page was all of the map; null where not all of them are known. */
  known = $state.raw<Categories | null>(null);

  readonly categoryField: string | null;
  readonly #addressField: string | null;
  readonly #places: Places;
  #filter: LocationFilter | null = null;
  #after: string | null = null;
  #hasMore = false;
  #request = new AbortController();
  /** What is under way, or was last. */
  #reading: Promise<void> = Promise.resolve();

  constructor(places: Places, fields: MapConfig['fields']) {
    this.#places = places;
    this.categoryField = categoryFieldOf(fields);
    this.#addressField = fields.find(({ type }) => type === 'address')?.name ?? null;
  }

  /**
   * Starts anew. What was under way is given up.
   *
   * @returns boxes around what was found; none where nothing was, or the request failed or was given up
   */
  async find(filter: LocationFilter | null): Promise<readonly Box[]> {
    this.#filter = filter;
    let boxes: readonly Box[] = [];
    this.#reading = this.#run(
      (signal) => this.#places.find(filter, signal),
      (found) => {
        this.total = found.total;
        this.rows = [];
        this.#add(found.page);
        if (filter === null) {
          const ofLocations = new Map(this.rows.map((row) => [row.id, row.category]));
          this.known = found.page.pageInfo.hasNextPage ? null : new Categories(ofLocations);
        }
        boxes = found.boxes;
      },
      // What another filter had found does not stand for this one.
      () => {
        this.total = null;
        this.rows = [];
        this.#hasMore = false;
      },
    );
    await this.#reading;
    return boxes;
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

  /** The next page by itself, since the end is near. After a failure nothing is asked for until the reader asks. */
  async readOn(): Promise<void> {
    if (this.error === null) await this.more();
  }

  /** Only what is still wanted is taken, and before the list says that it is no longer loading. */
  async #run<T>(
    ask: (signal: AbortSignal) => Promise<T>,
    take: (response: T) => void,
    onFailure: () => void = () => {},
  ): Promise<void> {
    this.#request.abort();
    const request = new AbortController();
    this.#request = request;
    this.isLoading = true;
    this.error = null;
    try {
      const response = await ask(request.signal);
      if (!request.signal.aborted) take(response);
    } catch (error) {
      if (!request.signal.aborted) {
        this.error = asGraphqlError(error);
        onFailure();
      }
    } finally {
      if (this.#request === request) this.isLoading = false;
    }
  }

  #add({ nodes, pageInfo }: RowsPage): void {
    // What was moved while the list is read may stand on a later page again.
    const seen = new Set(this.rows.map(({ id }) => id));
    const others = nodes.filter(({ id }) => !seen.has(id));
    const rows = others.map(({ id, name, properties }) => {
      const category = categoryOf(properties, this.categoryField);
      const address =
        this.#addressField === null ? '' : textOf(valueOf(properties, this.#addressField) ?? '');
      return { id, name, category, detail: (address === '' ? category : address).slice(0, MAX_DETAIL) };
    });
    this.rows = [...this.rows, ...rows];
    this.categories = namesOf([...this.categories, ...rows.map(({ category }) => category)]);
    this.#after = pageInfo.endCursor;
    this.#hasMore = pageInfo.hasNextPage;
  }
}

function asGraphqlError(error: unknown): GraphqlError {
  return error instanceof GraphqlError ? error : new GraphqlError('UNKNOWN', String(error));
}
