/** The operator's own map tiles, instead of the pages' basemap. */

export interface Tiles {
  /** With `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  /** Of the server that the tiles come from, for the policy of the pages. */
  readonly origin: string;
  readonly attribution: readonly AttributionPart[];
}

export interface AttributionPart {
  readonly text: string;
  /** Null where the text is no link. */
  readonly href: string | null;
}

/** What Leaflet fills in; `{r}` is `@2x` on a screen of high density. */
const PLACES = /\{[zxyr]\}/g;

/** True for an absolute http or https address with `{z}`, `{x}` and `{y}` behind its host. */
export function isTileUrl(text: string): boolean {
  const filled = text.replace(PLACES, '0');
  if (!URL.canParse(filled) || /[\s{}]/.test(filled)) return false;
  const { protocol, username, password, origin } = new URL(filled);
  return (
    (protocol === 'http:' || protocol === 'https:') &&
    username === '' &&
    password === '' &&
    ['{z}', '{x}', '{y}'].every((place) => text.includes(place)) &&
    text.toLowerCase().startsWith(`${origin}/`)
  );
}

/** @param attribution text, in which `[words](https://…)` is a link */
export function tilesOf(url: string, attribution: string): Tiles {
  return { url, origin: new URL(url.replace(PLACES, '0')).origin, attribution: partsOf(attribution) };
}

function partsOf(attribution: string): readonly AttributionPart[] {
  const parts: AttributionPart[] = [];
  let end = 0;
  for (const match of attribution.matchAll(/\[([^\]]+)\]\((https?:\/\/[^\s()]+)\)/g)) {
    const [whole, text = '', href = null] = match;
    if (match.index > end) parts.push({ text: attribution.slice(end, match.index), href: null });
    parts.push({ text, href });
    end = match.index + whole.length;
  }
  if (end < attribution.length) parts.push({ text: attribution.slice(end), href: null });
  return parts;
}
