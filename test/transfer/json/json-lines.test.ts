import fc from 'fast-check';

import { FileDamage } from '../../../src/transfer/text/damage.ts';
import type { JsonRecord } from '../../../src/transfer/json/json-lines.ts';
import { MAX_JSON_BYTES, readJsonLines } from '../../../src/transfer/json/json-lines.ts';
import { inPieces } from '../csv/reading.ts';
import { propertyRuns } from '../../support/scope.ts';

async function read(input: string | Buffer, sizes?: readonly number[]) {
  const records: JsonRecord[] = [];
  try {
    for await (const record of readJsonLines(inPieces(Buffer.from(input), sizes))) records.push(record);
  } catch (error) {
    return { records, failure: error };
  }
  return { records, failure: null };
}

const line = fc.oneof(
  fc.constantFrom('', ' \t', '{}', '{"a":"ü😀"}', 'no json'),
  fc.jsonValue().map((value) => JSON.stringify(value)),
);

describe('readJsonLines', () => {
  it('numbers the lines, wherever the bytes are cut and whatever the line ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 12 }),
        fc.constantFrom('', '\ufeff'),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        async (lines, mark, endsWithLineEnd, sizes) => {
          const parts = lines.map(([text, end], index) =>
            index === lines.length - 1 && !endsWithLineEnd ? text : text + end,
          );
          const content = parts.join('');
          // An empty line between a CR and an LF makes them one line end.
          fc.pre(!/\r\r\n|\r(?=\n)/.test(parts.map((part) => part.replace(/\r\n$/, '\0')).join('')));
          const { records, failure } = await read(mark + content, sizes);
          expect(failure).toBeNull();
          const expected = lines.flatMap(([text], index) => (text.trim() === '' ? [] : [[index + 1, text]]));
          expect(records.map((record) => [record.line, record.text])).toEqual(expected);
          const last = records.at(-1);
          if (last !== undefined) expect(last.end).toBeLessThanOrEqual(Buffer.byteLength(content));
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });

  it('yields the lines before the damage', async () => {
    const bad = Buffer.concat([Buffer.from('{}\n{"a":1}\n'), Buffer.from('"\xe9"\n3\n', 'latin1')]);
    for (const sizes of [[1], [4], [1_000]]) {
      const { records, failure } = await read(bad, sizes);
      expect(records.map(({ text }) => text)).toEqual(['{}', '{"a":1}']);
      expect(failure).toBeInstanceOf(FileDamage);
      expect(failure).toMatchObject({ line: 3, isEncoding: true });
    }
    const { records, failure } = await read(`1\n${'x'.repeat(2 * MAX_JSON_BYTES)}\n3\n`, [100_000]);
    expect(records.map(({ text }) => text)).toEqual(['1']);
    expect(failure).toMatchObject({ line: 2, isEncoding: false });
  });
});
