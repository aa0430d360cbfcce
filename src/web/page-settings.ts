/** The settings of a map's page, as its script reads them (web/map/config.ts). */

import type { CategoryStyle } from '../domain/category-style.ts';
import type { PageAppearance, PageFont } from '../domain/page-theme.ts';

/** With the accents that pages use. */
export interface ShownTheme {
  readonly accentOnLight: string | null;
  readonly accentOnDark: string | null;
  readonly font: PageFont;
  readonly appearance: PageAppearance;
  readonly poweredBy: boolean;
  readonly logo: { readonly hash: string } | null;
}

export interface PageSettings {
  readonly language: string | null;
  readonly timeZone: string | null;
  readonly theme: ShownTheme;
  readonly categories: readonly CategoryStyle[];
}

/** A selection on `Map`. */
export const SETTINGS_SELECTION = `language timeZone
  theme { accentOnLight accentOnDark font appearance poweredBy logo { hash } }
  categories { value label color icon }`;

const PLAIN_THEME: ShownTheme = {
  accentOnLight: null,
  accentOnDark: null,
  font: 'system',
  appearance: 'auto',
  poweredBy: true,
  logo: null,
};

/** Only what is set, so that the page of a map without settings has no byte of them. */
export function givenSettings({
  language,
  timeZone,
  theme,
  categories,
}: PageSettings): Partial<PageSettings> {
  const names = Object.keys(PLAIN_THEME) as (keyof ShownTheme)[];
  return {
    ...(language !== null && { language }),
    ...(timeZone !== null && { timeZone }),
    ...(names.some((name) => theme[name] !== PLAIN_THEME[name]) && { theme }),
    ...(categories.length > 0 && { categories }),
  };
}
