/** In which encoding a file's text is. */

/** Names of TextDecoder (https://encoding.spec.whatwg.org/), and what people call them. */
export const ENCODINGS: readonly (readonly [encoding: string, words: string])[] = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Western European (Windows-1252)'],
  ['windows-1250', 'Central European (Windows-1250)'],
  ['windows-1251', 'Cyrillic (Windows-1251)'],
  ['windows-1253', 'Greek (Windows-1253)'],
  ['windows-1254', 'Turkish (Windows-1254)'],
  ['shift_jis', 'Japanese (Shift JIS)'],
  ['gb18030', 'Chinese (GB 18030)'],
  ['utf-16le', 'UTF-16, little-endian'],
  ['utf-16be', 'UTF-16, big-endian'],
];

const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** That of the byte order mark, which is beyond doubt; null where there is none. */
export function markedEncoding(bytes: Uint8Array): string | null {
  return MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0] ?? null;
}

/** UTF-8 where the bytes can be that, which other text hardly ever is; else what old spreadsheets write. */
export function likelyEncoding(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes);
  if (marked !== null) return marked;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** Without a byte order mark. What is not in the encoding becomes U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}
