/** The labels, colours and icons of a map's categories. Loaded only for maps that have some. */

import icons from 'icons:categories';

import type { Color } from '../../../src/domain/accent.ts';
import { contrastOf } from '../../../src/domain/accent.ts';
import { categoryOf } from '../../../src/domain/categories.ts';
import type { CategoryStyle } from '../../../src/domain/category-style.ts';
import type { CategoryMarks, CategoryStyles } from './categories.ts';
import type { CategoryMark } from './category-marks.ts';
import { OTHER_MARK } from './category-marks.ts';
import { styledMarksOf } from './styled-marks.ts';

/** Lines of marks: the one that stands out from the colour of the mark. */
const LINES = ['#ffffff', '#12161c'] as const;
/** The least contrast of lines that are no text. */
const LINE_CONTRAST = 3;
/** Icons are in a square of 15 units; shapes are around the origin. */
const ICON_TRANSFORM = 'scale(.76)translate(-7.5-7.5)';

/** The colours of the map that the page shows. */
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);

/** Also replaces the colours of the former styles. */
export function categoryStylesOf(styles: readonly CategoryStyle[]): CategoryStyles {
  const byValue = new Map(
    styles.map((style, index) => [style.value, { ...style, className: `mark-own-${index}` }]),
  );
  sheet.replaceSync([...byValue.values()].map(ruleOf).join('\n'));
  const colored = new Set(styles.flatMap(({ value, color }) => (color === null ? [] : [value])));
  const labels = new Map(styles.map(({ value, label }) => [value, label ?? value]));
  const markOf = (category: string, assigned: CategoryMark | undefined): CategoryMark | undefined => {
    const style = byValue.get(category);
    if (style === undefined || (style.color === null && style.icon === null)) return assigned;
    const { className, shape } = assigned ?? OTHER_MARK;
    return {
      className: style.color === null ? className : style.className,
      ...(iconShapeOf(style.icon) ?? { shape }),
    };
  };
  return {
    labels,
    merge(counts) {
      const merged = new Map<string, number>();
      const firsts = new Map<string, string>();
      for (const [category, count] of counts) {
        const label = labels.get(category) ?? category;
        const first = firsts.get(label) ?? category;
        firsts.set(label, first);
        merged.set(first, count + (merged.get(first) ?? 0));
      }
      return merged;
    },
    marksOf: (counts) => styledMarksOf(counts, { styled: [...byValue.keys()], colored, markOf }),
    marksOfLargeMap(field): CategoryMarks | null {
      const marks = new Map(
        styles.flatMap(({ value }) => {
          const mark = markOf(value, undefined);
          return mark === undefined ? [] : [[value, mark] as const];
        }),
      );
      const markOfCategory = (name: string) => marks.get(name) ?? OTHER_MARK;
      if (marks.size === 0) return null;
      return {
        ...{ marks, hasOthers: true, markOfCategory },
        markOf: ({ properties = {} }) => markOfCategory(categoryOf(properties, field)),
      };
    },
  };
}

function ruleOf({ className, color }: Pick<CategoryStyle, 'color'> & { readonly className: string }): string {
  if (color === null) return '';
  return `.${className} { --mark: ${color}; --mark-lines: ${linesOn(color)}; }`;
}

/** Null for no icon, or one that this version does not have. */
export function iconShapeOf(icon: string | null): Pick<CategoryMark, 'shape' | 'transform'> | null {
  const shape = icon === null ? undefined : icons[icon];
  return shape === undefined ? null : { shape, transform: ICON_TRANSFORM };
}

/** The colour of lines on a mark of the colour. */
export function linesOn(color: Color): Color {
  const [white, dark] = LINES;
  return contrastOf(color, white) >= LINE_CONTRAST ? white : dark;
}
