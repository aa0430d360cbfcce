/** Which of several covers finds the fewest documents. */

import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import { widthOf } from '../../../domain/filter/index-lookup.ts';
import type { LocationQuery } from './queries.ts';
import { queriesOf } from './queries.ts';
import type { LocationReader } from './reader.ts';

/** Covers that are asked about to find the narrowest: those that look narrow. */
const MAX_ASKED = 4;
/** Documents of a cover that are counted for that; covers of more are alike. */
const MAX_COUNTED = 1_000;
/** So few documents are read sooner than another cover is asked about. */
const FEW = 100;

/** The queries of the cover that finds the fewest documents, as far as asking for that is worth it. */
export async function narrowestOf(
  reader: LocationReader,
  mapIds: readonly string[],
  lookups: readonly IndexLookup[],
): Promise<readonly LocationQuery[]> {
  const [first, ...others] = likelyOf(lookups);
  if (first === undefined) return [];
  let narrowest = await queriesOfLookup(reader, mapIds, first);
  if (others.length === 0) return narrowest;
  let fewest = await countOf(reader, narrowest, MAX_COUNTED);
  for (const lookup of others) {
    if (fewest <= FEW) break;
    const queries = await queriesOfLookup(reader, mapIds, lookup);
    const count = await countOf(reader, queries, fewest);
    if (count < fewest) [narrowest, fewest] = [queries, count];
  }
  return narrowest;
}

/** Whether one of the covers finds fewer documents than that. */
export async function areFew(
  reader: LocationReader,
  mapIds: readonly string[],
  lookups: readonly IndexLookup[],
  limit: number,
): Promise<boolean> {
  for (const lookup of likelyOf(lookups)) {
    const queries = await queriesOfLookup(reader, mapIds, lookup);
    if ((await countOf(reader, queries, limit)) < limit) return true;
  }
  return false;
}

function likelyOf(lookups: readonly IndexLookup[]): readonly IndexLookup[] {
  return lookups.toSorted((a, b) => widthOf(a) - widthOf(b)).slice(0, MAX_ASKED);
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
