/** The language that the user chose in this browser. */

import type { Language } from '../../shared/i18n/languages.ts';

const KEY = 'map-locations-language';

/** By tag, the language's name in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
  'pt-BR': 'Português (Brasil)',
  pl: 'Polski',
  ja: '日本語',
  ar: 'العربية',
};

/** Null for the browser's language. */
export function chosenLanguage(): string | null {
  return localStorage.getItem(KEY);
}

/** Loads the page again in the language. */
export function chooseLanguage(language: string): void {
  localStorage.setItem(KEY, language);
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  history.replaceState(history.state, '', url);
  location.reload();
}
