/** The languages of the pages, and how one is chosen. */

import type { PageLanguage } from '../../../src/domain/page-languages.ts';
import { PAGE_LANGUAGES } from '../../../src/domain/page-languages.ts';

export type Language = PageLanguage;
export const LANGUAGES = PAGE_LANGUAGES;

const RIGHT_TO_LEFT: readonly Language[] = ['ar'];
/** Where distances are given in miles. */
const MILES_REGIONS = ['GB', 'US', 'LR', 'MM'];

/** The language of a BCP 47 tag by its base: `pt-PT` is `pt-BR`. Null if the pages do not have it. */
export function languageOf(tag: string): Language | null {
  const base = baseOf(tag);
  return LANGUAGES.find((one) => baseOf(one) === base) ?? null;
}

/** The first of the wanted languages that the pages have, or English. */
export function pickLanguage(wanted: readonly (string | null | undefined)[]): Language {
  for (const tag of wanted) {
    const language = languageOf(tag ?? '');
    if (language !== null) return language;
  }
  return 'en';
}

/**
 * The locale for numbers and dates: the language in the region that the reader prefers.
 *
 * @param preferred the browser's languages
 */
export function localeOf(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => languageOf(tag) === language && isTag(tag)) ?? language;
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr';
}

/** @param tag the browser's language, whose region decides; without one, the region where most people speak it */
export function usesMiles(tag: string): boolean {
  return isTag(tag) && MILES_REGIONS.includes(new Intl.Locale(tag).maximize().region ?? '');
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? '';
}

/** Some browsers have languages such as `en-US@posix`, which Intl rejects. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
