/** Finds the root element of an XML file without parsing it. */

/** The XML declaration, comments, processing instructions and white space. */
const BEFORE_ROOT = /^\ufeff?(?:\s+|<\?[^]*?\?>|<!--[^]*?-->)*/;
/** The root, or a document type, which has the same name. */
const ROOT = /^<(?:!DOCTYPE\s+)?(?:[^\s/>:<!?]+:)?([^\s/>:<!?]+)/;

/** The local name of the root element; null if the text does not start like XML. */
export function rootNameOf(head: string): string | null {
  const before = BEFORE_ROOT.exec(head)?.[0].length ?? 0;
  return ROOT.exec(head.slice(before))?.[1] ?? null;
}
