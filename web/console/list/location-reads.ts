/** What the list and the map of the editor read on the server. */

import type { Attribution } from '../../../src/domain/attribution.ts';
import type { Box } from '../../../src/web/basemap/box.ts';
import { toBbox } from '../../../src/web/basemap/box.ts';
import { GraphqlError } from '../../shared/graphql.ts';
import type { MapFeature } from '../../shared/map/map-features.ts';
import type { Session } from '../common/session.svelte.ts';
import type {
  InViewQuery,
  InViewQueryVariables,
  IdsQuery,
  LocationFilter,
  LocationOrderInput,
  RowFragment,
} from '../generated/operations.ts';
import {
  CountDocument,
  IdAtDocument,
  IdsDocument,
  InStyledViewDocument,
  InViewDocument,
  OneRowDocument,
  RowsDocument,
} from '../generated/operations.ts';

export type Row = RowFragment;

export interface Search {
  readonly filter: LocationFilter | null;
  /** Null for the order of the list. */
  readonly orderBy: LocationOrderInput | null;
}

export interface RowsPage {
  readonly rows: readonly Row[];
  /** Cursor of the next page. */
  readonly after: string | null;
  readonly hasMore: boolean;
  /** On the first page: the number of rows on all pages. */
  readonly total: number;
  /** On the first page: those of the map. */
  readonly attributions: readonly Attribution[];
}

export interface ViewRequest {
  readonly box: Box;
  /** Of the map. */
  readonly zoom: number;
  /** Whether the locations have their properties, on which their marks depend. */
  readonly isStyled: boolean;
}

const MAX_ZOOM = 22;

export class LocationReads {
  readonly #session: Session;
  readonly #mapId: string;

  constructor(session: Session, mapId: string) {
    this.#session = session;
    this.#mapId = mapId;
  }

  /** @param after cursor; null for the first page */
  async page(search: Search, after: string | null, signal: AbortSignal): Promise<RowsPage> {
    const variables = { id: this.#mapId, ...search, after, isFirst: after === null };
    const { map } = await this.#session.request(RowsDocument, variables, signal);
    const page = map?.locations;
    if (!page) throw new GraphqlError('UNKNOWN', '');
    return {
      rows: page.nodes,
      after: page.pageInfo.endCursor,
      hasMore: page.pageInfo.hasNextPage,
      total: page.totalCount ?? 0,
      attributions: map.attributions ?? [],
    };
  }

  async count(filter: LocationFilter | null, signal: AbortSignal): Promise<number> {
    const { map } = await this.#session.request(CountDocument, { id: this.#mapId, filter }, signal);
    return map?.locations?.totalCount ?? 0;
  }

  /** Null if the location no longer exists. */
  async row(id: string): Promise<Row | null> {
    return (await this.#session.request(OneRowDocument, { id: this.#mapId, locationId: id })).location;
  }

  /** The ids of all results after a cursor. */
  async ids(search: Search, from: string | null): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let after = from, hasMore = true; hasMore;) {
      const variables = { id: this.#mapId, ...search, after };
      const { map }: IdsQuery = await this.#session.request(IdsDocument, variables);
      ids.push(...(map?.locations?.nodes ?? []).map(({ id }) => id));
      hasMore = map?.locations?.pageInfo.hasNextPage ?? false;
      after = map?.locations?.pageInfo.endCursor ?? null;
    }
    return ids;
  }

  /** @param position in the list, from 1 */
  async idAt(position: number): Promise<string | null> {
    const { map } = await this.#session.request(IdAtDocument, { id: this.#mapId, position });
    return map?.locationAt?.id ?? null;
  }

  async features(
    filter: LocationFilter | null,
    { box, zoom, isStyled }: ViewRequest,
    signal: AbortSignal,
  ): Promise<readonly MapFeature[]> {
    const variables = {
      ...{ id: this.#mapId, filter, bbox: toBbox(box) },
      zoom: Math.min(MAX_ZOOM, Math.max(0, Math.round(zoom))),
    };
    const document = isStyled ? InStyledViewDocument : InViewDocument;
    const { map } = await this.#session.request<InViewQuery, InViewQueryVariables>(
      document,
      variables,
      signal,
    );
    return (map?.clusters ?? []).map(({ bbox, ...feature }) => ({ ...feature, box: bbox }));
  }
}
