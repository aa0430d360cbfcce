/** Files of logos. */

export const SVG_LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40"><rect width="80" height="40" fill="#0b6bcb"/></svg>';

/** A valid file of each type, by media type. The images have 1 pixel. */
export const LOGOS = {
  'image/png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
  'image/webp': Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'),
  'image/svg+xml': Buffer.from(SVG_LOGO),
} as const;

export function asDataUrl(file: Buffer, type = 'image/png'): string {
  return `data:${type};base64,${file.toString('base64')}`;
}
