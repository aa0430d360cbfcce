/** What separates two cells, and how that is seen. */

export type Delimiter = ',' | ';' | '\t';

/**
 * A comma. Where the header has none: a semicolon or a tab, which some spreadsheets write instead.
 *
 * @returns null for text of empty lines, above the header
 */
export function chooseDelimiter(text: string): Delimiter | null {
  // Without the quoted parts, which may hold delimiters and line ends.
  const header = /[^\r\n]+/.exec(text.replaceAll(/"[^"]*"?/g, '""'))?.[0];
  if (header === undefined) return null;
  if (header.includes(',')) return ',';
  return header.includes(';') ? ';' : header.includes('\t') ? '\t' : ',';
}
