import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { csvRejections } from '../../src/transfer/rejected-rows.ts';
import { RejectedRows } from '../../src/cli/rejected-rows.ts';
import type { RejectedRow } from '../../src/transfer/import/report.ts';

const TABLE = csvRejections({ columns: ['Name', 'Address'], delimiter: ',' }, []);

describe('rejected rows', () => {
  let folder: string;
  let written: string;
  let restore: () => void;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'map-locations-rejected-'));
    written = '';
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text: string | Uint8Array) => {
      written += String(text);
      return true;
    };
    restore = () => (process.stderr.write = write);
  });
  afterEach(() => {
    restore();
    rmSync(folder, { recursive: true });
  });

  const hostile: RejectedRow & { cells: readonly string[] } = {
    line: 3,
    cells: ['\u001b]0;owned\u0007\u001b[2J', 'first\nline 9: STORED: nothing is wrong'],
    code: 'ADDRESS_NOT_FOUND',
    reason: 'No such address: \u001b[2J\u009b31m\u202e\u2066first\nline 9: STORED: nothing is wrong\r\u007f',
  };

  it('are listed on stderr, one per line without control characters, when their file cannot be written', async () => {
    const rows = new RejectedRows(join(folder, 'no such folder/\u001b[31m.rejected.csv'), () => {});
    await rows.begin(TABLE, null);
    await rows.add(hostile);
    await rows.add({ ...hostile, line: 5 });
    await rows.close();
    expect(written).not.toMatch(/[^\n\P{C}]/u);
    const [complaint, third, fifth, ...more] = written.split('\n');
    expect(complaint).toContain('cannot be written, so rejected rows are listed here: Error: ENOENT');
    expect(third).toBe(
      String.raw`line 3: ADDRESS_NOT_FOUND: No such address: \u001b[2J\u009b31m\u202e\u2066first\nline 9: STORED: nothing is wrong\u000d\u007f`,
    );
    expect(fifth).toMatch(/^line 5: ADDRESS_NOT_FOUND: /);
    expect(more).toEqual(['']);
    expect(rows.isWritten).toBe(false);
  });

  it('are written to their file unchanged', async () => {
    const path = join(folder, 'a.rejected.csv');
    const rows = new RejectedRows(path, () => {});
    await rows.begin(TABLE, null);
    await rows.add(hostile);
    await rows.close();
    expect(written).toBe('');
    const [name, address] = hostile.cells;
    expect(readFileSync(path, 'utf8')).toBe(
      `Name,Address,line,code,reason\n${name},"${address}",3,ADDRESS_NOT_FOUND,"${hostile.reason}"\n`,
    );
  });
});
