import fc from 'fast-check';

import { readOwnTable, tableColumns } from '../../../src/transfer/columns/own-table.ts';
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

describe('a whole map as a table', () => {
  it('has our columns, the fields and more', () => {
    expect(tableColumns(['Name', 'Address'])).toEqual([
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

  it('gives ours a $ for each column of the same name', () => {
    expect(tableColumns(['order', 'id', '$id', 'more', '$lng'])).toEqual([
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

  it('is told from its columns, whatever the fields are called', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 10 }), (fields) => {
        const columns = tableColumns(fields);
        expect(new Set(columns).size).toBe(columns.length);
        expect(readOwnTable(columns)).toEqual({
          fields: fields.map((field, index) => [6 + index, field]),
          moreAt: [columns.length - 1],
        });
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it('stays ours where somebody adds columns behind it, or takes more away', () => {
    const columns = tableColumns(['Name', 'more']);
    expect(readOwnTable([...columns, 'note'])).toEqual({
      fields: [
        [6, 'Name'],
        [7, 'more'],
        [9, 'note'],
      ],
      moreAt: [8],
    });
    expect(readOwnTable(tableColumns(['Name']).slice(0, -1))).toEqual({ fields: [[6, 'Name']], moreAt: [] });
  });

  it('is somebody else’s where the first columns are not exactly ours', () => {
    const own = tableColumns(['Name']);
    for (const columns of [
      own.slice(1),
      ['Name', ...own],
      own.with(0, '$id'),
      own.with(2, 'Order'),
      own.toSpliced(4, 1),
      [...own, 'id'],
      [],
    ]) {
      expect(readOwnTable(columns)).toBeNull();
    }
  });
});
