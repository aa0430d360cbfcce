import fc from 'fast-check';

import { readExportTable, exportColumns } from '../../../src/transfer/columns/export-table.ts';
import { propertyRuns } from '../../support/scope.ts';

const name = fc.oneof(
  fc.constantFrom(
    'id',
    '$id',
    '$$id',
    'externalId',
    'order',
    '$order',
    'lat',
    'lng',
    'placeId',
    'more',
    '$more',
    '$$more',
    '',
  ),
  fc.string({ maxLength: 3 }),
);

describe('an exported table', () => {
  it('has the fixed columns, the fields and more', () => {
    expect(exportColumns(['Name', 'Address'])).toEqual([
      'id',
      'externalId',
      'order',
      'lat',
      'lng',
      'placeId',
      'Name',
      'Address',
      'more',
    ]);
  });

  it('prefixes a fixed column with $ for each field of the same name', () => {
    expect(exportColumns(['order', 'id', '$id', 'more', '$lng'])).toEqual([
      '$$id',
      'externalId',
      '$order',
      'lat',
      'lng',
      'placeId',
      'order',
      'id',
      '$id',
      'more',
      '$lng',
      '$more',
    ]);
  });

  it('is recognized by its columns, whatever the names of fields', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 10 }), (fields) => {
        const columns = exportColumns(fields);
        expect(new Set(columns).size).toBe(columns.length);
        expect(readExportTable(columns)).toEqual({
          fields: fields.map((field, index) => [6 + index, field]),
          moreAt: [columns.length - 1],
        });
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it('is still recognized with columns added at the end, or without more', () => {
    const columns = exportColumns(['Name', 'more']);
    expect(readExportTable([...columns, 'note'])).toEqual({
      fields: [
        [6, 'Name'],
        [7, 'more'],
        [9, 'note'],
      ],
      moreAt: [8],
    });
    expect(readExportTable(exportColumns(['Name']).slice(0, -1))).toEqual({
      fields: [[6, 'Name']],
      moreAt: [],
    });
  });

  it('is not recognized unless its first columns match exactly', () => {
    const own = exportColumns(['Name']);
    for (const columns of [
      own.slice(1),
      ['Name', ...own],
      own.with(0, '$id'),
      own.with(2, 'Order'),
      own.toSpliced(4, 1),
      [...own, 'id'],
      [],
    ]) {
      expect(readExportTable(columns)).toBeNull();
    }
  });
});
