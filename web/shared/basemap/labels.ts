/** Positions of labels on tiles. Each tile draws all labels that extend into it, so that labels can span tiles. */

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
 * Pixels from the corner of the tile; null if the label is not shown at this zoom or does not extend into the tile.
 *
 * @param reach pixels around the tile from which a label may extend into it
 */
export function anchorOf(
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
