/** What stands in the cells of a viewport, in steps. */

import type { ClusterGrid } from '../../../domain/clusters.ts';
import { isWithinGrid } from '../../../domain/clusters.ts';
import { boxOf } from '../../../domain/filter/box.ts';
import { cellOf, positionOfNumber } from '../../../domain/filter/cell.ts';
import { rangesOfGrid } from '../../../domain/filter/cell-ranges.ts';
import { NOTHING } from '../../../domain/filter/index-lookup.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import { EVERYTHING, isEverything } from '../../../domain/filter/location-filter.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { Cluster, ClusterQuery } from '../../search.ts';
import { LOCATION_COLUMNS, toLocation } from '../location-records.ts';
import type { Reader } from '../reader.ts';
import { numberOf } from '../rows.ts';
import { LEVELS, sizeOf } from './cell-sums.ts';
import type { HitRow } from './hit-rows.ts';
import { hitOf, recordsAt } from './hit-rows.ts';
import type { PointSums } from './point-sums.ts';
import { addTo } from './point-sums.ts';
import type { StoredMap } from './searched-map.ts';
import { readMap } from './searched-map.ts';
import type { ResumableScan } from './resumable-scan.ts';
import { sumsOfLevel, sumsOfPoints } from './stored-sums.ts';
import { scanCandidates } from './candidate-scan.ts';

export function* findClusters(reader: Reader, query: ClusterQuery): ResumableScan<readonly Cluster[] | null> {
  const { filter, grid } = query;
  const map = readMap(reader, query.map, filter ?? EVERYTHING, { members: ['latitude', 'longitude'] });
  if (map === null) return [];
  if (filter !== null && !isEverything(filter)) return yield* clustersOfMatches(reader, map, query, filter);
  const level = LEVELS.find((bits) => bits >= grid.bits);
  const sums =
    level === undefined
      ? yield* sumsOfPoints(reader, map.number, query)
      : yield* sumsOfLevel(reader, map.number, query, level);
  return sums === null ? null : yield* withLocations(reader, map, grid, sums);
}

/** Of what the filter lets through. */
function* clustersOfMatches(
  reader: Reader,
  map: StoredMap,
  { grid, limit }: ClusterQuery,
  filter: LocationFilter,
): ResumableScan<readonly Cluster[] | null> {
  const matches = locationMatcher(filter, map.map.fields);
  const size = sizeOf(grid.bits);
  const sums = new Map<number, PointSums>();
  /** By cell, the last one seen. */
  const last = new Map<number, HitRow>();
  const inGrid = { ...NOTHING, cells: rangesOfGrid(grid) };
  const narrowed: StoredMap = {
    ...map,
    lookups: [...map.lookups, inGrid],
    lookupsWith: (presences) => [...map.lookupsWith(presences), inGrid],
  };
  yield* scanCandidates(reader, narrowed, (candidates, havePassed) => {
    for (const candidate of candidates) {
      const cell = Math.floor(cellOf(candidate) / size);
      if (!isWithinGrid(grid, positionOfNumber(cell)) || !(havePassed || matches(candidate))) continue;
      const { latitude, longitude } = candidate;
      addTo(sums, cell, { count: 1, latitudes: latitude, longitudes: longitude, box: boxOf(candidate) });
      const sortKey = { orderKey: candidate.orderKey, sequence: candidate.sequence };
      last.set(cell, hitOf(candidate, { value: [], map: map.map, sortKey }));
    }
    return sums.size > limit;
  });
  if (sums.size > limit) return null;
  const alone = [...last].filter(([cell]) => sums.get(cell)?.count === 1).map(([, hit]) => hit);
  const found = yield* recordsAt(reader, alone);
  const locations = new Map(found.map(({ location }) => [Math.floor(cellOf(location) / size), location]));
  return [...sums].map(([cell, each]) => clusterOf(cell, each, locations.get(cell)));
}

/** @param location where the cell holds that one alone */
function clusterOf(cell: number, sums: PointSums, location: LocationRecord | undefined): Cluster {
  // A sum that is kept is of rounded degrees.
  const exact =
    location === undefined ? {} : { latitudes: location.latitude, longitudes: location.longitude };
  return { ...positionOfNumber(cell), ...sums, ...exact, location: location ?? null };
}

/** Cells of one location that are read at a time. */
const CHUNK = 200;

function* withLocations(
  reader: Reader,
  map: StoredMap,
  { bits }: ClusterGrid,
  sums: ReadonlyMap<number, PointSums>,
): ResumableScan<readonly Cluster[]> {
  const size = sizeOf(bits);
  const singles = [...sums].filter(([, { count }]) => count === 1).map(([cell]) => cell);
  const locations = new Map<number, LocationRecord>();
  for (let begin = 0; begin < singles.length; begin += CHUNK) {
    const ranges = singles.slice(begin, begin + CHUNK).map((cell) => [cell * size, (cell + 1) * size - 1]);
    const rows = reader.all(
      `SELECT cell, ${LOCATION_COLUMNS} FROM json_each(?) AS r CROSS JOIN locations INDEXED BY locations_by_cell
       WHERE map_number = ? AND cell BETWEEN r.value ->> 0 AND r.value ->> 1`,
      JSON.stringify(ranges),
      map.number,
    );
    for (const row of rows) {
      locations.set(Math.floor(numberOf(row, 'cell') / size), toLocation(row, map.map.id));
    }
    yield;
  }
  return [...sums].map(([cell, each]) => clusterOf(cell, each, locations.get(cell)));
}
