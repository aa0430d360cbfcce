/** Accent colours that can be read, by the contrast of WCAG 2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */

/** `#rrggbb`, in lower case. */
export type Color = string;

/** The least contrast of text with its background. */
export const TEXT_CONTRAST = 4.5;

/**
 * Surfaces of web/shared/theme.css that the accent has the least contrast with: text and links in the accent are readable
 * on the page's background, too, and so is the text on buttons, which is white on light pages and dark on dark ones.
 */
export const LIGHT_SURFACE: Color = '#f5f7fa';
export const DARK_SURFACE: Color = '#1b212a';

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** The nearest darker colour of the same hue that is readable on light pages; the accent itself if it is. */
export function accentOnLight(accent: Color): Color {
  return readable(accent, LIGHT_SURFACE, 0);
}

/** The nearest lighter colour of the same hue that is readable on dark pages; the accent itself if it is. */
export function accentOnDark(accent: Color): Color {
  return readable(accent, DARK_SURFACE, 255);
}

/** From 1 to 21. */
export function contrastOf(a: Color, b: Color): number {
  const [lighter, darker] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => y - x);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

/** Steps between a colour and black or white. */
const STEPS = 256;

/** Mixes the colour with black (0) or white (255) as little as possible. */
function readable(color: Color, surface: Color, target: number): Color {
  const channels = channelsOf(color);
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = channels.map((channel) => Math.round(channel + ((target - channel) * step) / STEPS));
    const candidate = toColor(mixed);
    if (contrastOf(candidate, surface) >= TEXT_CONTRAST) return candidate;
  }
  return toColor([target, target, target]);
}

function luminanceOf(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: Color): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

function toColor(channels: readonly number[]): Color {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
