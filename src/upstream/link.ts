/** Reads the `Link` header of a page (RFC 8288). */

/** One link: its target, and its parameters up to the next comma outside quotes. */
const LINK = /<([^<>]*)>((?:[^,"]|"(?:[^"\\]|\\.)*")*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i;

/** @returns the unresolved target of `rel="next"`; null if there is none */
export function readNextLink(header: string | readonly string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = typeof header === 'string' ? header : header.join(', ');
  for (const [, target = '', parameters = ''] of text.matchAll(LINK)) {
    const [, quoted, bare = ''] = REL.exec(parameters) ?? [];
    if ((quoted ?? bare).toLowerCase().split(/\s+/).includes('next')) return target;
  }
  return null;
}

/** @returns the query without that parameter; other parts are unchanged */
export function withoutParameter(query: string, name: string): string {
  return query
    .split('&')
    .filter((part) => part !== '' && nameOf(part) !== name)
    .join('&');
}

function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
