/** In which calls a file's rows are sent, and what is told of each. */

import type { RowReport } from '../../web/console/import-run.ts';
import { batchesOf, countOutcomes, FileMemory, reportCsv } from '../../web/console/import-run.ts';

const sending = (place: number, externalId?: string, name = 'A') => ({
  place,
  input: { fields: { Name: name }, ...(externalId !== undefined && { externalId }) },
});
const placesOf = (batches: ReturnType<typeof batchesOf>) =>
  batches.map(({ isUpsert, rows }) => [isUpsert, ...rows.map(({ place }) => place)]);

describe('an import from a page', () => {
  it('sends rows in their order, no external id twice in a call, and those without one as new', () => {
    const rows = [sending(2, 'a'), sending(3, 'b'), sending(4, 'a'), sending(5), sending(6), sending(7, 'c')];
    expect(placesOf(batchesOf(rows, 'upsert', 100))).toEqual([
      [true, 2, 3],
      [true, 4],
      [false, 5, 6],
      [true, 7],
    ]);
    expect(placesOf(batchesOf(rows, 'create', 4))).toEqual([
      [false, 2, 3, 4, 5],
      [false, 6, 7],
    ]);
  });

  it('knows in a dry run what the rows above would have stored', () => {
    const report = (place: number): RowReport => ({ place, outcome: 'created', message: '' });
    const outcomesOf = (mode: 'create' | 'upsert') => {
      const memory = new FileMemory();
      const rows = [sending(2, 'a'), sending(3, 'a'), sending(4, 'a', 'B'), sending(5), sending(6)];
      return rows.map((row) => memory.judge(row, report(row.place), mode).outcome);
    };
    expect(outcomesOf('upsert')).toEqual(['created', 'unchanged', 'updated', 'created', 'created']);
    expect(outcomesOf('create')).toEqual(['created', 'CONFLICT', 'CONFLICT', 'created', 'created']);
  });

  it('counts what became of the rows', () => {
    const outcomes = ['created', 'updated', 'CONFLICT', 'created'];
    const reports = outcomes.map((outcome, place) => ({ place, outcome, message: '' }));
    expect(countOutcomes(reports)).toBe('2 created, 1 updated');
  });

  it('has a report that no spreadsheet takes for formulas', () => {
    const report = reportCsv([{ place: 2, outcome: 'BAD_USER_INPUT', message: '=1+"x"' }]);
    expect(report).toBe('row,outcome,message\r\n2,"BAD_USER_INPUT","\'=1+""x"""\r\n');
  });
});
