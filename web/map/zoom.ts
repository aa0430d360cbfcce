/** How far out the map goes. */

import type { Size } from './places.ts';

/** Pixels of the world at zoom 0. */
export const WORLD_PIXELS = 256;
/** Pixels. In a wide and low element the world is not made smaller than this for its height's sake. */
const LEAST = 512;

/**
 * The zoom at which all of the world is in the element: in a high one it is as wide as that, in a wide one as high. It may
 * be a fraction.
 *
 * @param size in pixels; of an element that is not shown it is 0, and so is the zoom
 */
export function minZoomFor({ width, height }: Size): number {
  const world = Math.min(width, Math.max(height, LEAST));
  return Math.max(0, Math.log2(world / WORLD_PIXELS));
}
