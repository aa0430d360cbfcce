import { boxOf, frameOf, PICTURE_SIZE, renderPictureSvg, zoomOf } from '../../src/web/picture/picture-svg.ts';

const SQUARE = (west: number, east: number) => {
  const points = Float64Array.from([west, 0.4, east, 0.4, east, 0.6, west, 0.6, west, 0.4]);
  return { points, minX: west, maxX: east, minY: 0.4, maxY: 0.6 };
};

describe('the picture of a map', () => {
  it('shows all locations, centred', () => {
    const frame = frameOf({ south: 50, west: 0, north: 60, east: 20 });
    const shown = boxOf(frame);
    expect(shown.south).toBeLessThan(50);
    expect(shown.north).toBeGreaterThan(60);
    expect([shown.west, shown.east].map(Math.sign)).toEqual([-1, 1]);
    expect(shown.west + shown.east).toBeCloseTo(20);
  });

  it('shows the surroundings of a single location, and the world if there is none', () => {
    expect(zoomOf(frameOf({ south: 50, west: 10, north: 50, east: 10 }))).toBe(7);
    expect(boxOf(frameOf(null))).toMatchObject({ west: -180, east: 180 });
  });

  it('continues across the antimeridian', () => {
    const frame = frameOf({ south: -20, west: 170, north: -10, east: -170 });
    const shown = boxOf(frame);
    expect(shown.west).toBeGreaterThan(0);
    expect(shown.east).toBeLessThan(0);
    const svg = renderPictureSvg(
      { land: [SQUARE(0, 0.02), SQUARE(0.98, 1)], borders: [], countries: [] },
      frame,
      [
        { latitude: -15, longitude: -175, count: 3 },
        { latitude: -15, longitude: 175, count: 1 },
      ],
    );
    const xs = [...svg.matchAll(/cx="([\d.-]+)"/g)].map(([, x]) => Number(x));
    expect(xs).toHaveLength(2);
    for (const x of xs) expect(x > 0 && x < PICTURE_SIZE.width).toBe(true);
    // Land on both sides.
    expect(svg.match(/M/g)!.length).toBe(2);
  });
});
