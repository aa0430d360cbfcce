/** Tells an XML file by its root element, without reading it as XML. */

/** The XML declaration, comments, processing instructions and white space. */
const BEFORE_ROOT = /^\ufeff?(?:\s+|<\?[^]*?\?>|<!--[^]*?-->)*/;
/** The root, or the document type that is called like it. */
const ROOT = /^<(?:!DOCTYPE\s+)?(?:[^\s/>:<!?]+:)?([^\s/>:<!?]+)/;

/** The local name of the root element; null for text that does not begin like XML. */
export function rootNameOf(head: string): string | null {
  const before = BEFORE_ROOT.exec(head)?.[0].length ?? 0;
  return ROOT.exec(head.slice(before))?.[1] ?? null;
}
