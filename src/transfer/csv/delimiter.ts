/** The character between two cells, and how it is recognized. */

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Those that exports are written with. */
export const EXPORT_DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

/** By the names that options take. */
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

/** Null for a name that is none of {@link DELIMITER_NAMES}. */
export function delimiterNamed(name: string): Delimiter | null {
  return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? null) : null;
}

/** The beginning of a table of ours, in which fields may be called anything. */
const EXPORT_HEADER = /^\s*\$*id([,;\t|])\$*externalId\1/;

/** Records that are looked at. */
const SAMPLE = 20;

/**
 * The character that divides the first records into equally many cells, two at least; of several the one that gives the
 * most cells. Where none does, the first of {@link DELIMITERS} that the header has outside quotes, else the comma.
 *
 * @returns null for text that has nothing but empty lines
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

/** The number of cells of the first records that are not empty. The last one may be cut, and counts only where it is alone. */
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

/** What spreadsheets write as the first line to name the delimiter: `sep=;`. */
const SEPARATOR_LINE = /^sep=(.)(\r\n|\n|\r|$)/i;

/** @returns the character that a first line `sep=X` names, and the length of that line; null where there is none */
export function readSeparatorLine(
  text: string,
): { readonly separator: string; readonly length: number } | null {
  const match = SEPARATOR_LINE.exec(text);
  return match === null ? null : { separator: match[1] ?? '', length: match[0].length };
}
