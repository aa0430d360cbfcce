/** The category colours in theme.css: visible on the map, and distinguishable with any colour vision. */

import { readFileSync } from 'node:fs';

import { CATEGORY_COLORS } from '../../src/domain/categories.ts';

type Vector = readonly [number, number, number];

const css = readFileSync(new URL('../../web/shared/theme.css', import.meta.url), 'utf8');

function coloursOf(scheme: 'light' | 'dark') {
  const valueOf = (name: string) => {
    const [, light = '', dark = ''] =
      new RegExp(`--${name}: var\\(--if-light, (#[0-9a-f]{6})\\) var\\(--if-dark, (#[0-9a-f]{6})\\);`).exec(
        css,
      ) ?? [];
    return scheme === 'light' ? light : dark;
  };
  return {
    categories: Array.from({ length: 7 }, (_, index) => valueOf(`category-${index + 1}`)),
    grounds: [valueOf('land'), valueOf('water')],
    inside: valueOf('background'),
  };
}

/** Linear red, green and blue, from 0 to 1. */
function linearOf(colour: string): Vector {
  const part = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

/** As WCAG defines it, from 1 to 21. */
function contrastOf(one: string, other: string): number {
  const luminanceOf = (colour: string) => dot([0.2126, 0.7152, 0.0722], linearOf(colour));
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Simulations of colour blindness on linear colours: Machado, Oliveira and Fernandes, 2009, at full severity. */
const EYES: Readonly<Record<string, readonly [Vector, Vector, Vector]>> = {
  'with full colour vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'without red': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'without green': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'without blue': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** In Oklab: a difference of about 0.02 is just noticeable. */
function seenAs(colour: string, eye: readonly [Vector, Vector, Vector]): Vector {
  const rgb = linearOf(colour);
  const seen = apply(eye, rgb).map((value) => Math.min(1, Math.max(0, value))) as unknown as Vector;
  const cones = apply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    seen,
  ).map(Math.cbrt) as unknown as Vector;
  return apply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

function apply([a, b, c]: readonly [Vector, Vector, Vector], vector: Vector): Vector {
  return [dot(a, vector), dot(b, vector), dot(c, vector)];
}

function dot(one: Vector, other: Vector): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

it('the colours of categories are those of exports on light pages', () => {
  expect(coloursOf('light').categories).toEqual(CATEGORY_COLORS);
});

for (const scheme of ['light', 'dark'] as const) {
  describe(`the colours of categories, ${scheme}`, () => {
    const { categories, grounds, inside } = coloursOf(scheme);

    it('stand out from land and water, and the symbols in them from the colours', () => {
      for (const colour of categories) {
        for (const other of [...grounds, inside])
          expect([colour, other, contrastOf(colour, other) >= 3]).toEqual([colour, other, true]);
      }
    });

    for (const [name, eye] of Object.entries(EYES)) {
      it(`are distinguishable by eyes ${name}`, () => {
        for (const [index, one] of categories.entries()) {
          for (const other of categories.slice(0, index)) {
            const difference = Math.hypot(
              ...seenAs(one, eye).map((value, part) => value - (seenAs(other, eye)[part] ?? 0)),
            );
            expect([one, other, difference >= 0.07]).toEqual([one, other, true]);
          }
        }
      });
    }
  });
}
