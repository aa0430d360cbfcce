/** Makes the names of countries on the basemap, from Natural Earth's data in world-atlas. */
import { feature } from 'topojson-client';

import { mercatorOf, unwrap } from './geometry.mjs';
import { townsAround } from './towns.mjs';

/** The zooms at which they are shown: at greater ones there are the names of towns. */
const ZOOMS = [2, 3, 4, 5];
/** Pixels that a name takes: for each of its letters, and of height. */
const NAME = { letter: 8, height: 18 };
/** How much of a name's width its country has where it stands. */
const FILLED = 0.75;
/** Lines on which a place for a name is looked for, from the country's south to its north. */
const LINES = 41;

const names = new Intl.DisplayNames('en', { type: 'region', style: 'short', fallback: 'none' });

/**
 * The countries that have a code, each where its name is in nobody's way.
 *
 * @returns `[[two letters of ISO 3166, longitude, latitude, zoom from which it is shown], …]`
 */
export function countryNamesOf(topology) {
  const taken = new Map(ZOOMS.map((zoom) => [zoom, townsAround(zoom).map((town) => boxOfTown(town, zoom))]));
  const chosen = [];
  for (const { code, ring } of largestFirst(topology)) {
    const width = names.of(code).length * NAME.letter;
    const box = ({ x, y }, zoom) => boxAround(x * 2 ** zoom, y * 2 ** zoom, width, NAME.height);
    const isFree = (place, zoom) => !taken.get(zoom).some((other) => overlap(box(place, zoom), other));
    const places = placesIn(ring).map((place) => {
      // From this zoom on it is shown at all of them.
      const last = ZOOMS.findLastIndex(
        (zoom) => place.width * 2 ** zoom < width * FILLED || !isFree(place, zoom),
      );
      return { ...place, from: ZOOMS[last + 1] ?? null };
    });
    const [best] = places
      .filter(({ from }) => from !== null)
      .sort((a, b) => a.from - b.from || b.width - a.width);
    if (best === undefined) continue;
    for (const zoom of ZOOMS.filter((one) => one >= best.from)) taken.get(zoom).push(box(best, zoom));
    chosen.push([code, ...degreesOf(best), best.from]);
  }
  return chosen;
}

/** Each country's largest ring, in pixels at zoom 0: x, y. */
function largestFirst(topology) {
  return feature(topology, topology.objects.countries)
    .features.flatMap(({ id, geometry }) => {
      const code = codeOf(id);
      if (code === null) return [];
      const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
      const rings = polygons.map(([outer]) => unwrap(outer).map(mercatorOf));
      const [ring] = rings.sort((a, b) => areaOf(b) - areaOf(a));
      return [{ code, ring }];
    })
    .sort((a, b) => areaOf(b.ring) - areaOf(a.ring));
}

/** A numeric code of ISO 3166 as two letters; null where it is none of a country that has a name. */
function codeOf(numeric) {
  if (!/^\d{3}$/.test(numeric ?? '')) return null;
  const code = new Intl.Locale(`und-${numeric}`).region;
  return /^[A-Z]{2}$/.test(code) && names.of(code) !== undefined ? code : null;
}

/** The middle of each stretch of land on some lines from west to east, and how wide it is. */
function placesIn(ring) {
  const ys = ring.map(([, y]) => y);
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const lines = Array.from({ length: LINES }, (_, index) => top + ((index + 0.5) / LINES) * (bottom - top));
  return lines.flatMap((y) => {
    const crossed = ring
      .flatMap(([x, y1], index) => {
        const [nextX, nextY] = ring[(index + 1) % ring.length];
        return y1 > y === nextY > y ? [] : [x + ((y - y1) / (nextY - y1)) * (nextX - x)];
      })
      .sort((a, b) => a - b);
    return crossed.flatMap((west, index) => {
      const east = crossed[index + 1];
      return index % 2 === 1 || east === undefined ? [] : [{ x: (west + east) / 2, y, width: east - west }];
    });
  });
}

function areaOf(ring) {
  return Math.abs(
    ring.reduce((sum, [x, y], index) => {
      const [nextX, nextY] = ring[(index + 1) % ring.length];
      return sum + x * nextY - nextX * y;
    }, 0),
  );
}

/** As web/shared/basemap/towns.ts draws it: a dot, and the name to the right of it. */
function boxOfTown([name, longitude, latitude], zoom) {
  const [x, y] = mercatorOf([longitude, latitude]).map((value) => value * 2 ** zoom);
  const width = 12 + name.length * 7;
  return boxAround(x - 4 + width / 2, y, width, NAME.height);
}

function boxAround(x, y, width, height) {
  return { west: x - width / 2, east: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function overlap(one, other) {
  return one.west < other.east && one.east > other.west && one.top < other.bottom && one.bottom > other.top;
}

function degreesOf({ x, y }) {
  const longitude = (x / 256 - 0.5) * 360;
  const latitude = (Math.atan(Math.sinh((0.5 - y / 256) * 2 * Math.PI)) * 180) / Math.PI;
  return [longitude, latitude].map((value) => Number(value.toFixed(2)));
}
