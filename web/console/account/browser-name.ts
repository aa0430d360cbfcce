/** The browser of a session in words, such as `Firefox on Linux`. */

import { t } from '../common/messages.ts';

/** The first that matches counts: most browsers also name those that they are compatible with. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** @param userAgent the header `User-Agent`; null for none */
export function browserName(userAgent: string | null): string {
  const text = userAgent ?? '';
  const find = (known: typeof BROWSERS) => known.find(([pattern]) => pattern.test(text))?.[1];
  // Other programs name themselves first.
  const browser = find(BROWSERS) ?? /^[\w.-]+(?=\/)/.exec(text)?.[0] ?? 'Mozilla';
  const system = find(SYSTEMS);
  if (browser === 'Mozilla')
    return system === undefined ? t('browser.unknown') : t('browser.onSystem', { system });
  return system === undefined ? browser : t('browser.named', { browser, system });
}
