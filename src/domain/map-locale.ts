/** The language and the time zone of a map. */

import { badUserInput } from '../errors.ts';
import type { PageLanguage } from './page-languages.ts';
import { PAGE_LANGUAGES } from './page-languages.ts';

/** @throws ServiceError BAD_USER_INPUT */
export function toPageLanguage(language: string, label = 'language'): PageLanguage {
  const known = PAGE_LANGUAGES.find((each) => each.toLowerCase() === language.toLowerCase());
  if (known !== undefined) return known;
  throw badUserInput(`${label} must be one of ${PAGE_LANGUAGES.join(', ')}; null removes it.`);
}

/**
 * A name of the IANA time zone database, as given, since canonical names differ between versions of the database.
 *
 * @throws ServiceError BAD_USER_INPUT
 */
export function toTimeZone(timeZone: string, label = 'timeZone'): string {
  // Newer engines accept offsets such as +01:00, too.
  if (/^[A-Za-z]/.test(timeZone)) {
    try {
      new Intl.DateTimeFormat('en', { timeZone });
      return timeZone;
    } catch {
      // Reported below.
    }
  }
  throw badUserInput(
    `${label} must be a time zone of the IANA database, such as "Europe/Berlin"; null removes it.`,
  );
}
