/** Integers in JSON text that no double holds, compared with a parser that follows the grammar. */

import fc from 'fast-check';

import {
  findUnsafeInteger,
  quoteUnsafeIntegers,
  unsafeIntegerMessage,
} from '../../../src/domain/json/json-integers.ts';
import { propertyRuns } from '../../support/scope.ts';

const RUNS = { numRuns: propertyRuns(2_000) };
const UNSAFE = '9007199254740993';

describe('findUnsafeInteger', () => {
  for (const [text, path] of [
    [UNSAFE, ''],
    ['9007199254740992', ''],
    ['-9007199254740992', ''],
    [`9${'0'.repeat(400)}`, ''],
    [`[1,[2,${UNSAFE}]]`, '[1][1]'],
    [`{"a":{"b":[{},{"c":${UNSAFE}}]}}`, 'a.b[1].c'],
    [`[{"a":1,"b":[1,2]},{"c":{"d":1},"e": ${UNSAFE} }]`, '[1].e'],
    [`{"Shop id":${UNSAFE}}`, '["Shop id"]'],
    [`{"":{"a.b":{"\\u00e9\\"":${UNSAFE}}}}`, '[""]["a.b"]["é\\""]'],
    [`{"1234567890123456789":${UNSAFE}}`, '["1234567890123456789"]'],
    [`{"${'k'.repeat(61)}":${UNSAFE}}`, `["${'k'.repeat(57)}..."]`],
    [`{"a":[1,2],"b":"x,y:[{","c":${UNSAFE}}`, 'c'],
    [`{"a":"\\\\","b":"\\"","c":"\\\\\\"${UNSAFE}","d":${UNSAFE}}`, 'd'],
    [`{"a":${UNSAFE},"b":${UNSAFE}}`, 'a'],
    [` \n{ "a" :\t[ true , false , null , ${UNSAFE} ] } `, 'a[3]'],
  ] as const) {
    it(`finds it in ${text.slice(0, 70)}`, () => {
      expect(findUnsafeInteger(text)).toBe(path);
    });
  }

  for (const text of [
    '9007199254740991',
    '-9007199254740991',
    `"${UNSAFE}"`,
    `{"${UNSAFE}":1}`,
    `["\\"${UNSAFE}"]`,
    `${UNSAFE}.0`,
    `${UNSAFE}e0`,
    `[${UNSAFE}E+2]`,
    '0.12345678901234567890',
    '-0.12345678901234567890e-10',
    '1e400',
    '1.7976931348623157e308',
    '[]',
    '{}',
    '',
  ]) {
    it(`finds nothing in ${text}`, () => {
      expect(findUnsafeInteger(text)).toBeNull();
      expect(quoteUnsafeIntegers(text)).toEqual({ text, paths: [] });
    });
  }

  for (const text of [
    `{"a":${UNSAFE}`,
    `{"a":${UNSAFE}}}`,
    `[${UNSAFE},]`,
    `{${UNSAFE}:1}`,
    `0${UNSAFE}`,
    `+${UNSAFE}`,
    `-${UNSAFE}-`,
    `]${UNSAFE}`,
    `:${UNSAFE}`,
    `{"\\x":${UNSAFE}}`,
    `"${UNSAFE}`,
    `\ufeff[${UNSAFE}]`,
    `{"a":${UNSAFE},"b":"\\`,
  ]) {
    it(`finds nothing in invalid JSON: ${text}`, () => {
      expect(findUnsafeInteger(text)).toBeNull();
      expect(quoteUnsafeIntegers(text)).toEqual({ text, paths: [] });
    });
  }

  it('begins the path with the name of the root', () => {
    expect(findUnsafeInteger(`{"a":${UNSAFE}}`, 'variables')).toBe('variables.a');
    expect(findUnsafeInteger(`[${UNSAFE}]`, 'variables')).toBe('variables[0]');
    expect(findUnsafeInteger(UNSAFE, 'variables')).toBe('variables');
  });

  it('reads unlimited nesting, and reports a short path', () => {
    const levels = 500_000;
    const arrays = `${'['.repeat(levels)}${UNSAFE}${']'.repeat(levels)}`;
    expect(findUnsafeInteger(arrays)).toBe(`${'[0]'.repeat(10)}…${'[0]'.repeat(10)}`);
    const objects = `${'{"a":'.repeat(levels)}${UNSAFE}${'}'.repeat(levels)}`;
    expect(findUnsafeInteger(objects)).toBe(`a${'.a'.repeat(9)}…${'.a'.repeat(10)}`);
  });

  it('finds a run of digits at any offset', () => {
    for (let spaces = 0; spaces < 40; spaces += 1) {
      expect(findUnsafeInteger(`[${' '.repeat(spaces)}${UNSAFE}]`)).toBe('[0]');
      expect(findUnsafeInteger(`["${' '.repeat(spaces)}"]`)).toBeNull();
    }
  });

  it('names the path without the digits', () => {
    expect(unsafeIntegerMessage('fields.id')).toBe(
      'fields.id is an integer beyond ±9007199254740991, which JSON numbers cannot hold exactly; send it as a string.',
    );
  });
});

describe('quoteUnsafeIntegers', () => {
  it('replaces each by a string of its digits, and nothing else', () => {
    const text = `{ "a" : [ ${UNSAFE}, 1, -${UNSAFE}, "${UNSAFE}", ${UNSAFE}.5 ], "b": { "c": 1e400, "d":${UNSAFE}0 } }`;
    expect(quoteUnsafeIntegers(text)).toEqual({
      text: `{ "a" : [ "${UNSAFE}", 1, "-${UNSAFE}", "${UNSAFE}", ${UNSAFE}.5 ], "b": { "c": 1e400, "d":"${UNSAFE}0" } }`,
      paths: ['a[0]', 'a[2]', 'b.d'],
    });
  });
});

/** A value that keeps the text of its numbers, so that no digit is lost. */
type Written =
  | { readonly literal: string }
  | string
  | boolean
  | null
  | readonly Written[]
  | { readonly members: readonly (readonly [string, Written])[] };

const digits = fc
  .array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: 24 })
  .map((all) => all.join('').replace(/^0+(?=.)/, ''));
const literal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      digits,
      fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String),
      fc.constantFrom('0', '1', '10'),
    ),
    fc.constantFrom('', '', '', '.5', '.1234567890123456789', 'e3', 'E-2', '.0e+1'),
  )
  .map((parts) => ({ literal: parts.join('') }));
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(UNSAFE, `\\${UNSAFE}`, `"${UNSAFE}`, '\\"', '{"a":', '],', '__proto__', 'a'),
);
const { written } = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    literal,
    text,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('written'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('written')), { maxLength: 4 }).map((members) => ({ members })),
  ),
}));

const BLANKS = ['', ' ', '\n', '\t\r '];

/** @param blank generates white space between tokens */
function write(value: Written, blank: string): string {
  const around = (token: string) => `${blank}${token}${blank}`;
  if (value === null || typeof value === 'boolean') return around(String(value));
  if (typeof value === 'string') return around(JSON.stringify(value));
  if (isList(value)) return around(`[${value.map((item) => write(item, blank)).join(',')}]`);
  if ('literal' in value) return around(value.literal);
  const members = value.members.map(
    ([key, member]) => `${around(JSON.stringify(key))}:${write(member, blank)}`,
  );
  return around(`{${members.join(',')}}`);
}

function isList(value: Written): value is readonly Written[] {
  return Array.isArray(value);
}

function isUnsafe({ literal: digitsOf }: { readonly literal: string }): boolean {
  if (!/^-?\d+$/.test(digitsOf)) return false;
  const value = BigInt(digitsOf);
  return value > 9007199254740991n || value < -9007199254740991n;
}

/** The same value with strings in place of unsafe integers; adds their paths to `paths`. */
function quoted(value: Written, path: string, paths: string[]): Written {
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((item, index) => quoted(item, `${path}[${index}]`, paths));
  if ('literal' in value) {
    if (!isUnsafe(value)) return value;
    paths.push(path.replace(/^\./, ''));
    return value.literal;
  }
  return {
    members: value.members.map(([key, member]) => {
      const step = /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key.toWellFormed())}]`;
      return [key, quoted(member, path + step, paths)] as const;
    }),
  };
}

describe('any JSON', () => {
  it('has exactly its unsafe integers found', () => {
    fc.assert(
      fc.property(written, fc.constantFrom(...BLANKS), (value, blank) => {
        const json = write(value, blank);
        const paths: string[] = [];
        const expected = write(quoted(value, '', paths), blank);
        expect(quoteUnsafeIntegers(json)).toEqual({ text: expected, paths });
        expect(findUnsafeInteger(json)).toBe(paths[0] ?? null);
      }),
      RUNS,
    );
  });

  it('is left unchanged if it is malformed', () => {
    fc.assert(
      fc.property(
        written,
        fc.nat(),
        fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '1'),
        (value, at, junk) => {
          const json = write(value, '');
          const index = at % (json.length + 1);
          const damaged = json.slice(0, index) + junk + json.slice(index + 1);
          fc.pre(!isJson(damaged));
          expect(quoteUnsafeIntegers(damaged)).toEqual({ text: damaged, paths: [] });
          expect(findUnsafeInteger(damaged)).toBeNull();
        },
      ),
      RUNS,
    );
  });
});

function isJson(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
