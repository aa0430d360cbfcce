/** Where a name stands on a tile. Each tile draws the names that reach into it, so that they go on from tile to tile. */

export interface Tile {
  readonly zoom: number;
  readonly column: number;
  readonly row: number;
  /** Pixels. */
  readonly size: number;
}

/** Colours. */
export interface Ink {
  readonly text: string;
  readonly halo: string;
}

interface Label {
  /** In the units of World. */
  readonly x: number;
  readonly y: number;
  readonly fromZoom: number;
}

/**
 * Pixels from the tile's corner; null where the label is not shown at this zoom, or does not reach into the tile.
 *
 * @param reach pixels beyond each side of the tile from where a label may reach into it
 */
export function placeOf(
  label: Label,
  { zoom, column, row, size }: Tile,
  reach: Readonly<Record<'west' | 'north' | 'east' | 'south', number>>,
): { x: number; y: number } | null {
  if (label.fromZoom > zoom) return null;
  const tiles = 2 ** zoom;
  const x = (label.x * tiles - column) * size;
  const y = (label.y * tiles - row) * size;
  const isNear = x >= -reach.west && x <= size + reach.east && y >= -reach.north && y <= size + reach.south;
  return isNear ? { x, y } : null;
}
