/** The content of the HTML API reference. */

export interface DocsPageParts {
  readonly ids: ReadonlySet<string>;
  readonly links: readonly string[];
  /** Short pieces of code, such as names. */
  readonly codes: readonly string[];
  /** Blocks of code, such as commands. */
  readonly blocks: readonly string[];
}

export function partsOfPage(page: string): DocsPageParts {
  const all = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, found = '']) => found);
  return {
    ids: new Set(all(/\sid="([^"]*)"/g)),
    links: all(/\shref="([^"]*)"/g),
    codes: all(/<code[^>]*>([^<]*)<\/code>/g).map(toText),
    blocks: all(/<pre[^>]*><code>([^]*?)<\/code><\/pre>/g).map(toText),
  };
}

function toText(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
