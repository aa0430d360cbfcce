/** Delimiters of CSV files, and their detection. */

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The delimiters that exports can use. */
export const EXPORT_DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

/** By their names in options. */
const NAMED: Readonly<Record<string, Delimiter>> = {
  ',': ',',
  ';': ';',
  '|': '|',
  '\t': '\t',
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
};
export const DELIMITER_NAMES = ', ; | tab';

/** Null for a name other than {@link DELIMITER_NAMES}. */
export function delimiterNamed(name: string): Delimiter | null {
  return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? null) : null;
}

/** The start of an export, whose fields may have any names. */
const EXPORT_HEADER = /^\s*\$*id([,;\t|])\$*externalId\1/;

/** Records that detection reads. */
const SAMPLE = 20;

/**
 * Chooses the delimiter that splits the first records into the same number of cells, at least two; of several, the one
 * with the most cells. If none does, the first of {@link DELIMITERS} outside quotes in the header, else the comma.
 *
 * @returns null for text of empty lines only
 */
export function chooseDelimiter(text: string): Delimiter | null {
  if (!/[^\r\n]/.test(text)) return null;
  const own = EXPORT_HEADER.exec(text)?.[1];
  if (own !== undefined) return DELIMITERS.find((delimiter) => delimiter === own) ?? null;
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, counts: countCells(text, delimiter) }));
  const [best] = counted
    .filter(({ counts: [header = 0, ...rest] }) => header > 1 && rest.every((count) => count === header))
    .toSorted((a, b) => (b.counts[0] ?? 0) - (a.counts[0] ?? 0));
  const inHeader = counted.find(({ counts: [header = 0] }) => header > 1);
  return (best ?? inHeader)?.delimiter ?? ',';
}

/** Counts the cells of the first records that are not empty. The last record may be cut, so it counts only if alone. */
function countCells(text: string, delimiter: Delimiter): readonly number[] {
  const counts: number[] = [];
  let cells = 1;
  let isQuoted = false;
  let isEmpty = true;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === delimiter) cells += 1;
    else if (character === '\n' || character === '\r') {
      if (!isEmpty) counts.push(cells);
      if (counts.length === SAMPLE) return counts;
      cells = 1;
      isEmpty = true;
      continue;
    }
    isEmpty = false;
  }
  return counts.length === 0 ? [cells] : counts;
}

/** A first line in which spreadsheets name the delimiter: `sep=;`. */
const SEPARATOR_LINE = /^sep=(.)(\r\n|\n|\r|$)/i;

/** @returns the delimiter of a first line `sep=X`, and the length of the line; null if there is none */
export function readSeparatorLine(
  text: string,
): { readonly separator: string; readonly length: number } | null {
  const match = SEPARATOR_LINE.exec(text);
  return match === null ? null : { separator: match[1] ?? '', length: match[0].length };
}
