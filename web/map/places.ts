/** What the page asks the server for. */

import type { Box } from '../../src/web/basemap/box.ts';
import { toBbox } from '../../src/web/basemap/box.ts';
import type { GraphqlClient } from '../shared/graphql.ts';
import { GraphqlError } from '../shared/graphql.ts';
import type {
  LocationFilter,
  PlaceQuery,
  RowsFragment,
  ViewPlacesQuery,
  ViewPlacesQueryVariables,
} from './generated/operations.ts';
import {
  FindPlacesDocument,
  MorePlacesDocument,
  PlaceDocument,
  ViewClustersDocument,
  ViewPlacesDocument,
} from './generated/operations.ts';
import type { Spot } from './marks.ts';

export type Place = NonNullable<NonNullable<PlaceQuery['publicMap']>['location']>;
export type RowsPage = RowsFragment;

export interface Found {
  readonly total: number;
  readonly page: RowsPage;
  /** Around parts of what was found, and together around all of it. */
  readonly boxes: readonly Box[];
}

/** Pixels of the part of the map that is in view. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Up to so many locations are shown one by one. */
const MAX_SINGLE = 300;
const MAX_CELLS = 2_000;
/** The API's cells at the map's own zoom. */
const CELL_PIXELS = 64;
const MAX_API_ZOOM = 22;

export class Places {
  readonly #ask: GraphqlClient;
  readonly #id: string;

  constructor(ask: GraphqlClient, mapId: string) {
    this.#ask = ask;
    this.#id = mapId;
  }

  async find(filter: LocationFilter | null, signal: AbortSignal): Promise<Found> {
    const { publicMap } = await this.#ask(FindPlacesDocument, { id: this.#id, filter }, signal);
    const { locations, world } = there(publicMap);
    return {
      total: there(locations).totalCount,
      page: there(locations),
      boxes: there(world).map(({ bbox }) => bbox),
    };
  }

  async more(filter: LocationFilter | null, after: string | null, signal: AbortSignal): Promise<RowsPage> {
    const { publicMap } = await this.#ask(MorePlacesDocument, { id: this.#id, filter, after }, signal);
    return there(there(publicMap).locations);
  }

  /** Null where there is none of that id. */
  async place(locationId: string, signal: AbortSignal): Promise<Place | null> {
    try {
      const { publicMap } = await this.#ask(PlaceDocument, { id: this.#id, locationId }, signal);
      return there(publicMap).location;
    } catch (error) {
      if (error instanceof GraphqlError && error.code === 'LOCATION_NOT_FOUND') return null;
      throw error;
    }
  }

  /** What is in the box: clusters while there are many, and each location where there are few. */
  async inView(
    box: Box,
    zoom: number,
    size: Size,
    filter: LocationFilter | null,
    signal: AbortSignal,
  ): Promise<readonly Spot[]> {
    const clusters = await this.#clusters(box, apiZoom(zoom, size), filter, signal);
    const total = clusters.reduce((sum, { count }) => sum + count, 0);
    const areSingle = clusters.every(({ location }) => location !== null);
    if (areSingle || total > MAX_SINGLE) return clusters;
    return this.#singles(box, filter, signal);
  }

  async #clusters(
    box: Box,
    zoom: number,
    filter: LocationFilter | null,
    signal: AbortSignal,
  ): Promise<readonly Spot[]> {
    const variables = { id: this.#id, bbox: toBbox(box), zoom, filter };
    const { publicMap } = await this.#ask(ViewClustersDocument, variables, signal);
    return there(there(publicMap).clusters).map(({ bbox, ...cluster }) => ({ ...cluster, box: bbox }));
  }

  async #singles(box: Box, filter: LocationFilter | null, signal: AbortSignal): Promise<readonly Spot[]> {
    const inBox: LocationFilter = { bbox: toBbox(box) };
    const both = filter === null ? inBox : { and: [filter, inBox] };
    const spots: Spot[] = [];
    let after: string | null = null;
    do {
      const variables: ViewPlacesQueryVariables = { id: this.#id, filter: both, after };
      const response: ViewPlacesQuery = await this.#ask(ViewPlacesDocument, variables, signal);
      const { nodes, pageInfo } = there(there(response.publicMap).locations);
      for (const { id, name, latitude, longitude } of nodes) {
        const point = { south: latitude, west: longitude, north: latitude, east: longitude };
        spots.push({ latitude, longitude, count: 1, box: point, location: { id, name } });
      }
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    return spots;
  }
}

/** One at which the view has no more cells than the API answers. */
function apiZoom(zoom: number, { width, height }: Size): number {
  let whole = Math.max(0, Math.min(MAX_API_ZOOM, Math.round(zoom)));
  const cellsAt = (cell: number) => (Math.ceil(width / cell) + 1) * (Math.ceil(height / cell) + 1);
  for (let cell = CELL_PIXELS; cellsAt(cell) > MAX_CELLS && whole > 0; cell *= 2) whole -= 1;
  return whole;
}

/** A null comes with an error, which the client has thrown. */
function there<T>(value: T | null): T {
  if (value === null) throw new GraphqlError('UNKNOWN', 'The server left out what was asked for.');
  return value;
}
