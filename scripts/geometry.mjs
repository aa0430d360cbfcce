/** Geometry of the basemap. */

/** Continues beyond 180° where a line crosses the antimeridian. */
export function unwrap(line) {
  let turn = 0;
  return line.map(([longitude, latitude], index) => {
    const step = index === 0 ? 0 : longitude - line[index - 1][0];
    if (Math.abs(step) > 180) turn -= Math.sign(step) * 360;
    return [longitude + turn, latitude];
  });
}

/** The latitude at which the square world map of Web Mercator ends. */
const MAX_LATITUDE = 85.05112878;

/** Longitude and latitude as pixels at zoom 0: x eastwards and y southwards, from 0 to 256. */
export function mercatorOf([longitude, latitude]) {
  const radians = (Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * Math.PI) / 180;
  return [
    256 * (longitude / 360 + 0.5),
    256 * (0.5 - Math.log(Math.tan(Math.PI / 4 + radians / 2)) / (2 * Math.PI)),
  ];
}
