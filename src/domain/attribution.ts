/** What must be shown with the points that a geocoding provider found. */
export interface Attribution {
  readonly text: string;
  /** An http or https address; null if the text is not a link. */
  readonly url: string | null;
}

/** A piece of a text with links. */
export interface TextPart {
  readonly text: string;
  /** Null if the text is not a link. */
  readonly href: string | null;
}

/** @param text `[words](https://…)` in it is a link */
export function linkedParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(/\[([^\]]+)\]\((https?:\/\/[^\s()]+)\)/g)) {
    const [whole, words = '', href = null] = match;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), href: null });
    parts.push({ text: words, href });
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}

/** @param text as for {@link linkedParts}; the whole attribution links to the first address */
export function parseAttribution(text: string): Attribution {
  const parts = linkedParts(text);
  const [link] = parts.filter(({ href }) => href !== null);
  return { text: parts.map((part) => part.text).join(''), url: link?.href ?? null };
}

/** As plain text: `GeoNames, CC BY 4.0 (https://…); © Mapbox (https://…)`. */
export function attributionText(attributions: readonly Attribution[]): string {
  return attributions.map(({ text, url }) => (url === null ? text : `${text} (${url})`)).join('; ');
}
