/** Geographic boxes, which may cross the antimeridian. */

/** Degrees. West is from -180 to 180. East is at least west, and beyond 180 if the box crosses the antimeridian. */
export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Wraps to -180..180. Both ends are the same meridian and stay as they are. */
export function wrapLongitude(longitude: number): number {
  return Math.abs(longitude) <= 180 ? longitude : ((((longitude + 180) % 360) + 360) % 360) - 180;
}

/** The longitude plus the multiple of 360 that brings it nearest to another. */
export function longitudeNear(longitude: number, other: number): number {
  return longitude + 360 * Math.round((other - longitude) / 360);
}

/** Converts to the API's `bbox`: longitudes in range, west greater than east if the box crosses the antimeridian. */
export function toBbox({ south, west, north, east }: Box): {
  south: number;
  west: number;
  north: number;
  east: number;
} {
  const latitudes = { south: Math.max(-90, south), north: Math.min(90, north) };
  if (east - west >= 360) return { ...latitudes, west: -180, east: 180 };
  return { ...latitudes, west: wrapLongitude(west), east: wrapLongitude(east) };
}

/** The smallest box around boxes of the API; null for none. It leaves out the largest gap in longitude. */
export function boxAround(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const south = Math.min(...boxes.map((box) => box.south));
  const north = Math.max(...boxes.map((box) => box.north));
  const arcs = boxes
    .map(({ west, east }) => ({ west, east: east < west ? east + 360 : east }))
    .sort((a, b) => a.west - b.west);
  const [first] = arcs;
  if (first === undefined) return null;
  // Find the largest gap between arcs, including the one from the last to the first.
  let best = { gap: Number.NEGATIVE_INFINITY, west: first.west };
  let end = first.east;
  for (const { west, east } of arcs) {
    if (west - end > best.gap && west > end) best = { gap: west - end, west };
    end = Math.max(end, east);
  }
  if (first.west + 360 - end >= best.gap) return { south, west: first.west, north, east: end };
  const passed = arcs.filter(({ west }) => west < best.west);
  return { south, west: best.west, north, east: Math.max(...passed.map(({ east }) => east)) + 360 };
}
