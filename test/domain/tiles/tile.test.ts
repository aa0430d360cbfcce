import fc from 'fast-check';

import { around, boxOf } from '../../../src/domain/filter/box.ts';
import { cellOf } from '../../../src/domain/filter/cell.ts';
import type { Tile } from '../../../src/domain/tiles/tile.ts';
import {
  boundsOfTiles,
  gridOfTile,
  parseTile,
  positionInTile,
  rangeOfTile,
} from '../../../src/domain/tiles/tile.ts';
import { isWithinGrid, cellAt } from '../../../src/domain/clusters.ts';
import { latitude, longitude } from '../../support/search-arbitraries.ts';
import { referenceTile } from '../filter/reference-clusters.ts';

const point = fc.record({ latitude, longitude });
const zoom = fc.nat({ max: 22 });

function holds(tile: Tile, location: { readonly latitude: number; readonly longitude: number }): boolean {
  const cell = cellOf(location);
  const { first, last } = rangeOfTile(tile);
  return first <= cell && cell <= last;
}

describe('a tile', () => {
  it.each([
    ['0', '0', '0', { zoom: 0, x: 0, y: 0 }],
    ['22', '4194303', '0', { zoom: 22, x: 4_194_303, y: 0 }],
  ])('is parsed from %s/%s/%s', (z, x, y, tile) => {
    expect(parseTile(z, x, y)).toEqual(tile);
  });

  it.each([
    ['23', '0', '0'],
    ['0', '1', '0'],
    ['0', '0', '1'],
    ['2', '4', '0'],
    ['-1', '0', '0'],
    ['1', '01', '0'],
    ['1', '1.0', '0'],
    ['1', '', '0'],
    ['1e0', '0', '0'],
    ['22', '4194304', '0'],
    ['22', '99999999999999999999', '0'],
  ])('is none: %s/%s/%s', (z, x, y) => {
    expect(parseTile(z, x, y)).toBeNull();
  });

  it('holds each location in exactly one tile of a zoom, that of the oracle', () => {
    fc.assert(
      fc.property(point, zoom, (location, z) => {
        const tile = referenceTile(location, z);
        expect(holds(tile, location)).toBe(true);
        for (const [x, y] of [
          [-1, 0],
          [1, 0],
          [0, -1],
          [0, 1],
        ] as const) {
          const neighbour = { zoom: z, x: tile.x + x, y: tile.y + y };
          const last = 2 ** z - 1;
          if (Math.min(neighbour.x, neighbour.y) < 0 || Math.max(neighbour.x, neighbour.y) > last) continue;
          expect(holds(neighbour, location)).toBe(false);
        }
      }),
    );
  });

  it('is the 4 by 4 cells of its zoom', () => {
    fc.assert(
      fc.property(point, zoom, (location, z) => {
        const grid = gridOfTile(referenceTile(location, z));
        expect(isWithinGrid(grid, cellAt(location, grid.bits))).toBe(true);
        expect([grid.bits, grid.columns, grid.bottom - grid.top]).toEqual([z + 2, 4, 3]);
      }),
    );
  });

  it('places a location within half a unit of where it is, and never on the far edges', () => {
    fc.assert(
      fc.property(point, zoom, ({ latitude: north, longitude: east }, z) => {
        const location = { latitude: Math.max(-85.05, Math.min(85.05, north)), longitude: east };
        const { x, y } = referenceTile(location, z);
        const [column, row] = positionInTile({ zoom: z, x, y }, location);
        const back = {
          longitude: ((x + column / 4096) / 2 ** z) * 360 - 180,
          y: (y + row / 4096) / 2 ** z,
        };
        const fromNorth = (1 - Math.asinh(Math.tan((location.latitude * Math.PI) / 180)) / Math.PI) / 2;
        const units = 4096 * 2 ** z;
        // On the last unit, up to a whole one.
        expect(Math.abs(back.longitude - east) * (units / 360)).toBeLessThan(column === 4095 ? 1.001 : 0.501);
        expect(Math.abs(back.y - fromNorth) * units).toBeLessThan(row === 4095 ? 1.001 : 0.501);
        expect([column, row].every((at) => at >= 0 && at <= 4095)).toBe(true);
      }),
    );
  });

  it.each([
    [90, 180, [4095, 0]],
    [-90, -180, [0, 4095]],
    [0, 0, [2048, 2048]],
  ])('of the world has %d, %d at %j', (north, east, at) => {
    expect(positionInTile({ zoom: 0, x: 0, y: 0 }, { latitude: north, longitude: east })).toEqual(at);
  });

  it('is within the bounds by the rule of MapLibre, wherever its locations are', () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 3 }), zoom, (locations, z) => {
        const { south, west, north, east } = boundsOfTiles(locations.map(boxOf).reduce(around));
        const side = 2 ** z;
        const columnOf = (degrees: number) => ((degrees + 180) / 360) * side;
        const rowOf = (degrees: number) => {
          const merged = Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360));
          return ((1 - merged / Math.PI) / 2) * side;
        };
        for (const location of locations) {
          const { x, y } = referenceTile(location, z);
          // https://github.com/maplibre/maplibre-gl-js/blob/main/src/tile/tile_bounds.ts
          expect(x >= Math.floor(columnOf(west)) && x < Math.ceil(columnOf(east))).toBe(true);
          expect(y >= Math.floor(rowOf(north)) && y < Math.ceil(rowOf(south))).toBe(true);
        }
      }),
    );
  });
});
