/** The theme of a map's page. Loaded only for maps that have one. */

import type { ShownTheme } from '../../src/web/page-settings.ts';
import { dataUrlOf } from '../shared/data-url.ts';
import type { MapConfig } from './config.ts';
import { pagePath } from './config.ts';

const FONTS: Readonly<Record<Exclude<ShownTheme['font'], 'system'>, string>> = {
  serif: "ui-serif, Georgia, Cambria, 'Noto Serif', 'Times New Roman', serif",
  rounded:
    "ui-rounded, 'SF Pro Rounded', 'Hiragino Maru Gothic ProN', Nunito, 'Varela Round', system-ui, sans-serif",
  mono: 'var(--font-mono)',
};

/** The root of a page that is not printed. Paper is light. */
const ON_SCREEN = ':root:where(:not([data-printing]))';

/** Constructed, since the page's policy allows no inline styles. */
export function applyTheme({ accentOnLight, accentOnDark, font, appearance }: ShownTheme): void {
  // The server has set it, but not in the page of an unpublished map.
  if (appearance !== 'auto') document.documentElement.dataset['appearance'] = appearance;
  const light = accentOnLight === null ? '' : `:root { --accent: ${accentOnLight}; }`;
  const dark = accentOnDark === null ? '' : `${ON_SCREEN} { --accent: ${accentOnDark}; }`;
  const rules = [
    light,
    {
      auto: `@media screen and (prefers-color-scheme: dark) { ${dark} }`,
      light: '',
      dark: `@media screen { ${dark} }`,
    }[appearance],
    font === 'system' ? '' : `:root { --font: ${FONTS[font]}; }`,
  ];
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join('\n'));
  document.adoptedStyleSheets.push(sheet);
}

/** The URL of the logo; null if the map has none, or it cannot be loaded. */
export async function logoUrlOf({ key, theme }: MapConfig): Promise<string | null> {
  const hash = theme?.logo?.hash;
  if (hash === undefined) return null;
  const url = `${pagePath()}/logo?v=${hash.slice(0, 8)}`;
  return key === undefined ? url : loadWithKey(url, key);
}

/** An image in the page sends no key, so the file becomes a part of the page. */
async function loadWithKey(url: string, key: string): Promise<string | null> {
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    if (!response.ok) return null;
    return await dataUrlOf(await response.blob());
  } catch {
    return null;
  }
}
