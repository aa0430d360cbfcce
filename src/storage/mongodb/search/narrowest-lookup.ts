/** Selects the index lookup that finds the fewest documents. */

import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import { widthOf } from '../../../domain/filter/index-lookup.ts';
import type { LocationQuery } from './queries.ts';
import { queriesOf } from './queries.ts';
import type { LocationReader } from './reader.ts';

/** Lookups to count, the narrowest by estimate. */
const MAX_COUNTED_LOOKUPS = 4;
/** Documents to count per lookup; wider ones count as equal. */
const COUNT_LIMIT = 1_000;
/** Reading so few documents is faster than counting another lookup. */
const FEW = 100;

/** The queries of the narrowest lookup, as far as counting is worth its cost. */
export async function narrowestOf(
  reader: LocationReader,
  mapIds: readonly string[],
  lookups: readonly IndexLookup[],
): Promise<readonly LocationQuery[]> {
  const [first, ...others] = mostSelective(lookups);
  if (first === undefined) return [];
  let narrowest = await queriesOfLookup(reader, mapIds, first);
  if (others.length === 0) return narrowest;
  let fewest = await countOf(reader, narrowest, COUNT_LIMIT);
  for (const lookup of others) {
    if (fewest <= FEW) break;
    const queries = await queriesOfLookup(reader, mapIds, lookup);
    const count = await countOf(reader, queries, fewest);
    if (count < fewest) [narrowest, fewest] = [queries, count];
  }
  return narrowest;
}

/** Whether one of the lookups finds fewer documents than `limit`. */
export async function findsFewerThan(
  reader: LocationReader,
  mapIds: readonly string[],
  lookups: readonly IndexLookup[],
  limit: number,
): Promise<boolean> {
  for (const lookup of mostSelective(lookups)) {
    const queries = await queriesOfLookup(reader, mapIds, lookup);
    if ((await countOf(reader, queries, limit)) < limit) return true;
  }
  return false;
}

function mostSelective(lookups: readonly IndexLookup[]): readonly IndexLookup[] {
  return lookups.toSorted((a, b) => widthOf(a) - widthOf(b)).slice(0, MAX_COUNTED_LOOKUPS);
}

async function countOf(
  reader: LocationReader,
  queries: readonly LocationQuery[],
  limit: number,
): Promise<number> {
  let count = 0;
  for (const query of queries) if (count < limit) count += await reader.count(query, limit - count);
  return count;
}

async function queriesOfLookup(
  reader: LocationReader,
  mapIds: readonly string[],
  { ids, externalIds, ...others }: IndexLookup,
): Promise<readonly LocationQuery[]> {
  const found = await reader.findIds(mapIds, externalIds);
  return queriesOf(mapIds, { ...others, ids: [...new Set([...ids, ...found])] });
}
