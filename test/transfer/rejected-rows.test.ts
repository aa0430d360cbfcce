import { countAddedColumns, csvRejections, rejectedPathOf } from '../../src/transfer/rejected-rows.ts';

describe('the file of rejected rows', () => {
  it('is next to the input', () => {
    expect(rejectedPathOf('data/museums.csv', 'csv')).toBe('data/museums.rejected.csv');
    expect(rejectedPathOf('MUSEUMS.CSV', 'csv')).toBe('MUSEUMS.rejected.csv');
    expect(rejectedPathOf('museums', 'csv')).toBe('museums.rejected.csv');
    expect(rejectedPathOf('museums.rejected.csv', 'csv')).toBe('museums.rejected.rejected.csv');
    // Rejected rows of a workbook are CSV.
    expect(rejectedPathOf('data/Museums.XLSX', 'csv')).toBe('data/Museums.rejected.csv');
  });

  it('has the format of the input', () => {
    expect(rejectedPathOf('data/museums.geojson', 'geojson')).toBe('data/museums.rejected.geojson');
    expect(rejectedPathOf('museums.json', 'geojson')).toBe('museums.json.rejected.geojson');
    expect(rejectedPathOf('museums.ndjson', 'ndjson')).toBe('museums.rejected.ndjson');
  });

  const added = ['line', 'code', 'reason'];

  it('is recognized by its name and columns', () => {
    expect(countAddedColumns('a.rejected.csv', ['Name', ...added], null, [])).toBe(3);
    expect(countAddedColumns('a.csv', ['Name', ...added], null, [])).toBe(0);
    expect(countAddedColumns('a.rejected.csv', ['Name', 'line', 'code'], null, [])).toBe(0);
    expect(countAddedColumns('a.rejected.csv', ['line', 'rejected line', 'code', 'reason'], null, [])).toBe(
      3,
    );
    expect(countAddedColumns('a.rejected.csv', ['line', ...added], null, [])).toBe(0);
  });

  it('is recognized by its columns and first row, under any name', () => {
    const count = (columns: string[], cells: string[]) =>
      countAddedColumns('mended.csv', columns, { cells }, []);
    expect(count(['Name', ...added], ['A', '12', 'ADDRESS_NOT_FOUND', 'No such address.'])).toBe(3);
    expect(count(['line', 'rejected line', 'code', 'reason'], ['x', '2', 'BAD_USER_INPUT', ''])).toBe(3);
    expect(count(['Name', ...added], ['A', '12', 'B7', 'because'])).toBe(0);
    expect(count(['Name', ...added], ['A', '', 'ADDRESS_NOT_FOUND', 'x'])).toBe(0);
    expect(count(['Name', ...added], ['A', '0', 'ADDRESS_NOT_FOUND', 'x'])).toBe(0);
    expect(count(['Name', ...added], ['A', '1', 'toString', 'x'])).toBe(0);
    expect(count(['Name', 'code', 'line', 'reason'], ['A', 'CONFLICT', '2', 'x'])).toBe(0);
  });

  it('is not recognized by columns that are fields of the map; its added columns then get other names', () => {
    const fields = [{ name: 'Name' }, { name: 'code' }];
    const columns = ['Name', ...added];
    const cells = ['A', '12', 'CONFLICT', 'x'];
    expect(countAddedColumns('mended.csv', columns, { cells }, fields)).toBe(0);
    expect(countAddedColumns('a.rejected.csv', columns, null, fields)).toBe(0);
    expect(csvRejections({ columns: ['Name'], delimiter: ',' }, fields).head).toBe(
      'Name,line,rejected code,reason\n',
    );
    const own = ['Name', 'line', 'rejected code', 'reason'];
    expect(countAddedColumns('mended.csv', own, { cells }, fields)).toBe(3);
  });
});
