/** The formats of a whole map, by which it goes out and comes in. */

export const MAP_FORMATS = ['geojson', 'csv', 'ndjson'] as const;
export type MapFormat = (typeof MAP_FORMATS)[number];

const BY_EXTENSION: ReadonlyMap<string, MapFormat> = new Map([
  ['geojson', 'geojson'],
  ['json', 'geojson'],
  ['csv', 'csv'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
]);

/** What the extension of a path says; null where it says nothing. */
export function formatOfPath(path: string): MapFormat | null {
  return BY_EXTENSION.get(/\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '') ?? null;
}
