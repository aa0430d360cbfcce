/** The look of a map's page. */

import { badUserInput } from '../errors.ts';
import type { Color } from './accent.ts';
import { isColor } from './accent.ts';

export const PAGE_FONTS = ['system', 'serif', 'rounded', 'mono'] as const;
export type PageFont = (typeof PAGE_FONTS)[number];

/** `auto` follows the reader's system. */
export const PAGE_APPEARANCES = ['auto', 'light', 'dark'] as const;
export type PageAppearance = (typeof PAGE_APPEARANCES)[number];

export interface PageTheme {
  /** As given; pages use accents that can be read (accent.ts). Null for the accent of all pages. */
  readonly accent: Color | null;
  readonly font: PageFont;
  readonly appearance: PageAppearance;
  /** Whether the page names the software. */
  readonly poweredBy: boolean;
}

export const DEFAULT_THEME: PageTheme = { accent: null, font: 'system', appearance: 'auto', poweredBy: true };

/** Changes of a caller: absent members stay as they are; null restores the default. */
export type PageThemeInput = { readonly [Name in keyof PageTheme]?: PageTheme[Name] | null };

/**
 * The changed theme; null if everything has its default.
 *
 * @throws ServiceError BAD_USER_INPUT
 */
export function toTheme(
  current: PageTheme | null,
  changes: PageThemeInput,
  label = 'theme',
): PageTheme | null {
  const { accent, font, appearance, poweredBy } = current ?? DEFAULT_THEME;
  const pick = <T>(changed: T | null | undefined, now: T, byDefault: T) =>
    changed === undefined ? now : (changed ?? byDefault);
  if (typeof changes.accent === 'string') assertColor(changes.accent, `${label}.accent`);
  const theme: PageTheme = {
    accent: pick(changes.accent, accent, DEFAULT_THEME.accent)?.toLowerCase() ?? null,
    font: pick(changes.font, font, DEFAULT_THEME.font),
    appearance: pick(changes.appearance, appearance, DEFAULT_THEME.appearance),
    poweredBy: pick(changes.poweredBy, poweredBy, DEFAULT_THEME.poweredBy),
  };
  const names = Object.keys(DEFAULT_THEME) as (keyof PageTheme)[];
  return names.every((name) => theme[name] === DEFAULT_THEME[name]) ? null : theme;
}

export function assertColor(color: string, label: string): void {
  if (!isColor(color)) throw badUserInput(`${label} must be a colour such as "#0b6bcb".`);
}
