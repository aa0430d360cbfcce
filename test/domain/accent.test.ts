/** Accent colours that can be read. */

import { readFileSync } from 'node:fs';

import * as fc from 'fast-check';

import {
  accentOnDark,
  accentOnLight,
  contrastOf,
  DARK_SURFACE,
  LIGHT_SURFACE,
  TEXT_CONTRAST,
} from '../../src/domain/accent.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const CASES = [
  { name: 'light', adjust: accentOnLight, surface: LIGHT_SURFACE, target: '#000000', onAccent: '#ffffff' },
  { name: 'dark', adjust: accentOnDark, surface: DARK_SURFACE, target: '#ffffff', onAccent: '#0c1116' },
] as const;

describe('contrast', () => {
  it('is that of WCAG', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
    expect(contrastOf('#ff0000', '#ffffff')).toBeCloseTo(3.998, 3);
    fc.assert(
      fc.property(color, color, (a, b) => {
        expect(contrastOf(a, b)).toBe(contrastOf(b, a));
        expect(contrastOf(a, a)).toBe(1);
      }),
    );
  });
});

describe.each(CASES)('an accent on a $name page', ({ adjust, surface, target, onAccent }) => {
  it('is readable on the surface and below the text of buttons, for every colour', () => {
    fc.assert(
      fc.property(color, (accent) => {
        const used = adjust(accent);
        expect(used).toMatch(/^#[0-9a-f]{6}$/);
        expect(contrastOf(used, surface)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
        expect(contrastOf(used, onAccent)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
      }),
    );
  });

  it('changes only if it must, in one direction, and no further than needed', () => {
    fc.assert(
      fc.property(color, (accent) => {
        const used = adjust(accent);
        expect(adjust(used)).toBe(used);
        if (contrastOf(accent, surface) >= TEXT_CONTRAST) expect(used).toBe(accent);
        else {
          expect(contrastOf(used, target)).toBeLessThan(contrastOf(accent, target));
          // A step is at most one 256th of the way.
          expect(contrastOf(used, surface)).toBeLessThan(TEXT_CONTRAST + 0.25);
        }
      }),
    );
  });
});

it('knows the colours of the pages', () => {
  const css = readFileSync('web/shared/theme.css', 'utf8');
  const coloursOf = (name: string) =>
    new RegExp(`--${name}: var\\(--if-light, (#[0-9a-f]{6})\\) var\\(--if-dark, (#[0-9a-f]{6})\\);`)
      .exec(css)
      ?.slice(1);
  expect(coloursOf('surface')).toEqual([LIGHT_SURFACE, DARK_SURFACE]);
  expect(coloursOf('on-accent')).toEqual(['#ffffff', '#0c1116']);
  const [light = '', dark = ''] = coloursOf('background') ?? [];
  for (const [accent, background, surface] of [
    [accentOnLight('#ff8800'), light, LIGHT_SURFACE],
    [accentOnDark('#004488'), dark, DARK_SURFACE],
  ] as const) {
    expect(contrastOf(accent, background)).toBeGreaterThanOrEqual(contrastOf(accent, surface));
  }
});
