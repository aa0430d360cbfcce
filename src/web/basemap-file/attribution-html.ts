/** The attribution of tiles, which their metadata holds as HTML, as text and links. */

import type { TextPart } from '../../domain/attribution.ts';

/** Characters of the HTML that are read. */
const MAX_CHARACTERS = 2_000;

const TAG_OR_TEXT = /<(?<closing>\/?)(?<name>[a-z][a-z0-9]*)(?<attributes>[^<>]*)>|[^<]+|</gi;
const HREF = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ copy: '©', reg: '®', nbsp: '\u00a0' },
};

/** Keeps the text, and links to http and https addresses. Drops all other tags, and control characters. */
export function attributionParts(html: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let href: string | null = null;
  for (const { 0: piece, groups } of html.slice(0, MAX_CHARACTERS).matchAll(TAG_OR_TEXT)) {
    if (groups?.['name'] === undefined) add(parts, { text: decode(piece), href });
    else if (groups['name'].toLowerCase() === 'a')
      href = groups['closing'] === '' ? hrefIn(groups['attributes'] ?? '') : null;
  }
  const [first] = parts;
  const last = parts.at(-1);
  if (first !== undefined) parts[0] = { ...first, text: first.text.trimStart() };
  if (last !== undefined) parts[parts.length - 1] = { ...last, text: (parts.at(-1) ?? last).text.trimEnd() };
  return parts.filter(({ text }) => text !== '');
}

function add(parts: TextPart[], part: TextPart): void {
  const last = parts.at(-1);
  const text = (last?.text.endsWith(' ') ?? false) ? part.text.trimStart() : part.text;
  if (last?.href === part.href) parts[parts.length - 1] = { ...last, text: last.text + text };
  else if (text !== '') parts.push({ text, href: part.href });
}

function decode(text: string): string {
  return (
    text
      .replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
        const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
        return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
      })
      // Control characters, which may change the direction of the text around them.
      .replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
  );
}

function hrefIn(attributes: string): string | null {
  const match = HREF.exec(attributes);
  const text = decode(match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
