/** Reads vector tiles with Mapbox's own library. */

import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';

export interface TileFeature {
  readonly id: number | undefined;
  /** The position in the tile, in units of its extent. */
  readonly at: readonly [x: number, y: number];
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The features of the layer `locations`, which must be the tile's only one. */
export function featuresOf(bytes: Uint8Array): readonly TileFeature[] {
  const { layers } = new VectorTile(new PbfReader(bytes));
  expect(Object.keys(layers)).toEqual(['locations']);
  const layer = layers['locations']!;
  expect([layer.version, layer.extent]).toEqual([2, 4096]);
  return Array.from({ length: layer.length }, (_, index) => {
    const feature = layer.feature(index);
    const points = feature.loadGeometry().flat();
    expect([feature.type, points.length]).toEqual([1, 1]);
    return { id: feature.id, at: [points[0]!.x, points[0]!.y], properties: feature.properties };
  });
}
