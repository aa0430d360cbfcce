/** oEmbed responses (https://oembed.com) for pages of maps. */

import { escapeAttribute } from './html.ts';
import { FRAME_PERMISSIONS, mapPath, SITE_NAME } from './pages.ts';
import { PICTURE_SIZE } from './picture/picture-svg.ts';

export interface OembedInput {
  readonly mapId: string;
  readonly name: string;
  /** Absolute URL of the server, without a trailing slash. */
  readonly baseUrl: string;
  /** Pixels; null for no limit. */
  readonly maxWidth: number | null;
  readonly maxHeight: number | null;
}

/** Default size of the frame, pixels. */
const SIZE = { width: 800, height: 500 };

export function oembedOf({ mapId, name, baseUrl, maxWidth, maxHeight }: OembedInput) {
  const width = Math.min(SIZE.width, maxWidth ?? SIZE.width);
  const height = Math.min(SIZE.height, maxHeight ?? SIZE.height);
  const page = baseUrl + mapPath(mapId);
  const attributes = [
    `src="${escapeAttribute(`${page}?embed=1`)}"`,
    `width="${width}" height="${height}"`,
    `title="${escapeAttribute(name)}"`,
    `allow="${FRAME_PERMISSIONS}" style="border:0" loading="lazy"`,
  ];
  const fits = PICTURE_SIZE.width <= (maxWidth ?? Infinity) && PICTURE_SIZE.height <= (maxHeight ?? Infinity);
  return {
    version: '1.0',
    type: 'rich',
    title: name,
    provider_name: SITE_NAME,
    provider_url: baseUrl,
    html: `<iframe ${attributes.join(' ')}></iframe>`,
    width,
    height,
    ...(fits
      ? {
          thumbnail_url: `${page}/picture.png`,
          thumbnail_width: PICTURE_SIZE.width,
          thumbnail_height: PICTURE_SIZE.height,
        }
      : {}),
  };
}

/** The id of the map whose page has the URL; null for other URLs. */
export function mapIdOf(url: string, baseUrl: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  const base = new URL(baseUrl);
  const prefix = `${base.pathname.replace(/\/$/, '')}/maps/`;
  if (origin !== base.origin || !pathname.startsWith(prefix)) return null;
  const id = pathname.slice(prefix.length).replace(/\/$/, '');
  return /^[A-Za-z0-9_-]+$/.test(id) ? id : null;
}
