/** Text encodings of files. */

type EncodingUse =
  | 'western'
  | 'central'
  | 'cyrillic'
  | 'greek'
  | 'turkish'
  | 'hebrew'
  | 'arabic'
  | 'japanese'
  | 'chinese'
  | 'littleEndian'
  | 'bigEndian';

export interface Encoding {
  /** For TextDecoder (https://encoding.spec.whatwg.org/). */
  readonly name: string;
  readonly title: string;
  /** What it is for, as a part of a key; null if the title is enough. */
  readonly use: EncodingUse | null;
}

export const ENCODINGS: readonly Encoding[] = [
  { name: 'utf-8', title: 'UTF-8', use: null },
  { name: 'windows-1252', title: 'Windows-1252', use: 'western' },
  { name: 'windows-1250', title: 'Windows-1250', use: 'central' },
  { name: 'windows-1251', title: 'Windows-1251', use: 'cyrillic' },
  { name: 'windows-1253', title: 'Windows-1253', use: 'greek' },
  { name: 'windows-1254', title: 'Windows-1254', use: 'turkish' },
  { name: 'windows-1255', title: 'Windows-1255', use: 'hebrew' },
  { name: 'windows-1256', title: 'Windows-1256', use: 'arabic' },
  { name: 'shift_jis', title: 'Shift_JIS', use: 'japanese' },
  { name: 'gb18030', title: 'GB 18030', use: 'chinese' },
  { name: 'utf-16le', title: 'UTF-16', use: 'littleEndian' },
  { name: 'utf-16be', title: 'UTF-16', use: 'bigEndian' },
];

export const UTF_8 = 'utf-8';
/** The encoding of old spreadsheets. */
const LEGACY = 'windows-1252';

export interface LikelyEncoding {
  readonly encoding: string;
  /** Whether a byte order mark determines the encoding. */
  readonly isMarked: boolean;
}

/** UTF-8 if the bytes are valid UTF-8, which other text hardly ever is; otherwise the encoding of old spreadsheets. */
export async function likelyEncoding(chunks: AsyncIterable<Uint8Array>): Promise<LikelyEncoding> {
  const strict = new TextDecoder(UTF_8, { fatal: true, ignoreBOM: true });
  let isFirst = true;
  try {
    for await (const chunk of chunks) {
      const marked = isFirst ? markedEncoding(chunk) : null;
      if (marked !== null) return { encoding: marked, isMarked: true };
      isFirst = false;
      strict.decode(chunk, { stream: true });
    }
    strict.decode();
    return { encoding: UTF_8, isMarked: false };
  } catch (error) {
    // Other errors occur again when the file is opened, and are reported there.
    return { encoding: error instanceof TypeError ? LEGACY : UTF_8, isMarked: false };
  }
}

const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  [UTF_8, [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

function markedEncoding(head: Uint8Array): string | null {
  return MARKS.find(([, mark]) => mark.every((byte, index) => head[index] === byte))?.[0] ?? null;
}
