/** Streamed Features are those that JSON.parse finds. */

import fc from 'fast-check';

import { FileDamage, UnreadableFileError } from '../../../src/transfer/text/damage.ts';
import { readFeatures } from '../../../src/transfer/json/features.ts';
import type { JsonRecord } from '../../../src/transfer/json/json-lines.ts';
import { MAX_JSON_BYTES } from '../../../src/transfer/json/json-lines.ts';
import { inPieces } from '../csv/reading.ts';
import { propertyRuns } from '../../support/scope.ts';

interface Read {
  readonly records: JsonRecord[];
  readonly failure: unknown;
}

async function read(input: string | Buffer, sizes?: readonly number[]): Promise<Read> {
  const records: JsonRecord[] = [];
  try {
    for await (const record of readFeatures(inPieces(Buffer.from(input), sizes))) records.push(record);
  } catch (error) {
    return { records, failure: error };
  }
  return { records, failure: null };
}

const json = (value: unknown) => JSON.stringify(value);
const parsed = ({ records }: Read) => records.map(({ text }): unknown => JSON.parse(text ?? 'null'));

/** Text with everything that looks like structure. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('"', '\\', '\\"', '}', ']', '{[,', '\\u0022', 'features', '\u2028', '😀'),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value;
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 });
const file = fc
  .record({
    features: fc.array(value, { maxLength: 8 }),
    before: fc.dictionary(
      text.filter((key) => !['features', 'type'].includes(key)),
      value,
      { maxKeys: 3 },
    ),
    after: fc.dictionary(
      text.filter((key) => !['features', 'type'].includes(key)),
      value,
      { maxKeys: 3 },
    ),
    typeAt: fc.constantFrom('before', 'after', 'nowhere'),
    indent: fc.constantFrom(undefined, 1, '\t'),
    mark: fc.constantFrom('', '\ufeff'),
    around: fc.constantFrom('', ' \r\n\t'),
  })
  .map(({ features, before, after, typeAt, indent, mark, around }) => {
    const type = { type: 'FeatureCollection' };
    const collection = Object.fromEntries([
      ...Object.entries(typeAt === 'before' ? { ...type, ...before } : before),
      ['features', features],
      ...Object.entries(typeAt === 'after' ? { ...after, ...type } : after),
    ]);
    return mark + around + JSON.stringify(collection, null, indent) + around;
  });

describe('readFeatures', () => {
  it('yields the Features that JSON.parse finds, numbered from 1, wherever the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(file, sizes, async (content, cuts) => {
        const expected = (JSON.parse(content.replace(/^\ufeff/, '')) as { features: unknown[] }).features;
        const result = await read(content, cuts);
        expect(result.failure).toBeNull();
        expect(parsed(result)).toEqual(expected);
        expect(result.records.map(({ line }) => line)).toEqual(expected.map((_, index) => index + 1));
        const bytes = Buffer.from(content);
        for (const { text: own, end } of result.records) {
          expect(
            bytes
              .subarray(0, end)
              .toString()
              .endsWith(own ?? '?'),
          ).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never completes a file that JSON.parse refuses', async () => {
    await fc.assert(
      fc.asyncProperty(
        file,
        fc.nat(),
        fc.constantFrom('', '}', ']', ',', '"', '{', 'x', ':'),
        sizes,
        async (good, at, put, cuts) => {
          const index = at % good.length;
          // A lone surrogate has no UTF-8.
          const content = (good.slice(0, index) + put + good.slice(index + 1)).toWellFormed();
          const whole = attempt(() => JSON.parse(content.replace(/^\ufeff/, '')) as { features?: unknown });
          const result = await read(content, cuts);
          const bad = result.failure !== null || result.records.some(({ text: own }) => !isJson(own));
          if (whole === null) expect(bad).toBe(true);
          else if (!bad) expect(parsed(result)).toEqual(whole.features);
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });

  const unreadable: [name: string, content: string | Buffer, message: string][] = [
    ['an empty file', '', 'it ends before it is complete'],
    ['an empty object', '{}', 'it has no member "features"'],
    ['a Feature', json({ type: 'Feature', properties: {} }), 'its type is "Feature"'],
    ['a collection of another type', json({ type: 'Topology', features: [1] }), 'its type is "Topology"'],
    ['features that are no list', json({ type: 'FeatureCollection', features: {} }), '[ is missing'],
    ['another encoding', Buffer.from('{"features":["\xe9"]}', 'latin1'), 'The file is not text'],
    ['UTF-16', Buffer.from('{"features":[]}', 'utf16le'), 'a key is missing'],
    ['bytes', Buffer.from([0x89, 0x50, 0x4e, 0x47]), '{ is missing'],
  ];
  for (const [name, content, message] of unreadable) {
    it(`refuses a file before the first Feature: ${name}`, async () => {
      for (const cuts of [[1], [3], [1_000]]) {
        const { records, failure } = await read(content, cuts);
        expect(records).toEqual([]);
        expect(failure).toBeInstanceOf(UnreadableFileError);
        expect((failure as Error).message).toContain(message);
      }
    });
  }

  const damaged: [name: string, rest: string | Buffer, reason: string][] = [
    ['an end', '', 'it ends before it is complete'],
    ['an end within a Feature', ',{"a":', 'it ends before it is complete'],
    ['no comma', ' {}', ', is missing'],
    ['a comma too many', ',,3]}', 'a Feature is missing'],
    ['a comma at the end', ',]}', 'a Feature is missing'],
    ['something behind the end', ']} {}', 'it continues after its end'],
    ['a second list', '],"features":[]}', 'it has the member "features" twice'],
    ['another type behind', '],"type":"Topology"}', 'its type is "Topology"'],
    ['another encoding', Buffer.from(',"\xe9"]}', 'latin1'), 'it is not UTF-8'],
  ];
  for (const [name, rest, reason] of damaged) {
    it(`yields the Features before the damage: ${name}`, async () => {
      const content = Buffer.concat([Buffer.from('{"features":[{"a":1},"b"'), Buffer.from(rest)]);
      for (const cuts of [[1], [5], [1_000]]) {
        const result = await read(content, cuts);
        expect(parsed(result)).toEqual([{ a: 1 }, 'b']);
        expect(result.failure).toBeInstanceOf(FileDamage);
        expect(result.failure).toMatchObject({ line: 3, isEncoding: reason.includes('UTF-8') });
        expect((result.failure as FileDamage).reason).toContain(reason);
      }
    });
  }

  it('reports Features that are too long, without buffering them', async () => {
    const long = json('x'.repeat(MAX_JSON_BYTES));
    const { records, failure } = await read(`{"features":[1,${long},3],"long":${long}}`, [60_000]);
    expect(failure).toBeNull();
    expect(records.map(({ text: own }) => own)).toEqual(['1', null, '3']);
  });

  it('yields the Features before a read error', async () => {
    async function* failing() {
      yield Buffer.from('{"features":[1,');
      throw new Error('EIO');
    }
    const records: JsonRecord[] = [];
    const reading = (async () => {
      for await (const record of readFeatures(failing())) records.push(record);
    })();
    await expect(reading).rejects.toMatchObject({ line: 2, reason: expect.stringContaining('EIO') });
    expect(records).toHaveLength(1);
  });
});

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function isJson(own: string | null): boolean {
  return own !== null && attempt(() => [JSON.parse(own)]) !== null;
}
