/** How a choice of the user changes the mapping of a file's columns. */

import type { ReportedColumn } from '../../src/transfer/columns/column-report.ts';
import type { ColumnUse } from '../../src/transfer/columns/mapping.ts';
import { openImport } from '../../src/transfer/open-import.ts';
import { blobSource } from '../../web/console/import/blob-source.ts';
import type { Choices } from '../../web/console/import/import-choices.ts';
import { choose, targetOf, usesOf } from '../../web/console/import/import-choices.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName', isPublic: true },
  { name: 'Address', type: 'address', isPublic: true },
] as const;

async function columnsOf(header: string, uses: ReadonlyMap<string, ColumnUse> = new Map()) {
  const file = { name: 'a.csv', blob: new Blob([`${header}\n`]) };
  const source = await openImport(blobSource(file), FIELDS, { uses, allowsProblem: true });
  const { columns } = source.report();
  await source.close();
  return columns;
}

describe('choosing the target of a column', () => {
  const become = (columns: readonly ReportedColumn[]) =>
    columns.map(({ key, description }) => `${key}: ${description}`);
  const chosen = async (header: string, choices: Choices) =>
    become(await columnsOf(header, usesOf(choices, FIELDS)));

  it('frees the column that had the target, whose property gets a unique name', async () => {
    const header = 'Name,Title,Address';
    const columns = await columnsOf(header);
    expect(columns.map(targetOf)).toEqual(['field:Name', 'property', 'field:Address']);
    const { choices, reassigned } = choose(new Map(), columns, 'Title', 'field:Name');
    expect(reassigned).toEqual(['Name']);
    expect(await chosen(header, choices)).toEqual([
      'Name: property "Name (2)"',
      'Title: field "Name"',
      'Address: field "Address"',
    ]);
    const again = choose(choices, await columnsOf(header, usesOf(choices, FIELDS)), 'Name', 'field:Name');
    expect(again.reassigned).toEqual(['Title']);
    expect(await chosen(header, again.choices)).toEqual([
      'Name: field "Name"',
      'Title: property "Title"',
      'Address: field "Address"',
    ]);
  });

  it('keeps the other half of a pair, and allows no pair in addition to a point', async () => {
    const header = 'lat,lng,north,where';
    const columns = await columnsOf(header);
    const { choices, reassigned } = choose(new Map(), columns, 'north', 'latitude');
    expect(reassigned).toEqual(['lat']);
    expect(await chosen(header, choices)).toEqual([
      'lat: property "lat"',
      'lng: the longitude of the point',
      'north: the latitude of the point',
      'where: property "where"',
    ]);
    const point = choose(choices, await columnsOf(header, usesOf(choices, FIELDS)), 'where', 'point');
    expect(point.reassigned).toEqual(['lng', 'north']);
    expect(await chosen(header, point.choices)).toEqual([
      'lat: property "lat"',
      'lng: property "lng"',
      'north: property "north"',
      'where: the point',
    ]);
  });

  it('names columns without a header by letter', async () => {
    const header = 'Name,,';
    const { choices } = choose(new Map(), await columnsOf(header), 'Column C', 'field:Address');
    expect(await chosen(header, choices)).toEqual([
      'Name: field "Name"',
      'Column B: dropped: no header and no values',
      'Column C: field "Address"',
    ]);
  });
});
