/** The texts of the console's pages in each language. */

import type { Page } from 'playwright-core';

import type { Language } from '../../web/shared/i18n/languages.ts';
import { resizeTo } from './browser.ts';
import { shoot } from './browser-site.ts';
import { problemsOfTexts } from './page-texts.ts';

export const SIZES = [
  { width: 320, height: 720 },
  { width: 1280, height: 900 },
] as const;

/**
 * Expects a page without English, cut off or overlapping texts in each size, from the last on. It stays in the first.
 *
 * @param scope as for problemsOfTexts
 */
export async function expectTexts(
  page: Page,
  language: Language,
  name: string,
  scope?: string,
  sizes: readonly { readonly width: number; readonly height: number }[] = SIZES,
): Promise<void> {
  for (const size of sizes.toReversed()) {
    await resizeTo(page, size);
    await shoot(page, `console-${language}-${name}-${size.width}`);
    const problems = await problemsOfTexts(page, language, ['shared', 'console'], {
      scope,
      data: ['Name', 'Address', 'Kind', 'Hours'],
    });
    expect({ name, size, ...problems }).toEqual({ name, size, untranslated: [], misplaced: [] });
  }
}
