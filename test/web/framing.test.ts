/** The map view that fits locations around the controls on the map. */

import fc from 'fast-check';

import type { Framing } from '../../web/shared/map/framing.ts';
import { frameOf, isVisible } from '../../web/shared/map/framing.ts';

const pointBox = (latitude: number, longitude: number) => ({
  south: latitude,
  west: longitude,
  north: latitude,
  east: longitude,
});
const framing: Framing = {
  boxes: [],
  size: { width: 880, height: 800 },
  overlays: [],
  minZoom: 1,
  maxZoom: 11,
};
const legend = { left: 10, top: 510, right: 160, bottom: 760 };
const buttons = { left: 822, top: 16, right: 864, bottom: 138 };
const attribution = { left: 646, top: 778, right: 880, bottom: 800 };
const inSight = (one: Framing) => {
  const view = frameOf(one);
  return one.boxes.map(({ south: latitude, west: longitude }) =>
    isVisible({ latitude, longitude }, view, one),
  );
};

describe('a map that is fitted to its locations', () => {
  const latitude = fc.double({ min: 40, max: 60, noNaN: true });
  const longitude = fc.double({ min: 5, max: 25, noNaN: true });
  const points = fc.array(fc.tuple(latitude, longitude), { minLength: 1, maxLength: 8 });

  /** Their markers together are a pixel too high for the closest zoom. */
  const nearlyTooTall: [number, number][] = [
    [51.225588810400104, 5],
    [40, 5],
  ];

  it('shows them all, none covered by a control', () => {
    fc.assert(
      fc.property(points, (all) => {
        const boxes = all.map(([north, east]) => pointBox(north, east));
        const overlays = [legend, buttons, attribution];
        expect(inSight({ ...framing, boxes, overlays })).toEqual(boxes.map(() => true));
      }),
      { examples: [[nearlyTooTall]] },
    );
  });

  it('uses the whole map if no location would be covered', () => {
    const boxes = [pointBox(50, 5), pointBox(50, 25)];
    const wide = frameOf({ ...framing, boxes });
    expect(wide.longitude).toBeCloseTo(15);
    expect(frameOf({ ...framing, boxes, overlays: [legend, buttons] })).toEqual(wide);
    // The second location is in the corner of the legend.
    const covered = [pointBox(60, 40), pointBox(42, 5)];
    expect(frameOf({ ...framing, boxes: covered, overlays: [legend] })).not.toEqual(
      frameOf({ ...framing, boxes: covered }),
    );
  });

  it('moves a single location away from controls over the centre, and keeps the zoom', () => {
    const overlays = [{ left: 300, top: 300, right: 600, bottom: 600 }];
    const one = { ...framing, boxes: [pointBox(50, 10)], overlays, minZoom: 9, maxZoom: 9 };
    expect(inSight(one)).toEqual([true]);
    expect(frameOf(one).zoom).toBe(9);
  });

  it('cuts off none to avoid controls, and zooms out by at most one level', () => {
    // A phone, the whole world, and an open legend.
    const size = { width: 390, height: 380 };
    const overlays = [{ left: 10, top: 75, right: 160, bottom: 325 }];
    const points = [pointBox(-41, 174), pointBox(19, -99), pointBox(64, -22), pointBox(28, 77)];
    const world = { ...framing, boxes: points, size, minZoom: 0.61 };
    expect(frameOf({ ...world, overlays })).toEqual(frameOf(world));
    const near = { ...world, boxes: [pointBox(40, 10), pointBox(60, 30)] };
    expect(frameOf({ ...near, overlays }).zoom).toBeGreaterThanOrEqual(frameOf(near).zoom - 1);
  });

  it('crosses the antimeridian, but not the poles', () => {
    const boxes = [pointBox(-18, 178), pointBox(-14, -172)];
    const { zoom, longitude: middle } = frameOf({ ...framing, boxes });
    expect([zoom, Math.round(middle)]).toEqual([6, 183]);
    const north = frameOf({ ...framing, boxes: [pointBox(84, 0)], minZoom: 2, maxZoom: 2 });
    expect(north.latitude).toBeLessThan(60);
  });

  it('shows the world if there are none, also in a hidden element', () => {
    const { zoom, longitude: middle } = frameOf(framing);
    expect([zoom, Math.round(middle)]).toEqual([1, 10]);
    expect(frameOf({ ...framing, size: { width: 0, height: 0 }, overlays: [legend] }).zoom).toBe(1);
  });
});
