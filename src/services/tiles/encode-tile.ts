/** Encodes a tile as a Mapbox Vector Tile 2 (https://github.com/mapbox/vector-tile-spec). */

import { fromVectorTileJs } from '@maplibre/vt-pbf';

import { numericLocationId } from '../../domain/ids.ts';
import type { Column, LocationColumns, TileValue } from '../../domain/tiles/location-columns.ts';
import { bytesOfValue } from '../../domain/tiles/location-columns.ts';
import type { Tile } from '../../domain/tiles/tile.ts';
import { positionInTile, TILE_EXTENT } from '../../domain/tiles/tile.ts';

export const TILE_LAYER = 'locations';

/** Structured-cloneable. */
export interface TileContent {
  readonly tile: Tile;
  /** JSON of LocationColumns. */
  readonly columns: Uint8Array;
  /** The key of each column in the tile. */
  readonly keys: readonly string[];
  readonly clusters: readonly TileCluster[];
  readonly maxBytes: number;
  /** Whether the names may be left out, too. */
  readonly canBeNameless: boolean;
}

export interface TileCluster {
  /** The mean of its locations. */
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
}

export interface EncodedTile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Keys of the columns that are left out to keep the tile small; also `name`, as the last one. */
  readonly leftOut: readonly string[];
}

interface Feature {
  readonly id: number | undefined;
  readonly at: readonly [x: number, y: number];
  readonly properties: Readonly<Record<string, TileValue>>;
}

interface KeyedColumn extends Column {
  readonly key: string;
}

/** Leaves out the largest columns until the tile has at most `maxBytes`; null where it is larger even without any. */
export function encodeTile(content: TileContent): EncodedTile | null {
  const { tile, columns, keys, clusters, maxBytes, canBeNameless } = content;
  const locations = JSON.parse(new TextDecoder().decode(columns)) as LocationColumns;
  const columnsWithin: KeyedColumn[] = [{ key: 'name', ...dictionaryOf(locations.names) }];
  const leftOut = new Set<string>();
  for (const [index, column] of locations.fields.entries()) {
    const key = keys[index] ?? '';
    if (column === null) leftOut.add(key);
    else if (column.values.length > 0) columnsWithin.push({ key, ...column });
  }
  for (let kept: readonly KeyedColumn[] = columnsWithin; ;) {
    const bytes = encodeFeatures(featuresOf(tile, locations, kept, clusters));
    if (bytes.length <= maxBytes)
      return { bytes, leftOut: [...keys, 'name'].filter((key) => leftOut.has(key)) };
    if (kept.length === (canBeNameless ? 0 : 1)) return null;
    const removed = largestOf(kept, bytes.length - maxBytes);
    for (const { key } of removed) leftOut.add(key);
    kept = kept.filter((column) => !removed.has(column));
  }
}

/** The columns to remove, at least one. @param excess bytes to save */
function largestOf(columns: readonly KeyedColumn[], excess: number): ReadonlySet<KeyedColumn> {
  // The names are left out last.
  const bySize = columns
    .map((column) => ({ column, size: column.key === 'name' ? 0 : sizeOfColumn(column) }))
    .sort((a, b) => b.size - a.size);
  const removed = new Set<KeyedColumn>();
  let saved = 0;
  for (const { column, size } of bySize) {
    if (removed.size > 0 && (saved >= excess || column.key === 'name')) break;
    removed.add(column);
    saved += size;
  }
  return removed;
}

/** Bytes of a feature's reference to a value, at least. */
const REFERENCE_BYTES = 2;

function sizeOfColumn({ values, at }: Column): number {
  const references = at.filter((index) => index !== -1).length;
  return values.reduce<number>((bytes, value) => bytes + bytesOfValue(value), references * REFERENCE_BYTES);
}

function featuresOf(
  tile: Tile,
  { ids, latitudes, longitudes }: LocationColumns,
  columns: readonly KeyedColumn[],
  clusters: readonly TileCluster[],
): readonly Feature[] {
  const ofLocations = ids.map((id, index): Feature => {
    const properties: Record<string, TileValue> = { id };
    for (const { key, values, at } of columns) {
      const value = values[at[index] ?? -1];
      if (value !== undefined) properties[key] = value;
    }
    const point = { latitude: latitudes[index] ?? 0, longitude: longitudes[index] ?? 0 };
    return { id: numericLocationId(id), at: positionInTile(tile, point), properties };
  });
  const ofClusters = clusters.map((cluster): Feature => {
    const properties = { point_count: cluster.count };
    return { id: undefined, at: positionInTile(tile, cluster), properties };
  });
  return [...ofLocations, ...ofClusters];
}

const POINT = 1;

/** @returns no bytes without features */
function encodeFeatures(features: readonly Feature[]): Uint8Array<ArrayBuffer> {
  if (features.length === 0) return new Uint8Array();
  const layer = {
    ...{ name: TILE_LAYER, version: 2, extent: TILE_EXTENT },
    length: features.length,
    feature(index: number) {
      const { id, at, properties } = features[index] ?? { id: undefined, at: [0, 0], properties: {} };
      return {
        ...{ type: POINT, extent: TILE_EXTENT, id, properties },
        loadGeometry: () => [[{ x: at[0], y: at[1] }]],
      };
    },
  };
  return new Uint8Array(fromVectorTileJs({ layers: { [TILE_LAYER]: layer } }));
}

function dictionaryOf(texts: readonly string[]): Column {
  const indexes = new Map<string, number>();
  const at = texts.map((text) => {
    const index = indexes.get(text) ?? indexes.size;
    indexes.set(text, index);
    return index;
  });
  return { values: [...indexes.keys()], at };
}
