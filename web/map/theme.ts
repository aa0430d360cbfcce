/** The theme of a map's page. Loaded only for maps that have one. */

import type { ShownTheme } from '../../src/web/page-settings.ts';
import pages from '../shared/theme.css?inline';
import type { MapConfig } from './config.ts';

const FONTS: Readonly<Record<Exclude<ShownTheme['font'], 'system'>, string>> = {
  serif: "ui-serif, Georgia, Cambria, 'Noto Serif', 'Times New Roman', serif",
  rounded:
    "ui-rounded, 'SF Pro Rounded', 'Hiragino Maru Gothic ProN', Nunito, 'Varela Round', system-ui, sans-serif",
  mono: 'var(--font-mono)',
};

/** The root of a page that is not printed, as in theme.css. Paper is light. */
const ON_SCREEN = ':root:where(:not([data-printing]))';

/** Constructed, since the page's policy allows no inline styles. */
export function applyTheme({ accentOnLight, accentOnDark, font, appearance }: ShownTheme): void {
  const light = accentOnLight === null ? '' : `:root { --accent: ${accentOnLight}; }`;
  const dark = accentOnDark === null ? '' : `${ON_SCREEN} { --accent: ${accentOnDark}; }`;
  const rules = [
    light,
    {
      auto: `@media screen and (prefers-color-scheme: dark) { ${dark} }`,
      light: `${paletteOf('light')} :root { color-scheme: light; } ${light}`,
      dark: `@media screen { ${paletteOf('dark')} ${ON_SCREEN} { color-scheme: dark; } ${dark} }`,
    }[appearance],
    font === 'system' ? '' : `:root { --font: ${FONTS[font]}; }`,
  ];
  document.adoptedStyleSheets.push(sheetOf(rules.join('\n')));
}

/** The colours of all light or all dark pages. The build adds rules of its own. */
function paletteOf(appearance: 'light' | 'dark'): string {
  const rules = [...sheetOf(pages).cssRules];
  return (appearance === 'light' ? rules : rules.flatMap(innerRulesOfDark))
    .filter((rule) => rule instanceof CSSStyleRule && rule.selectorText.startsWith(':root'))
    .map(({ cssText }) => cssText)
    .join('\n');
}

function innerRulesOfDark(rule: CSSRule): CSSRule[] {
  const isDark = rule instanceof CSSMediaRule && rule.conditionText.includes('prefers-color-scheme');
  return isDark ? [...rule.cssRules] : [];
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** The URL of the logo; null if the map has none, or it cannot be loaded. */
export async function logoUrlOf({ mapId, key, theme }: MapConfig): Promise<string | null> {
  const hash = theme?.logo?.hash;
  if (hash === undefined) return null;
  const url = `${mapId}/logo?v=${hash.slice(0, 8)}`;
  return key === undefined ? url : loadWithKey(url, key);
}

/** An image in the page sends no key, so the file becomes a part of the page. */
async function loadWithKey(url: string, key: string): Promise<string | null> {
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    if (!response.ok) return null;
    const file = await response.blob();
    return await new Promise((resolve) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => resolve(reader.result as string));
      reader.addEventListener('error', () => resolve(null));
      reader.readAsDataURL(file);
    });
  } catch {
    return null;
  }
}
