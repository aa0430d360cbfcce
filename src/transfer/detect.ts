/** Detects the format of a file from its content, else from its extension. */

import { Buffer } from 'node:buffer';

import { quote } from '../domain/text.ts';
import type { MapFormat } from './formats.ts';
import { formatOf, formatOfPath, MAP_FORMATS } from './formats.ts';
import type { Message } from './message.ts';
import { message } from './message.ts';
import type { ByteSource } from './reader.ts';
import { notText, UnreadableFileError } from './text/damage.ts';
import { decodeText } from './text/decode.ts';
import { peek } from './text/peek.ts';
import { rootNameOf } from './xml/root.ts';
import { seekable } from './zip/seekable.ts';

const HEAD_BYTES = 65_536;
/** A NUL in this many first characters means that the file is not text. */
const TEXT_START = 512;
/** Signatures of unsupported files, with advice. */
const REFUSED: readonly (readonly [signature: readonly number[], key: string, what: string])[] = [
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'oldExcel',
    'an old Excel file (.xls) or an encrypted file; save it as .xlsx without a password',
  ],
  [[0x1f, 0x8b], 'gzip', 'compressed with gzip; unpack it first'],
  [[0x25, 0x50, 0x44, 0x46], 'pdf', 'a PDF'],
];
const ZIP = [0x50, 0x4b];
/** Unsupported archives, by a file that each contains. */
const REFUSED_ARCHIVES: readonly (readonly [file: RegExp, key: string, what: string])[] = [
  [/(^|[/\\])workbook\.bin$/i, 'xlsb', 'a binary workbook (.xlsb); save it as .xlsx'],
  [/^content\.xml$/i, 'openDocument', 'an OpenDocument file, such as .ods; save it as .xlsx or CSV'],
  [/(^|[/\\])document\.xml$/i, 'docx', 'a text document (.docx); save its table as .xlsx or CSV'],
  [/^Index[/\\]/, 'numbers', 'an Apple Numbers file; export it as .xlsx or CSV'],
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
  if (refused !== undefined) throw refusal(refused[1], refused[2]);
  if (beginsWith(head, ZIP)) return detectArchive(rest);
  const text = await textOf(head, encoding);
  // A later NUL is damage, and the rows before it are valid.
  if (text.slice(0, TEXT_START).includes('\0')) {
    const nulByte = message('nulByte', 'it contains a NUL byte');
    throw new UnreadableFileError([notText(nulByte), formatList()], { isEncoding: true });
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
  const what = isHtml
    ? message('html', 'The file is a web page (HTML).')
    : message('otherXml', `The file is XML of another kind: its root element is ${quote(root ?? '')}.`, {
        root: root ?? '',
      });
  const advice = message('saveAsXlsx', 'If a spreadsheet opens it, save it there as .xlsx.');
  throw new UnreadableFileError([what, advice, formatList()]);
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
  const [, key, what] = refused ?? [null, 'otherArchive', 'a zip archive of another kind'];
  throw refusal(key, what);
}

/** @param what completes `The file is …` */
function refusal(key: string, what: string): UnreadableFileError {
  return new UnreadableFileError([message(key, `The file is ${what}.`), formatList()]);
}

/** A sentence that lists the supported formats. */
function formatList(): Message {
  const formats = MAP_FORMATS.map((name) => formatOf(name).label).join(', ');
  return message('formats', `Supported formats: ${formats}.`, { formats });
}
