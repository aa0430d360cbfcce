/** How the categories of a map look: labels, colours and icons for values of its category field. */

import { badUserInput } from '../errors.ts';
import type { Color } from './accent.ts';
import { CATEGORY_ICONS } from './category-icons.ts';
import { assertColor } from './page-theme.ts';
import { assertStorable, countCodePoints, isBlank } from './text.ts';

export interface CategoryStyle {
  /** A value of the category field, as text. */
  readonly value: string;
  /** Shown in place of the value; null for the value. */
  readonly label: string | null;
  /** Null for a colour of the page's choice. */
  readonly color: Color | null;
  /** One of {@link CATEGORY_ICONS}; null for a shape of the page's choice. */
  readonly icon: string | null;
}

/** A style of a caller. */
export type CategoryStyleInput = Pick<CategoryStyle, 'value'> & {
  readonly [Name in Exclude<keyof CategoryStyle, 'value'>]?: CategoryStyle[Name] | null;
};

export const MAX_CATEGORIES = 100;
const MAX_TEXT_LENGTH = 256;

/**
 * In the given order, which is that of the legend.
 *
 * @throws ServiceError BAD_USER_INPUT
 */
export function toCategories(
  categories: readonly CategoryStyleInput[],
  label = 'categories',
): readonly CategoryStyle[] {
  if (categories.length > MAX_CATEGORIES) {
    throw badUserInput(`${label} has ${categories.length} entries; at most ${MAX_CATEGORIES} are allowed.`);
  }
  const places = new Map<string, number>();
  return categories.map(({ value, label: shown = null, color = null, icon = null }, index) => {
    const at = `${label}[${index}]`;
    assertText(value, `${at}.value`);
    const earlier = places.get(value);
    if (earlier !== undefined) {
      throw badUserInput(`${at}.value repeats that of ${label}[${earlier}]; values must be unique.`);
    }
    places.set(value, index);
    if (shown !== null) assertText(shown, `${at}.label`);
    if (color !== null) assertColor(color, `${at}.color`);
    if (icon !== null && !CATEGORY_ICONS.includes(icon)) {
      throw badUserInput(`${at}.icon must be one of ${CATEGORY_ICONS.join(', ')}; null removes it.`);
    }
    return { value, label: shown, color: color?.toLowerCase() ?? null, icon };
  });
}

function assertText(text: string, label: string): void {
  if (isBlank(text) || countCodePoints(text) > MAX_TEXT_LENGTH) {
    throw badUserInput(`${label} must be 1 to ${MAX_TEXT_LENGTH} characters and not blank.`);
  }
  assertStorable(text, label);
}
