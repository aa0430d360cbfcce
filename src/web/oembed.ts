/** oEmbed (https://oembed.com) for a map's page. */

import { escapeAttribute } from './escape.ts';
import { SITE_NAME } from './page-title.ts';
import { PICTURE_SIZE } from './picture/picture-svg.ts';

export interface OembedInput {
  readonly mapId: string;
  readonly name: string;
  /** The server's address, without a slash at its end. */
  readonly baseUrl: string;
  /** Pixels; null is no limit. */
  readonly maxWidth: number | null;
  readonly maxHeight: number | null;
}

/** Pixels of a frame whose page says nothing. */
const SIZE = { width: 800, height: 500 };

export function oembedOf({ mapId, name, baseUrl, maxWidth, maxHeight }: OembedInput) {
  const width = Math.min(SIZE.width, maxWidth ?? SIZE.width);
  const height = Math.min(SIZE.height, maxHeight ?? SIZE.height);
  const page = `${baseUrl}/maps/${encodeURIComponent(mapId)}`;
  const attributes = [
    `src="${escapeAttribute(`${page}?embed=1`)}"`,
    `width="${width}" height="${height}"`,
    `title="${escapeAttribute(name)}"`,
    'style="border:0" loading="lazy"',
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

/** The id of the map whose page is at the address; null for any other address. */
export function mapIdOf(url: string, baseUrl: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  const base = new URL(baseUrl);
  const prefix = `${base.pathname.replace(/\/$/, '')}/maps/`;
  if (origin !== base.origin || !pathname.startsWith(prefix)) return null;
  const id = pathname.slice(prefix.length).replace(/\/$/, '');
  return /^[A-Za-z0-9_-]+$/.test(id) ? id : null;
}
