/** Damaged and malicious workbooks: the rows before the damage are read, and memory and time stay bounded. */

import { createHash, randomBytes } from 'node:crypto';

import fc from 'fast-check';

import { FileDamage, UnreadableFileError } from '../../../src/transfer/text/damage.ts';
import { propertyRuns, unlessChanged } from '../../support/scope.ts';
import { describeUnless } from '../../support/skip.ts';
import { fileOf, zipOf } from '../../support/zip.ts';
import { partsOf, readWorkbook, row, sheetXml, workbookOf } from './workbooks.ts';

const unchanged = unlessChanged('src/transfer', 'test/transfer', 'package-lock.json');

const header = row(1, 'Name');
const good = `${header}${row(2, 'a')}${row(3, 'b')}`;

/** The rows before the damage, and its description. */
async function damageOf(rows: string, options = {}) {
  const { rows: read, damage } = await readWorkbook(workbookOf({ sheets: [{ rows }] }), options);
  return { lines: read.map(({ line }) => line), line: damage?.line, reason: damage?.reason };
}

describe('a damaged sheet', () => {
  it.each([
    ['a row out of order', '<row r="3"/>', 4, 'row 3 follows row 3'],
    ['a row that has no such number', '<row r="1048577"/>', 4, 'a row has the number 1048577'],
    ['a row that is called nothing', '<row r="x"/>', 4, 'a row has the number x'],
    ['a cell out of order', '<row r="9"><c r="B9"/><c r="A9"/></row>', 4, 'cell A9 follows B9'],
    ['a cell that stands twice', '<row r="9"><c r="B9"/><c r="B9"/></row>', 4, 'cell B9 follows B9'],
    ['a cell beyond the sheet', '<row r="9"><c r="XFE9"/></row>', 4, 'a cell has the reference XFE9'],
    ['a cell that is called nothing', '<row r="9"><c r="9"/></row>', 4, 'a cell has the reference 9'],
    ['a tag that is not closed', '<row r="4"><c></row>', 4, 'its XML is invalid'],
    ['an unknown entity', '<row r="4"><c t="str"><v>&nbsp;</v></c></row>', 4, 'its XML is invalid'],
    [
      'a character that XML forbids',
      '<row r="4"><c t="str"><v>\u0001</v></c></row>',
      4,
      'its XML is invalid',
    ],
  ])('is read up to %s', async (_, rows, line, reason) => {
    const found = await damageOf(good + rows);
    expect(found).toEqual({ lines: [2, 3], line, reason: expect.stringContaining(reason) });
  });

  it('is read up to the end of truncated XML', async () => {
    const xml = sheetXml(good);
    const { rows, damage } = await readWorkbook(
      workbookOf({ sheets: [{ rows: '' }], parts: { 'xl/worksheets/sheet1.xml': xml.slice(0, -40) } }),
    );
    expect([rows.length, damage?.line]).toEqual([1, 3]);
  });

  it('is refused if the header is damaged, and reported as damage if the first row is', async () => {
    await expect(damageOf('<row r="1"><c><v>1</c></row>')).rejects.toThrow(UnreadableFileError);
    expect(await damageOf(`${header}<row r="2"><c><v>1</c></row>`)).toMatchObject({ lines: [], line: 2 });
  });

  it('must be UTF-8', async () => {
    const bytes = Buffer.from(sheetXml(good.replace('b<', '\u00ff<')), 'latin1');
    const file = workbookOf({ sheets: [{ rows: '' }], bytes: { 'xl/worksheets/sheet1.xml': bytes } });
    await expect(readWorkbook(file)).rejects.toThrow('its XML is not UTF-8');
  });

  it('is read up to the damage of its archive', async () => {
    // Fixed bytes, because they decide which check finds the damage.
    const noise = (index: number) => createHash('sha512').update(String(index)).digest('hex').slice(0, 80);
    const rows = header + Array.from({ length: 5000 }, (_, index) => row(index + 2, noise(index))).join('');
    const file = workbookOf({ sheets: [{ rows }] });
    file.fill(0xff, file.length - 100_000, file.length - 99_000);
    const { rows: read, damage } = await readWorkbook(file);
    expect(read.length).toBeGreaterThan(1000);
    // The damage may show in the content before the checksum is known.
    expect(damage).toMatchObject({
      line: read.length + 2,
      reason: expect.stringMatching(/damaged|invalid|follows/),
    });
  });
});

it.each(['xl/worksheets/sheet1.xml', 'xl/workbook.xml', 'xl/styles.xml', '_rels/.rels'])(
  'a document type is refused: %s',
  async (part) => {
    const parts = partsOf({ sheets: [{ rows: good }] });
    const type = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>';
    const xml = `${type}${parts[part]?.replace(/^<\?xml.*?\?>/, '')}`;
    const file = workbookOf({ sheets: [{ rows: good }], parts: { [part]: xml } });
    await expect(readWorkbook(file)).rejects.toThrow(/document type \(DOCTYPE\)/);
  },
);

describeUnless(unchanged, 'a bomb', () => {
  /** Peak growth of resident memory, in MiB. */
  async function peakOf(work: () => Promise<unknown>): Promise<number> {
    globalThis.gc?.();
    const before = process.memoryUsage.rss();
    let peak = before;
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 1);
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
    return (peak - before) / 1024 / 1024;
  }

  const repeated = (start: string, piece: string, bytes: number, end = '') =>
    Buffer.concat([Buffer.from(start), Buffer.alloc(bytes, piece), Buffer.from(end)]);
  /** An archive with these bytes as a part, by default the sheet. */
  const bombOf = (bytes: Buffer, part = 'xl/worksheets/sheet1.xml', saidSize = bytes.length) => {
    const parts: Record<string, string | Buffer | null> = {
      ...partsOf({ sheets: [{ rows: good }], strings: ['<t>a</t>'] }),
      [part]: bytes,
      // Keeps the expansion ratio below its limit.
      noise: randomBytes(2 * 1024 * 1024),
    };
    return zipOf(
      Object.entries(parts).flatMap(([name, content]) =>
        content === null ? [] : [{ name, content, ...(name === part && { saidSize }) }],
      ),
    );
  };
  const SIZE = 150 * 1024 * 1024;
  const start = sheetXml(`${good}@`).split('@')[0] ?? '';

  it.each([
    ['of one long text', repeated(`${start}<row r="4"><c t="str"><v>`, ' ', SIZE), /over 1048576 characters/],
    ['of one long tag', repeated(`${start}<row r="4" x="`, ' ', SIZE), /over 1048576 characters/],
    ['of attributes', repeated(`${start}<row `, 'x ', SIZE), /over 1048576 characters|invalid/],
    ['of one long comment', repeated(`${start}<!--`, ' ', SIZE), /over 1048576 characters/],
    ['of depth', repeated(start, '<row><c>', SIZE), /over 64 levels deep|invalid/],
    [
      'of texts in one cell',
      repeated(`${start}<row r="4"><c t="inlineStr"><is>`, `<r><t>${'x'.repeat(1000)}</t></r>`, SIZE),
      /over 1048576 characters/,
    ],
  ])('%s is stopped, and the rows before it are read', async (_, bytes, message) => {
    const file = bombOf(bytes);
    const peak = await peakOf(async () => {
      const { rows, damage } = await readWorkbook(file);
      expect(rows.map(({ line }) => line)).toEqual([2, 3]);
      expect(damage?.reason).toMatch(message);
    });
    expect(peak).toBeLessThan(150);
  });

  it('of shared strings is refused', async () => {
    const sst = '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">';
    const file = bombOf(
      repeated(sst, `<si><t>${'x'.repeat(1000)}</t></si>`, 220 * 1024 * 1024),
      'xl/sharedStrings.xml',
    );
    const peak = await peakOf(async () => {
      await expect(readWorkbook(file)).rejects.toThrow(
        /shared strings exceed 201326592 bytes|invalid|damaged/,
      );
    });
    expect(peak).toBeLessThan(300);
  });

  it('that declares its size is refused before it is unpacked', async () => {
    const file = workbookOf({ sheets: [{ rows: `${good}<row r="4">${' '.repeat(50_000_000)}</row>` }] });
    await expect(readWorkbook(file)).rejects.toThrow(/is 200 times its size/);
  });

  it('with a false size is stopped when it exceeds the declared one', async () => {
    const file = bombOf(repeated(start, '<!---->', SIZE), undefined, 1_000_000);
    const { rows, damage } = await readWorkbook(file);
    expect(rows).toHaveLength(2);
    expect(damage?.reason).toBe('the archive is damaged (Invalid uncompressed size)');
  });

  it('of one text in many cells is stopped', async () => {
    const strings = [`<t>${'x'.repeat(1_000_000)}</t>`];
    const cells = '<c t="s"><v>0</v></c>';
    const wide = `${header}<row r="2">${cells.repeat(100)}</row>`;
    const long =
      header + Array.from({ length: 2000 }, (_, index) => `<row r="${index + 2}">${cells}</row>`).join('');
    const parts = { noise: randomBytes(1024 * 1024).toString('latin1') };
    const read = (rows: string) => readWorkbook(workbookOf({ sheets: [{ rows }], strings, parts }));
    expect((await read(wide)).damage?.reason).toBe('the row has over 16777216 characters');
    let last: FileDamage | null = null;
    const peak = await peakOf(async () => {
      last = (await read(long)).damage;
    });
    expect(last).toBeInstanceOf(FileDamage);
    expect(String(last)).toMatch('the cells of the sheet exceed 1073741824 bytes');
    expect(peak).toBeLessThan(300);
  });
});

describeUnless(unchanged, 'any workbook with any bytes changed or cut', () => {
  const noise = (index: number) => randomBytes(20).toString('base64') + index;
  const strings = Array.from({ length: 40 }, (_, index) => `<t>${noise(index)}</t>`);
  const rows = Array.from(
    { length: 60 },
    (_, index) =>
      `<row r="${index + 2}"><c t="s"><v>${index % 45}</v></c><c s="1"><v>${index * 700.5}</v></c><c t="inlineStr"><is><t>${noise(index)}</t></is></c></row>`,
  );
  const given = { sheets: [{ rows: row(1, 'A', 'B', 'C') + rows.join('') }], strings, formats: ['yyyy'] };
  const packed = workbookOf(given);
  /** Not compressed, so that changes hit the XML. */
  const stored = zipOf(
    Object.entries(partsOf(given)).flatMap(([name, content]) =>
      content === null ? [] : [{ name, content, isStored: true }],
    ),
  );

  async function read(bytes: Buffer): Promise<void> {
    try {
      const { rows: found, columns } = await readWorkbook(fileOf(bytes));
      for (const { cells, problem } of found)
        if (problem === null) expect(cells).toHaveLength(columns.length);
    } catch (error) {
      // Any other error is a crash.
      expect(error).toBeInstanceOf(UnreadableFileError);
    }
  }

  it.each([
    ['packed', packed],
    ['stored', stored],
  ])('is read, or refused with an expected error: %s', async (_, file) => {
    const changes = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { maxLength: 4 });
    const length = fc.oneof(
      { weight: 4, arbitrary: fc.constant(file.length) },
      { weight: 1, arbitrary: fc.nat(file.length) },
    );
    await fc.assert(
      fc.asyncProperty(changes, length, async (changed, end) => {
        const bytes = Buffer.from(file);
        for (const [at, byte] of changed) bytes[at] = byte;
        await read(bytes.subarray(0, end));
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it('is read, or refused, with any one bit flipped', async () => {
    for (let at = 0; at < packed.length; at += 5) {
      const bytes = Buffer.from(packed);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at);
      await read(bytes);
    }
  });
});
