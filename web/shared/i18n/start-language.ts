/** Chooses the page's language and loads its texts. */

import { directionOf, localeOf, pickLanguage, usesMiles } from './languages.ts';
import type { Catalogue } from './translate.ts';
import { setLanguage } from './translate.ts';

/**
 * Called before anything is drawn.
 *
 * @param urls of the catalogues by language, without English, which is part of the scripts
 * @param wanted BCP 47 tags that come before the browser's languages
 */
export async function startLanguage(
  urls: Readonly<Record<string, string>>,
  wanted: readonly (string | null | undefined)[],
): Promise<void> {
  const picked = pickLanguage([...wanted, ...navigator.languages]);
  const url = urls[picked];
  const texts = url === undefined ? {} : await load(url);
  // Without its texts the page works in English.
  const language = texts === null ? 'en' : picked;
  setLanguage({
    language,
    locale: localeOf(language, navigator.languages),
    usesMiles: usesMiles(navigator.language),
    texts: texts ?? {},
  });
  const { documentElement } = document;
  documentElement.lang = language;
  documentElement.dir = directionOf(language);
}

/** Null if they cannot be loaded. */
async function load(url: string): Promise<Catalogue | null> {
  try {
    const response = await fetch(url);
    return response.ok ? ((await response.json()) as Catalogue) : null;
  } catch {
    return null;
  }
}

/** The language that the address names, or null. */
export function languageInAddress(): string | null {
  return new URLSearchParams(location.search).get('lang');
}
