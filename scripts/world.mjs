/**
 * Makes the basemap's files: the outlines of the world's land and borders, from Natural Earth's data in world-atlas, the
 * names of countries.mjs, and the towns of towns.mjs.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { merge, mesh } from 'topojson-client';

import { countryNamesOf } from './countries.mjs';
import { unwrap } from './geometry.mjs';
import { townsOf } from './towns.mjs';

/** By Natural Earth's scale. Points are rounded to a grid of `steps` steps around the globe. */
const SCALES = {
  '110m': { steps: 10_000 },
  '50m': { steps: 20_000 },
  '10m': { steps: 24_000 },
};

/**
 * A module `world:110m` or `towns:large` exports that file's URL. Files are emitted next to the scripts and loaded on
 * demand.
 *
 * @param bundled the set of bundled files; the sources are added to it
 */
export function worldPlugin(bundled) {
  const known = /^\0(world|towns):(\w+)$/;
  return {
    name: 'world',
    resolveId: (id) => (known.test(`\0${id}`) ? `\0${id}` : null),
    load(id) {
      const [, kind, which] = known.exec(id) ?? [];
      if (kind === undefined) return null;
      const { source, json } = kind === 'world' ? outlinesOf(which) : townsOf(which);
      bundled.add(source);
      const file = this.emitFile({ type: 'asset', name: `${kind}-${which}.json`, source: json });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}

function outlinesOf(scale) {
  const { source, topology } = readAtlas(scale);
  const world = worldOf(topology, SCALES[scale].steps);
  // Names are part of the outlines that every map loads first. The coarsest data lacks small countries.
  const countries = scale === '110m' ? { countries: countryNamesOf(readAtlas('50m').topology) } : {};
  return { source, json: JSON.stringify({ ...world, ...countries }) };
}

function readAtlas(scale) {
  const source = fileURLToPath(import.meta.resolve(`world-atlas/countries-${scale}.json`));
  return { source, topology: JSON.parse(readFileSync(source, 'utf8')) };
}

/** The format that src/web/basemap/world.ts reads. */
function worldOf(topology, steps) {
  const { countries } = topology.objects;
  const encode = (lines, minimum) =>
    lines.map((line) => encodeLine(line, steps)).filter((line) => line.length >= 2 * minimum);
  const rings = merge(topology, countries.geometries).coordinates.flat().map(unwrap).map(closeAtPole);
  return {
    degrees: 360 / steps,
    // A ring ends where it begins.
    land: encode(rings, 4),
    borders: encode(mesh(topology, countries, (one, other) => one !== other).coordinates.map(unwrap), 2),
  };
}

/** Antarctica's coast goes round the world, so on a flat map its ring must be closed along the pole. */
function closeAtPole(ring) {
  const [[start], [end]] = [ring[0], ring.at(-1)];
  if (Math.abs(end - start) < 180) return ring;
  return [...ring, [end, -90], [start, -90], ring[0]];
}

/**
 * Longitude, latitude, longitude …, in steps, each point relative to the one before it. Small numbers compress well.
 */
function encodeLine(line, steps) {
  const encoded = [];
  let [x, y] = [0, 0];
  for (const [longitude, latitude] of line) {
    const dx = Math.round((longitude / 360) * steps) - x;
    const dy = Math.round((latitude / 360) * steps) - y;
    if (encoded.length > 0 && dx === 0 && dy === 0) continue;
    encoded.push(dx, dy);
    x += dx;
    y += dy;
  }
  return encoded;
}
