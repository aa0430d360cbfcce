/** In which encoding the text of a dropped file is. */

import { decodeText, likelyEncoding, markedEncoding } from '../../web/console/text-encoding.ts';

describe("a file's encoding", () => {
  it('is told by a byte order mark, which is no part of the text', () => {
    const utf16 = new Uint8Array([0xff, 0xfe, 0xe9, 0x00]);
    expect([markedEncoding(utf16), likelyEncoding(utf16)]).toEqual(['utf-16le', 'utf-16le']);
    expect(decodeText(utf16, 'utf-16le')).toBe('é');
    expect(decodeText(new TextEncoder().encode('\uFEFFé'), 'utf-8')).toBe('é');
  });

  it('is UTF-8 where the bytes can be that, and else what spreadsheets write', () => {
    expect(likelyEncoding(new TextEncoder().encode('Café'))).toBe('utf-8');
    const old = Uint8Array.from([0x43, 0x61, 0x66, 0xe9]);
    expect(markedEncoding(old)).toBeNull();
    expect(decodeText(old, likelyEncoding(old))).toBe('Café');
    expect(decodeText(old, 'utf-8')).toContain('\uFFFD');
  });
});
