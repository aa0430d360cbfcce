/** Detects the format of a file from its content, else from its extension. */

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
/** A NUL in this many first characters means that the file is not text. */
const TEXT_START = 512;
/** Signatures of unsupported files, with advice. */
const REFUSED: readonly (readonly [signature: readonly number[], what: string])[] = [
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'an old Excel file (.xls) or an encrypted file; save it as .xlsx without a password',
  ],
  [[0x1f, 0x8b], 'compressed with gzip; unpack it first'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
];
const ZIP = [0x50, 0x4b];
/** Unsupported archives, by a file that each contains. */
const REFUSED_ARCHIVES: readonly (readonly [file: RegExp, what: string])[] = [
  [/(^|[/\\])workbook\.bin$/i, 'a binary workbook (.xlsb); save it as .xlsx'],
  [/^content\.xml$/i, 'an OpenDocument file, such as .ods; save it as .xlsx or CSV'],
  [/(^|[/\\])document\.xml$/i, 'a text document (.docx); save its table as .xlsx or CSV'],
  [/^Index[/\\]/, 'an Apple Numbers file; export it as .xlsx or CSV'],
];

export interface Detected {
  readonly format: MapFormat;
  /** The file, from its first byte. */
  readonly source: ByteSource;
}

/**
 * @param encoding as in ReadOptions
 * @throws UnreadableFileError for content in none of the formats
 */
export async function detectFormat(source: ByteSource, encoding: string | null = null): Promise<Detected> {
  const { head, rest } = await headOf(source);
  const refused = REFUSED.find(([signature]) => beginsWith(head, signature));
  if (refused !== undefined) throw new UnreadableFileError(`The file is ${refused[1]}. ${formatList()}`);
  if (beginsWith(head, ZIP)) return detectArchive(rest);
  const text = await textOf(head, encoding);
  // A later NUL is damage, and the rows before it are valid.
  if (text.slice(0, TEXT_START).includes('\0')) {
    throw new UnreadableFileError(`The file is not text: it contains a NUL byte. ${formatList()}`, {
      isEncoding: true,
    });
  }
  const byContent = MAP_FORMATS.find((name) => formatOf(name).recognizesText?.(text));
  const format = byContent ?? textFormatOfPath(source.name) ?? 'csv';
  if (format === 'csv') assertNoMarkup(text);
  return { format, source: rest };
}

/** Some programs write HTML or XML under the name of a spreadsheet. @throws UnreadableFileError */
function assertNoMarkup(text: string): void {
  const root = rootNameOf(text);
  const isHtml = root !== null && /^(?:html|table)$/i.test(root);
  if (!isHtml && !/^\ufeff?\s*<\?xml\s/.test(text)) return;
  const what = isHtml ? 'a web page (HTML)' : `XML of another kind: its root element is ${quote(root ?? '')}`;
  throw new UnreadableFileError(
    `The file is ${what}. If a spreadsheet opens it, save it there as .xlsx. ${formatList()}`,
  );
}

/** Ignores the extensions of archives: the file is text. */
function textFormatOfPath(path: string): MapFormat | null {
  const name = formatOfPath(path);
  if (name === null) return null;
  const { recognizesArchive, recognizesText } = formatOf(name);
  return recognizesArchive !== undefined && recognizesText === undefined ? null : name;
}

/** Reads the start of a file, and keeps it readable from its first byte. */
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
  const chunks = async function* () {
    yield head;
  };
  try {
    for await (const chunk of decodeText(chunks(), encoding)) text += Buffer.from(chunk).toString();
  } catch {
    // Damage is reported when the whole file is read.
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
  const what = refused?.[1] ?? 'a zip archive of another kind';
  throw new UnreadableFileError(`The file is ${what}. ${formatList()}`);
}

/** A sentence that lists the supported formats. */
export function formatList(): string {
  const labels = MAP_FORMATS.map((name) => formatOf(name).label);
  return `Supported formats: ${labels.join(', ')}.`;
}
