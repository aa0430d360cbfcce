/** Which columns of somebody's table are coordinates. */

/** By preference. */
const LATITUDES = ['lat', 'latitude'];
const LONGITUDES = ['lng', 'longitude', 'lon', 'long'];

export interface CoordinateColumns {
  /** Indices; both are -1 where the table has no coordinates. */
  readonly latitudeAt: number;
  readonly longitudeAt: number;
}

/**
 * A column that the map defines as a field is that field. One of the two alone says nothing, unless it is `lat` or `lng`:
 * then every row lacks the other one.
 */
export function findCoordinates(
  columns: readonly string[],
  isDefined: (name: string) => boolean,
): CoordinateColumns {
  const find = (names: readonly string[]) =>
    columns.indexOf(names.find((name) => columns.includes(name) && !isDefined(name)) ?? '\0');
  const [latitudeAt, longitudeAt] = [find(LATITUDES), find(LONGITUDES)];
  const isPair = latitudeAt !== -1 && longitudeAt !== -1;
  const isHalf = ['lat', 'lng'].includes(columns[Math.max(latitudeAt, longitudeAt)] ?? '');
  const isTheirs = !isPair && (!isHalf || isDefined('lat') || isDefined('lng'));
  return isTheirs ? { latitudeAt: -1, longitudeAt: -1 } : { latitudeAt, longitudeAt };
}
