/** The pages' sign: a pin on a map, on a square of 16. */

export const PIN =
  '<path d="M8 0a6 6 0 0 0-6 6c0 4 6 10 6 10s6-6 6-10a6 6 0 0 0-6-6zm0 8.5a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5z"/>';

/**
 * The pin as an address that stands inside the page, so that the browser does not ask for a favicon.
 *
 * @param color as CSS writes it
 */
export function iconOf(color: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="${color}">${PIN}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** In the color of the pages' links (web/shared/theme.css). */
export const ICON = iconOf('#0b6bcb');
