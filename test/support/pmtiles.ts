/** Writes small PMTiles archives of vector tiles in the layers of the Protomaps basemap. */

import { gzipSync } from 'node:zlib';

import type { Feature, Geometry } from 'geojson';
import GeoJsonVt from 'geojson-vt';
import { zxyToTileId } from 'pmtiles';
import { fromGeojsonVt } from 'vt-pbf';

const HEADER_BYTES = 127;

/** Degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

/** Features by layer. */
export type Layers = Readonly<Record<string, readonly Feature[]>>;

export interface ArchiveOptions {
  readonly bounds: Bounds;
  readonly layers: Layers;
  readonly minZoom?: number;
  readonly maxZoom?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export const PROTOMAPS_ATTRIBUTION =
  '<a href="https://github.com/protomaps/basemaps">Protomaps</a> &copy; <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a>';

interface Tile {
  readonly id: number;
  readonly data: Buffer;
}

/** Tiles without features are left out. */
export function makeArchive({
  bounds,
  layers,
  minZoom = 0,
  maxZoom = 5,
  metadata = {},
}: ArchiveOptions): Buffer {
  const tiles = makeTiles(layers, bounds, minZoom, maxZoom);
  const root = gzipSync(directoryOf(tiles));
  const json = gzipSync(
    JSON.stringify({
      name: 'Made by a test',
      attribution: PROTOMAPS_ATTRIBUTION,
      vector_layers: Object.keys(layers).map((id) => ({ id, fields: {} })),
      ...metadata,
    }),
  );
  const data = Buffer.concat(tiles.map((tile) => tile.data));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles');
  header[7] = 3;
  const sections = [root.length, json.length, 0, data.length];
  let offset = HEADER_BYTES;
  for (const [index, length] of sections.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * index);
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * index);
    offset += length;
  }
  for (const index of [0, 1, 2]) header.writeBigUInt64LE(BigInt(tiles.length), 72 + 8 * index);
  // Clustered; directories and tiles compressed by gzip; vector tiles.
  header.set([1, 2, 2, 1, minZoom, maxZoom], 96);
  for (const [index, degrees] of bounds.entries())
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * index);
  header[118] = minZoom;
  header.writeInt32LE(Math.round(((bounds[0] + bounds[2]) / 2) * 1e7), 119);
  header.writeInt32LE(Math.round(((bounds[1] + bounds[3]) / 2) * 1e7), 123);
  return Buffer.concat([header, root, json, data]);
}

function makeTiles(layers: Layers, bounds: Bounds, minZoom: number, maxZoom: number): readonly Tile[] {
  const indexes = Object.entries(layers).map(
    ([name, features]) =>
      [
        name,
        new GeoJsonVt(
          { type: 'FeatureCollection', features: [...features] },
          { maxZoom, indexMaxZoom: maxZoom, buffer: 256, tolerance: 0 },
        ),
      ] as const,
  );
  const tiles: Tile[] = [];
  for (let z = minZoom; z <= maxZoom; z += 1) {
    for (const { x, y } of tilesWithin(bounds, z)) {
      const found = indexes.flatMap(([name, index]) => {
        const tile = index.getTile(z, x, y);
        return tile === null || tile.features.length === 0 ? [] : [[name, tile] as const];
      });
      if (found.length === 0) continue;
      tiles.push({
        id: zxyToTileId(z, x, y),
        data: gzipSync(fromGeojsonVt(Object.fromEntries(found), { version: 2 })),
      });
    }
  }
  return tiles.sort((one, other) => one.id - other.id);
}

function tilesWithin([west, south, east, north]: Bounds, z: number): readonly { x: number; y: number }[] {
  const size = 2 ** z;
  const limit = (share: number) => Math.max(0, Math.min(size - 1, Math.floor(share * size)));
  const row = (latitude: number) => {
    const sine = Math.sin((latitude * Math.PI) / 180);
    return limit(0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI));
  };
  const [left, right] = [limit(west / 360 + 0.5), limit(east / 360 + 0.5)];
  const [top, bottom] = [row(north), row(south)];
  return Array.from({ length: right - left + 1 }, (_, column) => left + column).flatMap((x) =>
    Array.from({ length: bottom - top + 1 }, (_, index) => ({ x, y: top + index })),
  );
}

function directoryOf(tiles: readonly Tile[]): Buffer {
  const ids = tiles.map(({ id }, index) => id - (tiles[index - 1]?.id ?? 0));
  const ones = tiles.map(() => 1);
  const lengths = tiles.map(({ data }) => data.length);
  // Each tile directly follows the one before it.
  const offsets = tiles.map((_, index) => (index === 0 ? 1 : 0));
  return Buffer.from([tiles.length, ...ids, ...ones, ...lengths, ...offsets].flatMap(varint));
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}

export function feature(
  geometry: Geometry,
  properties: Readonly<Record<string, string | number>> = {},
): Feature {
  return { type: 'Feature', properties, geometry };
}

/** A rectangle. */
export function rectangle(
  [west, south, east, north]: Bounds,
  properties: Readonly<Record<string, string | number>> = {},
): Feature {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return feature({ type: 'Polygon', coordinates: [ring] }, properties);
}
