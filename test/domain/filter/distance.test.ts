import { distanceBetween } from '../../../src/domain/filter/distance.ts';

const point = (latitude: number, longitude: number) => ({ latitude, longitude });
/** Half of the sphere's circumference. */
const HALF = Math.PI * 6_371_008.8;

describe('the distance', () => {
  it.each([
    ['to the point itself', point(64.1466, -21.9426), point(64.1466, -21.9426), 0],
    ['of a degree on the equator', point(0, 0), point(0, 1), 111_195.08],
    ['across the antimeridian', point(0, 179.5), point(0, -179.5), 111_195.08],
    ['between two names of a pole', point(90, 0), point(90, 137), 0],
    ['from pole to pole', point(90, 0), point(-90, 0), HALF],
    ['to the antipode', point(12.5, 30), point(-12.5, -150), HALF],
  ])('%s', (_what, a, b, metres) => {
    expect(distanceBetween(a, b)).toBeCloseTo(metres, 2);
    expect(distanceBetween(b, a)).toBe(distanceBetween(a, b));
  });

  it('is rounded to the millimetre', () => {
    const metres = distanceBetween(point(48.8566, 2.3522), point(52.52, 13.405));
    expect(metres).toBe(Math.round(metres * 1000) / 1000);
  });
});
