/** The worker thread that draws pictures. Rendering an SVG would block the event loop for too long. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { initWasm, Resvg } from '@resvg/resvg-wasm';

import { serveRequests } from '../../lib/idle-worker.ts';
import type { World, WorldFile } from '../basemap/world.ts';
import { decodeWorld } from '../basemap/world.ts';
import { readPageFile } from '../page-assets.ts';
import type { Frame, Mark } from './picture-svg.ts';
import { renderPictureSvg, zoomOf } from './picture-svg.ts';

export interface PictureRequest {
  readonly frame: Frame;
  readonly marks: readonly Mark[];
  readonly accent: string | undefined;
}

/** Zoom from which the finer outlines are used. */
const FINE_FROM_ZOOM = 4;

const ready = initWasm(readFileSync(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));
const worlds = new Map<string, World>();

function worldFor(frame: Frame): World {
  const name = zoomOf(frame) >= FINE_FROM_ZOOM ? 'world-50m' : 'world-110m';
  const world = worlds.get(name) ?? decodeWorld(JSON.parse(readPageFile(name)) as WorldFile);
  worlds.set(name, world);
  return world;
}

serveRequests(async ({ frame, marks, accent }: PictureRequest) => {
  await ready;
  const picture = new Resvg(renderPictureSvg(worldFor(frame), frame, marks, accent)).render();
  const png = picture.asPng();
  picture.free();
  return png;
});
