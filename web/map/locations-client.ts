/** The page's requests to the server. */

import type { Attribution } from '../../src/domain/attribution.ts';
import type { Box } from '../../src/web/basemap/box.ts';
import { toBbox } from '../../src/web/basemap/box.ts';
import type { GraphqlClient } from '../shared/graphql.ts';
import { GraphqlError } from '../shared/graphql.ts';
import type { Size } from '../shared/map/framing.ts';
import type { Point } from '../shared/map/map-view.ts';
import { withCenter } from './filters.ts';
import type { MapFeature } from '../shared/map/map-features.ts';
import type {
  LocationFilter,
  LocationDetailsQuery,
  RowsFragment,
  ViewClustersQuery,
  ViewClustersQueryVariables,
  ViewLocationsQuery,
  ViewLocationsQueryVariables,
} from './generated/operations.ts';
import {
  FindLocationsDocument,
  FindNearDocument,
  MoreLocationsDocument,
  LocationDetailsDocument,
  ViewClustersDocument,
  ViewLocationsDocument,
  ViewStyledClustersDocument,
  ViewStyledLocationsDocument,
} from './generated/operations.ts';

export type LocationDetails = NonNullable<NonNullable<LocationDetailsQuery['publicMap']>['location']>;
export type RowsPage = Omit<RowsFragment, 'nodes'> & {
  readonly nodes: readonly (RowsFragment['nodes'][number] & {
    /** Metres; absent in the order of the map. */
    readonly distance?: number | null;
  })[];
};

export interface SearchResult {
  readonly total: number;
  readonly attributions: readonly Attribution[];
  readonly page: RowsPage;
  /** Boxes that together contain all results. */
  readonly boxes: readonly Box[];
}

export interface ViewRequest {
  readonly box: Box;
  /** Of the map. */
  readonly zoom: number;
  readonly size: Size;
  readonly filter: LocationFilter | null;
  /** Whether the locations have their properties, on which their marks depend. */
  readonly isStyled: boolean;
}

/** Locations that are shown on the map with the reader's position. */
const NEAREST = 3;
/** Maximum number of locations shown individually. */
const MAX_SINGLE = 300;
/** Maximum number of cells that the API clusters at once. */
const MAX_CELLS = 2_000;
/** Pixels of a cell at the zoom of the map. */
const CELL_PIXELS = 64;
const MAX_API_ZOOM = 22;

export class LocationsClient {
  readonly #request: GraphqlClient;
  readonly #id: string;

  constructor(request: GraphqlClient, mapId: string) {
    this.#request = request;
    this.#id = mapId;
  }

  async find(filter: LocationFilter | null, signal: AbortSignal): Promise<SearchResult> {
    const { publicMap } = await this.#request(FindLocationsDocument, { id: this.#id, filter }, signal);
    const { locations, world, attributions } = required(publicMap);
    return {
      attributions,
      total: required(locations).totalCount,
      page: required(locations),
      boxes: required(world).map(({ bbox }) => bbox),
    };
  }

  /**
   * By distance.
   *
   * @param after end of the previous page; null for the first
   * @returns boxes around the point and the nearest locations
   */
  async findNear(
    filter: LocationFilter | null,
    point: Point,
    after: string | null,
    signal: AbortSignal,
  ): Promise<SearchResult> {
    const variables = { id: this.#id, filter: withCenter(filter, point), after };
    const { publicMap } = await this.#request(FindNearDocument, variables, signal);
    const { locations, attributions } = required(publicMap);
    const { totalCount: total, edges, pageInfo } = required(locations);
    const nodes = edges.map(({ node, distance }) => ({ ...node, distance }));
    const points = nodes.length === 0 ? [] : [point, ...nodes.slice(0, NEAREST)];
    return {
      ...{ attributions, total, page: { nodes, pageInfo } },
      boxes: points.map(({ latitude, longitude }) => ({
        ...{ south: latitude, north: latitude, west: longitude, east: longitude },
      })),
    };
  }

  async more(filter: LocationFilter | null, after: string | null, signal: AbortSignal): Promise<RowsPage> {
    const { publicMap } = await this.#request(MoreLocationsDocument, { id: this.#id, filter, after }, signal);
    return required(required(publicMap).locations);
  }

  /** Null if the map has no such location. */
  async location(locationId: string, signal: AbortSignal): Promise<LocationDetails | null> {
    try {
      const { publicMap } = await this.#request(
        LocationDetailsDocument,
        { id: this.#id, locationId },
        signal,
      );
      return required(publicMap).location;
    } catch (error) {
      if (error instanceof GraphqlError && error.code === 'LOCATION_NOT_FOUND') return null;
      throw error;
    }
  }

  /** The features in view: clusters, or single locations where they are few. */
  async inView(view: ViewRequest, signal: AbortSignal): Promise<readonly MapFeature[]> {
    const clusters = await this.#clusters(view, signal);
    const total = clusters.reduce((sum, { count }) => sum + count, 0);
    const areSingle = clusters.every(({ location }) => location !== null);
    if (areSingle || total > MAX_SINGLE) return clusters;
    return this.#singles(view, signal);
  }

  async #clusters(
    { box, zoom, size, filter, isStyled }: ViewRequest,
    signal: AbortSignal,
  ): Promise<readonly MapFeature[]> {
    const variables = { id: this.#id, bbox: toBbox(box), zoom: apiZoom(zoom, size), filter };
    const document = isStyled ? ViewStyledClustersDocument : ViewClustersDocument;
    const { publicMap } = await this.#request<ViewClustersQuery, ViewClustersQueryVariables>(
      document,
      variables,
      signal,
    );
    return required(required(publicMap).clusters).map(({ bbox, ...cluster }) => ({ ...cluster, box: bbox }));
  }

  async #singles(
    { box, filter, isStyled }: ViewRequest,
    signal: AbortSignal,
  ): Promise<readonly MapFeature[]> {
    const inBox: LocationFilter = { bbox: toBbox(box) };
    const both = filter === null ? inBox : { and: [filter, inBox] };
    const document = isStyled ? ViewStyledLocationsDocument : ViewLocationsDocument;
    const features: MapFeature[] = [];
    let after: string | null = null;
    do {
      const variables: ViewLocationsQueryVariables = { id: this.#id, filter: both, after };
      const response: ViewLocationsQuery = await this.#request<
        ViewLocationsQuery,
        ViewLocationsQueryVariables
      >(document, variables, signal);
      const { nodes, pageInfo } = required(required(response.publicMap).locations);
      for (const { latitude, longitude, ...location } of nodes) {
        const point = { south: latitude, west: longitude, north: latitude, east: longitude };
        features.push({ latitude, longitude, count: 1, box: point, location });
      }
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    return features;
  }
}

/** The highest zoom up to the map's at which the view has no more cells than the API allows. */
function apiZoom(zoom: number, { width, height }: Size): number {
  let result = Math.max(0, Math.min(MAX_API_ZOOM, Math.round(zoom)));
  const cellsAt = (cell: number) => (Math.ceil(width / cell) + 1) * (Math.ceil(height / cell) + 1);
  for (let cell = CELL_PIXELS; cellsAt(cell) > MAX_CELLS && result > 0; cell *= 2) result -= 1;
  return result;
}

/** A null always comes with an error, which the client throws first. */
function required<T>(value: T | null): T {
  if (value === null) throw new GraphqlError('UNKNOWN', 'The response is incomplete.');
  return value;
}
