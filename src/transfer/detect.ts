/** Tells the format of a file: by its content, then by its extension. */

import { Buffer } from 'node:buffer';

import { quote } from '../domain/text.ts';
import type { MapFormat } from './formats.ts';
import { formatOf, formatOfPath, MAP_FORMATS } from './formats.ts';
import type { ByteSource } from './reader.ts';
import { UnreadableFileError } from './text/damage.ts';
import { decodeText } from './text/decode.ts';
import { peek } from './text/peek.ts';
import { rootNameOf } from './xml/root.ts';
import { seekable } from './zip/seekable.ts';

const HEAD_BYTES = 65_536;
/** Characters in which a NUL says that the file is no text at all. */
const TEXT_START = 512;
/** What the bytes of a file begin with that cannot be read, and what to do instead. */
const REFUSED: readonly (readonly [signature: readonly number[], what: string])[] = [
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'an old Excel file (.xls) or a file that is encrypted; save it as .xlsx, without a password',
  ],
  [[0x1f, 0x8b], 'compressed with gzip; unpack it first'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
];
const ZIP = [0x50, 0x4b];
/** The same of archives, by a file that each of them holds. */
const REFUSED_ARCHIVES: readonly (readonly [file: RegExp, what: string])[] = [
  [/(^|[/\\])workbook\.bin$/i, 'a binary workbook (.xlsb); save it as .xlsx'],
  [/^content\.xml$/i, 'an OpenDocument file, such as .ods; save it as .xlsx or CSV'],
  [/(^|[/\\])document\.xml$/i, 'a text document (.docx); save its table as .xlsx or CSV'],
  [/^Index[/\\]/, 'of Apple Numbers; export it as .xlsx or CSV'],
];

export interface Detected {
  readonly format: MapFormat;
  /** The same file, from its first byte. */
  readonly source: ByteSource;
}

/**
 * @param encoding as in ReadOptions
 * @throws UnreadableFileError for content that is in none of the formats
 */
export async function detectFormat(source: ByteSource, encoding: string | null = null): Promise<Detected> {
  const { head, rest } = await headOf(source);
  const refused = REFUSED.find(([signature]) => beginsWith(head, signature));
  if (refused !== undefined) throw new UnreadableFileError(`The file is ${refused[1]}. ${formatList()}`);
  if (beginsWith(head, ZIP)) return detectArchive(rest);
  const text = await textOf(head, encoding);
  // Further on it is damage, and the rows before it are good.
  if (text.slice(0, TEXT_START).includes('\0')) {
    throw new UnreadableFileError(`The file is not text: it holds a NUL byte. ${formatList()}`, {
      isEncoding: true,
    });
  }
  const byContent = MAP_FORMATS.find((name) => formatOf(name).recognizesText?.(text));
  const format = byContent ?? textFormatOfPath(source.name) ?? 'csv';
  if (format === 'csv') assertNoMarkup(text);
  return { format, source: rest };
}

/** Programs write web pages and XML of their own under the names of tables. @throws UnreadableFileError */
function assertNoMarkup(text: string): void {
  const root = rootNameOf(text);
  const isHtml = root !== null && /^(?:html|table)$/i.test(root);
  if (!isHtml && !/^\ufeff?\s*<\?xml\s/.test(text)) return;
  const what = isHtml
    ? 'a web page (HTML)'
    : `XML of something else: its root element is ${quote(root ?? '')}`;
  throw new UnreadableFileError(
    `The file is ${what}. Where a spreadsheet opens it, save it there as .xlsx. ${formatList()}`,
  );
}

/** Whatever it is called, text is no archive. */
function textFormatOfPath(path: string): MapFormat | null {
  const name = formatOfPath(path);
  if (name === null) return null;
  const { recognizesArchive, recognizesText } = formatOf(name);
  return recognizesArchive !== undefined && recognizesText === undefined ? null : name;
}

/** Reads the beginning of a file, which can then be read from its first byte all the same. */
async function headOf(source: ByteSource): Promise<{ readonly head: Buffer; readonly rest: ByteSource }> {
  if (source.read !== null) return { head: Buffer.from(await source.read(0, HEAD_BYTES)), rest: source };
  const { head, chunks } = await peek(source.stream(), HEAD_BYTES);
  return { head, rest: { ...source, stream: () => chunks } };
}

function beginsWith(head: Buffer, signature: readonly number[]): boolean {
  return signature.every((byte, index) => head[index] === byte);
}

async function textOf(head: Buffer, encoding: string | null): Promise<string> {
  let text = '';
  const one = async function* () {
    yield head;
  };
  try {
    for await (const piece of decodeText(one(), encoding)) text += Buffer.from(piece).toString();
  } catch {
    // Damage is found, and said, where the whole file is read.
  }
  return text;
}

/** @throws UnreadableFileError */
async function detectArchive(given: ByteSource): Promise<Detected> {
  const source = await seekable(given);
  const { MAX_EXPANDED_BYTES, openZip } = await import('./zip/reader.ts');
  const archive = await openZip(source, { maxExpandedBytes: MAX_EXPANDED_BYTES });
  await archive.close();
  const format = MAP_FORMATS.find((name) => formatOf(name).recognizesArchive?.(archive.names));
  if (format !== undefined) return { format, source };
  const refused = REFUSED_ARCHIVES.find(([file]) => archive.names.some((name) => file.test(name)));
  const what = refused?.[1] ?? 'a zip archive of something else';
  throw new UnreadableFileError(`The file is ${what}. ${formatList()}`);
}

/** The formats that can be read, as a sentence. */
export function formatList(): string {
  const labels = MAP_FORMATS.map((name) => formatOf(name).label);
  return `These formats can be read: ${labels.join(', ')}.`;
}
