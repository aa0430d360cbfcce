/**
 * Marks of categories, for pins, rows and the legend: a colour, which theme.css gives to the class, and a shape, since not
 * everybody tells colours apart.
 */

export interface CategoryMark {
  readonly className: string;
  /** Of a path around (0, 0) within 6 units of it. */
  readonly shape: string;
}

const SHAPES: readonly string[] = [
  // A square, a triangle, a diamond, a plus, a star, a bar, and a triangle upside down.
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

/** Of all locations whose category has no mark of its own: hollow, with a dot. */
export const OTHER_MARK: CategoryMark = {
  className: 'mark-other',
  shape: 'M0-3.6A3.6 3.6 0 1 1 0 3.6 3.6 3.6 0 0 1 0-3.6z',
};

/**
 * Gives marks to the categories with the most locations, as many as there are marks.
 *
 * @param counts of each category's locations
 * @returns in the order of `counts`, without those that have no mark of their own
 */
export function marksOf(counts: ReadonlyMap<string, number>): ReadonlyMap<string, CategoryMark> {
  const frequent = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, CATEGORY_MARKS.length);
  const marked = new Set(frequent.map(([category]) => category));
  const categories = [...counts.keys()].filter((category) => marked.has(category));
  return new Map(
    CATEGORY_MARKS.slice(0, categories.length).map((mark, index) => [categories[index] ?? '', mark]),
  );
}
