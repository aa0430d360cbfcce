/** The marks of categories on a map that has own colours and icons for some. */

import type { CategoryMark } from './category-marks.ts';
import { marksOf } from './category-marks.ts';

export interface OwnMarks {
  /** The categories with a label, a colour or an icon of their own, in the order of the legend. */
  readonly styled: readonly string[];
  /** Categories that have a colour. */
  readonly colored: ReadonlySet<string>;
  /** @param assigned the mark of the category without its style; undefined for none */
  readonly markOf: (category: string, assigned: CategoryMark | undefined) => CategoryMark | undefined;
}

/**
 * Gives marks to the categories with the most locations that have no own colour.
 *
 * @param counts number of locations by category
 */
export function styledMarksOf(
  counts: ReadonlyMap<string, number>,
  { styled, colored, markOf }: OwnMarks,
): ReadonlyMap<string, CategoryMark> {
  const assigned = marksOf(new Map([...counts].filter(([name]) => !colored.has(name))));
  const names = new Set([...styled.filter((name) => counts.has(name)), ...counts.keys()]);
  const marks = new Map<string, CategoryMark>();
  for (const name of names) {
    const mark = markOf(name, assigned.get(name));
    if (mark !== undefined) marks.set(name, mark);
  }
  return marks;
}
