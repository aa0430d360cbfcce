/** Clusters of a map's locations (capabilities §11). */

import { inReadingOrder, MAX_ZOOM, gridOf } from '../../domain/clusters.ts';
import type { Box } from '../../domain/filter/box.ts';
import { assertBox } from '../../domain/filter/box.ts';
import type { FilterInput } from '../../domain/filter/location-filter.ts';
import { countFilters, readFilter } from '../../domain/filter/location-filter.ts';
import type { MapView } from '../../domain/public-view.ts';
import { badUserInput } from '../../errors.ts';
import type { ClusterView } from '../../services/search/search-service.ts';
import type { RequestContext } from '../context.ts';
import { ROWS_PER_FILTER } from './locations.ts';
import { sizeOfLocations } from '../limits/operation-budget.ts';

export interface ClusterArguments {
  readonly bbox: Box;
  readonly zoom: number;
  readonly filter?: FilterInput | null | undefined;
}

/** Lower bound for a cluster's JSON without its location, in bytes. */
const CLUSTER_BYTES = 20;
/** Rows of the operation's budget that the clusters cost. */
const ROWS_OF_CLUSTERS = 500;

/** @throws ServiceError MAP_DELETED, BAD_USER_INPUT */
export async function findClusters(
  map: MapView,
  { bbox, zoom, filter: input }: ClusterArguments,
  { budget, scope, services }: RequestContext,
): Promise<ClusterView[]> {
  services.locations.requireListable(map);
  assertBox(bbox, 'bbox');
  if (zoom < 0 || zoom > MAX_ZOOM) throw badUserInput(`zoom must be a whole number from 0 to ${MAX_ZOOM}.`);
  const filter = input ? readFilter(input, 'filter') : null;
  budget.reserveRows(ROWS_OF_CLUSTERS + (filter === null ? 0 : ROWS_PER_FILTER * countFilters(filter)));
  const grid = gridOf(bbox, zoom);
  const clusters = await budget.read(
    () => services.search.findClusters(scope, { map, filter, grid }),
    sizeOfClusters,
  );
  return clusters.toSorted(inReadingOrder(grid));
}

function sizeOfClusters(clusters: readonly ClusterView[]): number {
  const alone = clusters.flatMap(({ location }) => (location === null ? [] : [location]));
  return CLUSTER_BYTES * clusters.length + sizeOfLocations(alone);
}
