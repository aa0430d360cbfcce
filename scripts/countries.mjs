/** Places the names of countries on the basemap, from Natural Earth's data in world-atlas. */
import { feature } from 'topojson-client';

import { mercatorOf, unwrap } from './geometry.mjs';
import { townsAround } from './towns.mjs';

/** Zoom levels with country names; greater ones show the names of towns. */
const ZOOMS = [2, 3, 4, 5];
/** Size of a name in pixels: width per letter, and height. */
const NAME = { letter: 8, height: 18 };
/** The country must be at least this much of the name's width wide there. */
const FILLED = 0.75;
/** Number of lines, from a country's south to its north, on which a name can be placed. */
const LINES = 41;

const names = new Intl.DisplayNames('en', { type: 'region', style: 'short', fallback: 'none' });

/**
 * The countries that have a code, each where its name overlaps no other.
 *
 * @returns `[[ISO 3166 alpha-2 code, longitude, latitude, minimum zoom], …]`
 */
export function countryNamesOf(topology) {
  const taken = new Map(ZOOMS.map((zoom) => [zoom, townsAround(zoom).map((town) => boxOfTown(town, zoom))]));
  const chosen = [];
  for (const { code, ring } of largestFirst(topology)) {
    const width = names.of(code).length * NAME.letter;
    const box = ({ x, y }, zoom) => boxAround(x * 2 ** zoom, y * 2 ** zoom, width, NAME.height);
    const isFree = (point, zoom) => !taken.get(zoom).some((other) => overlap(box(point, zoom), other));
    const candidates = midpointsIn(ring).map((point) => {
      // The name fits at all zooms above this one.
      const last = ZOOMS.findLastIndex(
        (zoom) => point.width * 2 ** zoom < width * FILLED || !isFree(point, zoom),
      );
      return { ...point, from: ZOOMS[last + 1] ?? null };
    });
    const [best] = candidates
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

/** The ISO 3166 alpha-2 code of a numeric code; null if no named country has it. */
function codeOf(numeric) {
  if (!/^\d{3}$/.test(numeric ?? '')) return null;
  const code = new Intl.Locale(`und-${numeric}`).region;
  return /^[A-Z]{2}$/.test(code) && names.of(code) !== undefined ? code : null;
}

/** The midpoint and the width of each stretch of land on some lines from west to east. */
function midpointsIn(ring) {
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

/** As web/shared/basemap/towns.ts draws a town: a dot, and the name to the right of it. */
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
