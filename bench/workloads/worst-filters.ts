/** What asks for most: ten clients, each with one kind of request that no index makes cheap. */

import type { HttpRequest } from '../harness/request.ts';
import { phoneAt, wordAt } from '../harness/locations.ts';
import { clustersIn, countedPage, searchPage } from './graphql-operations.ts';

const POSITIONS = 1_000;
const ALTERNATIVES = 49;

/** Name to request; all of them are of a map of `size` locations. */
export function worstRequests(mapId: string, size: number): Readonly<Record<string, HttpRequest>> {
  const last = Math.max(1, Math.floor(size / 100) - 1);
  return {
    'a common word, counted': countedPage(mapId, { search: 'museum' }),
    'a polygon of 1,000 positions, counted': countedPage(mapId, { polygon: star() }),
    'a time of creation that none has': searchPage(mapId, {
      createdAt: { from: '2000-01-01T00:00:00Z', to: '2000-01-02T00:00:00Z' },
    }),
    'a property that no field defines, negated': countedPage(mapId, {
      not: { property: { name: 'Remarks', prefix: 'x' } },
    }),
    'the whole map by a property': searchPage(mapId, {}, { by: 'property', property: 'Visitors' }),
    'the whole map by name': searchPage(mapId, {}, { by: 'name', direction: 'desc' }),
    'clusters of the world, filtered': clustersIn(
      mapId,
      { south: -85, west: -180, north: 85, east: 180 },
      2,
      { search: 'garden' },
    ),
    // 50 filters in all, with the one around them.
    'one of 49, counted': countedPage(mapId, {
      or: Array.from({ length: ALTERNATIVES }, (_, index) =>
        index % 2 === 0
          ? { search: wordAt(index % last) }
          : { property: { name: 'Phone', from: phoneAt(index % last), to: phoneAt(last) } },
      ),
    }),
    'an export as GeoJSON': { path: `/maps/${mapId}/locations.geojson` },
    'an export as CSV': { path: `/maps/${mapId}/locations.csv` },
  };
}

/** A ring about a third of the world, with as many edges as there may be. */
function star(): object {
  const ring = Array.from({ length: POSITIONS - 1 }, (_, index) => {
    const angle = (2 * Math.PI * index) / (POSITIONS - 1);
    const radius = index % 2 === 0 ? 50 : 35;
    return [
      Number((radius * 1.5 * Math.cos(angle)).toFixed(6)),
      Number((radius * Math.sin(angle)).toFixed(6)),
    ];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
}
