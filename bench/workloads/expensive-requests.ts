/** The most expensive kinds of requests, which no index makes cheap. */

import type { HttpRequest } from '../harness/request.ts';
import { phoneAt, wordAt } from '../harness/locations.ts';
import { clustersIn, countedPage, searchPage } from './graphql-operations.ts';

const POSITIONS = 1_000;
const ALTERNATIVES = 49;

/** Names to requests of a map of `size` locations. */
export function expensiveRequests(mapId: string, size: number): Readonly<Record<string, HttpRequest>> {
  const last = Math.max(1, Math.floor(size / 100) - 1);
  return {
    'a common word, counted': countedPage(mapId, { search: 'museum' }),
    'a polygon of 1,000 positions, counted': countedPage(mapId, { polygon: star() }),
    'a creation time without a match': searchPage(mapId, {
      createdAt: { from: '2000-01-01T00:00:00Z', to: '2000-01-02T00:00:00Z' },
    }),
    'a property without a field, negated': countedPage(mapId, {
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
    // The maximum of 50 filters, with the outermost.
    '49 alternatives, counted': countedPage(mapId, {
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

/** A ring around a third of the world, with the maximum of positions. */
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
