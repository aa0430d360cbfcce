import { parseExpiry } from '../../src/cli/options.ts';
import { formatTable, printable } from '../../src/cli/output.ts';
import { createImportProgress } from '../../src/cli/progress.ts';

describe('printable', () => {
  it('escapes only characters that control a terminal', () => {
    const obeyed = [
      ...range(0x00, 0x1f),
      ...range(0x7f, 0x9f),
      ...range(0x2028, 0x202e),
      ...range(0x2066, 0x2069),
    ];
    const codes = range(0x0000, 0xffff);
    const isEscaped = (code: number) => printable(String.fromCharCode(code)) !== String.fromCharCode(code);
    expect(codes.filter(isEscaped)).toEqual(obeyed);
    expect(printable('\u001b[2J\u009b2J\tone\ntwo\r\u202edlrow')).toBe(
      String.raw`\u001b[2J\u009b2J\tone\ntwo\u000d\u202edlrow`,
    );
    expect(printable('Café 東京 😀 \\n')).toBe('Café 東京 😀 \\n');
  });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

describe('formatTable', () => {
  const rows = [
    ['1', 'a\tname'],
    ['12345', '\u001b[31mred\n'],
  ];

  it('separates cells by tabs for a program, with each row on one line', () => {
    expect(formatTable(['id', 'name'], rows, false)).toBe(
      String.raw`id	name` + '\n' + String.raw`1	a\tname` + '\n' + String.raw`12345	\u001b[31mred\n`,
    );
  });

  it('aligns columns for a person', () => {
    expect(formatTable(['id', 'name'], rows, true).split('\n')).toEqual([
      'id     name',
      String.raw`1      a\tname`,
      String.raw`12345  \u001b[31mred\n`,
    ]);
  });
});

describe('the progress of an import', () => {
  const record = (isTTY: boolean, totalBytes: number) => {
    const written: string[] = [];
    let now = 0;
    const output = { isTTY, columns: 60, write: (text: string) => written.push(text) };
    const progress = createImportProgress(totalBytes, { output, clock: () => now });
    const at = (milliseconds: number, bytes: number) => {
      now = milliseconds;
      progress.update({ stored: bytes / 10, rejected: 1, bytes });
    };
    return { written, at, clear: progress.clear };
  };

  it('redraws one bar on a terminal, at most ten times a second, and removes it', () => {
    const { written, at, clear } = record(true, 1000);
    for (let time = 0; time <= 1000; time += 10) at(time, time / 2);
    expect(written.length).toBe(10);
    expect(written.at(-1)).toContain(`\r\u001b[K[${'█'.repeat(12)}${'░'.repeat(12)}] 50 %, 50 stored`);
    for (const text of written) expect(text.length).toBeLessThanOrEqual('\r\u001b[K'.length + 59);
    // The first seconds give no estimate.
    expect(written.at(-2)).not.toContain('left');
    clear();
    clear();
    expect(written.slice(10)).toEqual(['\r\u001b[K']);
  });

  it('estimates the remaining time from the time taken', () => {
    const { written, at } = record(true, 1000);
    at(10_000, 250);
    expect(written.at(-1)).toContain('] 30 s left, 25 %');
    at(100_000, 500);
    expect(written.at(-1)).toContain('] 1 min 40 s left, 50 %');
    at(10_000_000, 500);
    expect(written.at(-1)).toContain('] 2 h 46 min left, 50 %');
    at(10_000_200, 1000);
    expect(written.at(-1)).not.toContain('left');
  });

  it('draws no bar for an input of unknown size', () => {
    const { written, at } = record(true, 0);
    at(200, 100);
    expect(written).toEqual(['\r\u001b[K10 stored, 1 rejected, 55 rows/s']);
  });

  it('writes a line every few seconds without a terminal', () => {
    const { written, at, clear } = record(false, 1000);
    for (let time = 0; time <= 11_000; time += 100) at(time, 100);
    clear();
    expect(written).toHaveLength(2);
    expect(written[0]).toBe('10 %, 10 stored, 1 rejected, 2 rows/s\n');
  });
});

describe('parseExpiry', () => {
  const times: [text: string, iso: string | null][] = [
    ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.000Z'],
    ['2030-01-31t12:00:00.5z', '2030-01-31T12:00:00.500Z'],
    ['2030-01-31T12:00+02:00', '2030-01-31T10:00:00.000Z'],
    ['2030-01-31T23:30:15-0130', '2030-02-01T01:00:15.000Z'],
    ['2030-01-31T12:00+02', '2030-01-31T10:00:00.000Z'],
    ['2030-01-31', '2030-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2030-02-29', null],
    ['2030-13-01', null],
    ['2030-01-31T24:00Z', null],
    ['2030-01-31T12:60Z', null],
    ['2030-01-31T12:00', null],
    ['2030-01-31T12:00+24:00', null],
    ['2030-01-31 12:00Z', null],
    ['31.1.2030', null],
    ['1900000000', null],
    ['', null],
  ];
  for (const [text, iso] of times) {
    it(`${iso === null ? 'refuses' : 'reads'} ${JSON.stringify(text)}`, () => {
      const time = parseExpiry(text);
      expect(time === null ? null : new Date(time).toISOString()).toBe(iso);
    });
  }
});
