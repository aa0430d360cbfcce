/** Each reader gives a clear error or rejected rows for a damaged file, and counts all rows. */

import fc from 'fast-check';

import { ServiceError } from '../../src/errors.ts';
import { formatOf, MAP_FORMATS } from '../../src/transfer/formats.ts';
import type { MapFormat } from '../../src/transfer/formats.ts';
import { openImport } from '../../src/transfer/open-import.ts';
import type { ByteSource } from '../../src/transfer/reader.ts';
import { FileDamage, UnreadableFileError } from '../../src/transfer/text/damage.ts';
import { exportedFile } from '../support/exported-file.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Note', type: 'text' },
] as const;
const LOCATIONS = 40;

/** Ways to damage a file. */
type Damage =
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'flip'; readonly at: readonly number[]; readonly bit: number }
  | { readonly kind: 'repeat'; readonly from: number; readonly length: number }
  | { readonly kind: 'encode'; readonly as: 'utf16le' | 'latin1' };

const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: position }),
  fc.record({
    kind: fc.constant('flip' as const),
    at: fc.array(position, { minLength: 1, maxLength: 8 }),
    bit: fc.integer({ min: 0, max: 7 }),
  }),
  fc.record({
    kind: fc.constant('repeat' as const),
    from: position,
    length: fc.integer({ min: 1, max: 400 }),
  }),
  fc.record({
    kind: fc.constant('encode' as const),
    as: fc.constantFrom('utf16le' as const, 'latin1' as const),
  }),
);

function damaged(file: Buffer, damage: Damage): Buffer {
  switch (damage.kind) {
    case 'cut':
      return file.subarray(0, Math.floor(damage.at * file.length));
    case 'flip': {
      const copy = Buffer.from(file);
      for (const at of damage.at) {
        const index = Math.floor(at * copy.length);
        copy[index] = (copy[index] ?? 0) ^ (1 << damage.bit);
      }
      return copy;
    }
    case 'repeat': {
      const from = Math.floor(damage.from * file.length);
      const end = from + damage.length;
      return Buffer.concat([file.subarray(0, end), file.subarray(from, end), file.subarray(end)]);
    }
    case 'encode':
      return Buffer.from(file.toString(), damage.as);
  }
}

function sourceOf(name: string, bytes: Buffer, isPipe: boolean): ByteSource {
  return {
    name,
    size: isPipe ? null : bytes.length,
    async *stream() {
      for (let at = 0; at < bytes.length; at += 777) yield bytes.subarray(at, at + 777);
    },
    // A Uint8Array, as in a browser.
    read: isPipe ? null : async (offset, length) => new Uint8Array(bytes.subarray(offset, offset + length)),
  };
}

/** Reads the whole file. @returns the number of rows, of which some may be rejected */
async function readAll(source: ByteSource, format: MapFormat | null): Promise<number | 'refused'> {
  try {
    const file = await openImport(source, FIELDS, { format });
    let rows = 0;
    let line = 0;
    try {
      for await (const row of file.rows) {
        const input = file.readRow(row);
        if (input instanceof ServiceError) expect(input.message).not.toBe('');
        else expect(typeof input.fields).toBe('object');
        expect(row.line).toBeGreaterThan(line);
        line = row.line;
        rows += 1;
      }
    } catch (error) {
      if (!(error instanceof FileDamage)) throw error;
      expect(error.reason).not.toBe('');
    }
    file.report();
    await file.close();
    return rows;
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    expect(error.message).toMatch(/\.$/);
    return 'refused';
  }
}

describe('a damaged file', () => {
  for (const format of MAP_FORMATS) {
    it(`is refused, or read up to the damage: ${format}`, async () => {
      const whole = await exportedFile(format, FIELDS, LOCATIONS);
      const name = `a.${formatOf(format).extensions[0]}`;
      expect(await readAll(sourceOf(name, whole, false), null)).toBe(LOCATIONS);
      const before = process.memoryUsage().rss;
      await fc.assert(
        fc.asyncProperty(
          fc.array(damage, { minLength: 1, maxLength: 2 }),
          fc.boolean(),
          fc.boolean(),
          async (all, isPipe, isNamed) => {
            const bytes = all.reduce(damaged, whole);
            const rows = await readAll(sourceOf(name, bytes, isPipe), isNamed ? format : null);
            // A repeated part adds a few rows.
            if (rows !== 'refused') expect(rows).toBeLessThan(3 * LOCATIONS);
          },
        ),
        { numRuns: 300 },
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    });
  }
});
