/** Compares the clusters of a store with those of the oracle, test/domain/filter/reference-clusters.ts. */

import { gridOf } from '../../../src/domain/clusters.ts';
import type { Box } from '../../../src/domain/filter/box.ts';
import type { FilterInput } from '../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import type { Cluster } from '../../../src/storage/search.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { referenceClusters } from '../../domain/filter/reference-clusters.ts';
import { referencePasses } from '../../domain/filter/reference-search.ts';
import { expectResult, plain } from './search-world.ts';

export interface Question {
  readonly box: Box;
  readonly zoom: number;
  readonly filter: FilterInput | null;
}

/** Compares means to 1e-9 degrees and the rest exactly, with the smallest sufficient limit and with one less. */
export async function checkClusters(
  storage: Storage,
  map: MapRecord,
  locations: readonly LocationRecord[],
  { box: view, zoom, filter }: Question,
): Promise<void> {
  const own = locations.filter(
    (location) => location.mapId === map.id && (filter === null || referencePasses(filter, location, map)),
  );
  const expected = referenceClusters(own, view, zoom);
  const question = { box: view, zoom, filter, fields: map.fields };
  const query = { map, filter: filter && readFilter(filter, 'filter'), grid: gridOf(view, zoom) };
  const found = await storage.findClusters({ ...query, limit: expected.length });
  expectResult(question, found && inOrder(found).map(exactly), inOrder(expected).map(exactly));
  const means = inOrder(found ?? []).flatMap(({ count, latitudes, longitudes }) => [
    latitudes / count,
    longitudes / count,
  ]);
  for (const [index, mean] of inOrder(expected)
    .flatMap(({ latitude, longitude }) => [latitude, longitude])
    .entries()) {
    const isNear = Math.abs(means[index]! - mean) <= 1e-9;
    expectResult({ ...question, mean: means[index] }, isNear ? mean : means[index], mean);
  }
  if (expected.length === 0) return;
  const less = await storage.findClusters({ ...query, limit: expected.length - 1 });
  expectResult({ ...question, limit: expected.length - 1 }, less, null);
}

function inOrder<T extends { readonly row: number; readonly column: number }>(
  cells: readonly T[],
): readonly T[] {
  return [...cells].sort((a, b) => a.row - b.row || a.column - b.column);
}

function exactly({
  row,
  column,
  count,
  box: around,
  location,
}: Omit<Cluster, 'latitudes' | 'longitudes'>): unknown {
  return plain({ row, column, count, box: around, location });
}
