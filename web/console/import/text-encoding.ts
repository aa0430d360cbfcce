/** Text encodings of files. */

/** Names for TextDecoder (https://encoding.spec.whatwg.org/), and labels. */
export const ENCODINGS: readonly (readonly [encoding: string, label: string])[] = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Western European (Windows-1252)'],
  ['windows-1250', 'Central European (Windows-1250)'],
  ['windows-1251', 'Cyrillic (Windows-1251)'],
  ['windows-1253', 'Greek (Windows-1253)'],
  ['windows-1254', 'Turkish (Windows-1254)'],
  ['windows-1255', 'Hebrew (Windows-1255)'],
  ['windows-1256', 'Arabic (Windows-1256)'],
  ['shift_jis', 'Japanese (Shift JIS)'],
  ['gb18030', 'Chinese (GB 18030)'],
  ['utf-16le', 'UTF-16, little-endian'],
  ['utf-16be', 'UTF-16, big-endian'],
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
