/**
 * Marks of categories in pins, rows and the legend. Each has a colour, which theme.css gives to the class, and a shape for
 * readers who cannot tell the colours apart.
 */

import { mostFrequent } from '../../../src/domain/categories.ts';

export interface CategoryMark {
  readonly className: string;
  /** SVG path data within 6 units of the origin. */
  readonly shape: string;
  /** Of a shape that is not around the origin. */
  readonly transform?: string;
}

const SHAPES: readonly string[] = [
  // Square, triangle, diamond, plus, star, bar, inverted triangle.
  'M-4-4H4V4H-4z',
  'M0-5 5 4H-5z',
  'M0-5.6 5 0 0 5.6-5 0z',
  'M-1.6-5H1.6V-1.6H5V1.6H1.6V5H-1.6V1.6H-5V-1.6H-1.6z',
  'M0-5.8 1.5-1.9 5.6-1.8 2.4.8 3.4 4.8 0 2.5-3.4 4.8-2.4.8-5.6-1.8-1.5-1.9z',
  'M-5.2-1.9H5.2V1.9H-5.2z',
  'M0 5.2 5-3.8H-5z',
];

export const CATEGORY_MARKS: readonly CategoryMark[] = SHAPES.map((shape, index) => ({
  className: `mark-${index + 1}`,
  shape,
}));

/** The mark of all other categories, and of locations without one. */
export const OTHER_MARK: CategoryMark = {
  className: 'mark-other',
  shape: 'M0-3.6A3.6 3.6 0 1 1 0 3.6 3.6 3.6 0 0 1 0-3.6z',
};

/**
 * Assigns the marks to the categories with the most locations.
 *
 * @param counts number of locations by category
 * @returns marks by category, in the order of `counts`; categories without a mark are left out
 */
export function marksOf(counts: ReadonlyMap<string, number>): ReadonlyMap<string, CategoryMark> {
  const categories = mostFrequent(counts, CATEGORY_MARKS.length);
  return new Map(
    CATEGORY_MARKS.slice(0, categories.length).map((mark, index) => [categories[index] ?? '', mark]),
  );
}
