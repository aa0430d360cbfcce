import fc from 'fast-check';

import { decodeText, encodingNamed } from '../../../src/transfer/text/decode.ts';
import { TextDamage } from '../../../src/transfer/text/lines.ts';
import { inPieces } from '../csv/reading.ts';

async function decode(bytes: Buffer, named: string | null, sizes?: readonly number[]) {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of decodeText(inPieces(bytes, sizes), named)) pieces.push(piece);
  } catch (error) {
    return { text: Buffer.concat(pieces).toString(), failure: error };
  }
  return { text: Buffer.concat(pieces).toString(), failure: null };
}

/** windows-1252 (https://encoding.spec.whatwg.org/index-windows-1252.txt), as far as it differs from ISO 8859-1. */
const CP1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 });

describe('decodeText', () => {
  it('accepts the labels of TextDecoder', () => {
    expect(['cp1252', 'CP1252', 'latin1', 'utf-16', 'UTF8', 'sjis'].map(encodingNamed)).toEqual([
      'windows-1252',
      'windows-1252',
      'windows-1252',
      'utf-16le',
      'utf-8',
      'shift_jis',
    ]);
    expect(['cp99', '', 'utf-32'].map(encodingNamed)).toEqual([null, null, null]);
  });

  it('decodes every byte of windows-1252, wherever it is cut', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const latin1 = bytes.toString('latin1');
    const expected = latin1.slice(0, 0x80) + CP1252 + latin1.slice(0xa0);
    for (const cuts of [[1], [7], [256]]) {
      expect(await decode(bytes, 'windows-1252', cuts)).toEqual({ text: expected, failure: null });
    }
  });

  it('decodes UTF-16 by its mark or name, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), sizes, async (text, cuts) => {
        fc.pre(!text.startsWith('\ufeff'));
        const little = (some: string) => Buffer.from(some, 'utf16le');
        const big = (some: string) => little(some).swap16();
        for (const [bytes, named] of [
          [little(`\ufeff${text}`), null],
          [big(`\ufeff${text}`), null],
          [little(`\ufeff${text}`), 'windows-1252'],
          [little(text), 'utf-16le'],
          [big(text), 'utf-16be'],
        ] as const) {
          expect(await decode(bytes, named, cuts)).toEqual({ text, failure: null });
        }
      }),
    );
  });

  it('passes UTF-8 through, with or without a mark', async () => {
    const damaged = Buffer.from('a\xff\xfeb', 'latin1');
    for (const bytes of [damaged, Buffer.from('ü'), Buffer.alloc(0), Buffer.from([0xff])]) {
      expect((await decode(bytes, null, [1])).text).toBe(bytes.toString());
    }
    const marked = Buffer.from('\ufeffü');
    expect((await decode(marked, 'windows-1252', [1])).text).toBe('\ufeffü');
  });

  it('yields the text before invalid bytes', async () => {
    const cases: [bytes: Buffer, named: string, before: string][] = [
      [
        Buffer.concat([Buffer.from('good\n', 'utf16le'), Buffer.from([0x00, 0xd8, 0x41, 0x00])]),
        'utf-16le',
        'good\n',
      ],
      [Buffer.from('good\n\0', 'utf16le').subarray(0, 11), 'utf-16le', 'good\n'],
      [Buffer.from('good\n\x83', 'latin1'), 'shift_jis', 'good\n'],
    ];
    for (const [bytes, named, before] of cases) {
      for (const cuts of [[1], [4], [100]]) {
        const { text, failure } = await decode(bytes, named, cuts);
        expect(text).toBe(before);
        expect(failure).toBeInstanceOf(TextDamage);
        expect(failure).toMatchObject({ message: `it is not ${named}`, isEncoding: true });
      }
    }
  });
});
