/** What the console makes of files that are dropped on it. */

import { columnsOf, matchColumns, readRows, reportCsv, toInput } from '../../web/console/import-file.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName', isPublic: true },
  { name: 'Address', type: 'address', isPublic: true },
  { name: 'Seats', type: 'number', isPublic: true },
] as const;

describe('a file to import', () => {
  const inputsOf = async (name: string, text: string) => {
    const rows = await readRows(name, text);
    const matching = matchColumns(columnsOf(rows), FIELDS);
    return rows.map((row) => toInput(row, matching, FIELDS));
  };

  it('is a table, whose columns are matched without regard to case', async () => {
    const rows = await readRows('x.csv', '\uFEFFtitle;ADDRESS;seats;Extra\n"A\nB";S 1;12;x\n;S 2;many;\n');
    expect(rows.map(({ place }) => place)).toEqual([2, 4]);
    const matching = matchColumns(columnsOf(rows), FIELDS);
    expect(matching).toEqual({ title: 'Name', ADDRESS: 'Address', seats: 'Seats', Extra: 'Extra' });
    expect(rows.map((row) => toInput(row, { ...matching, Extra: null }, FIELDS))).toEqual([
      { fields: { Name: 'A\nB', Address: 'S 1', Seats: 12 } },
      { fields: { Address: 'S 2', Seats: 'many' } },
    ]);
  });

  it('is one of our own exports: with its points, external ids and what no cell can say', async () => {
    const csv =
      'id,externalId,order,lat,lng,placeId,Name,Address,Seats,more\r\ni1,e1,1,48.5,-9.25,p,A,S 1,2,"{""Tags"":[""a""]}"\r\n';
    const json = {
      features: [
        {
          externalId: 'e1',
          geometry: { type: 'Point', coordinates: [-9.25, 48.5] },
          properties: { Name: 'A', Address: 'S 1', Seats: 2, Tags: ['a'] },
        },
      ],
    };
    const line = {
      externalId: 'e1',
      latLngLiteral: { lat: '48.5', lng: '-9.25' },
      properties: json.features[0]?.properties,
    };
    const expected = [
      {
        fields: { Name: 'A', Address: 'S 1', Seats: 2, Tags: ['a'] },
        position: { latitude: 48.5, longitude: -9.25 },
        externalId: 'e1',
      },
    ];
    expect(await inputsOf('x.csv', csv)).toEqual(expected);
    expect(await inputsOf('x.geojson', JSON.stringify(json))).toEqual(expected);
    expect(await inputsOf('x.ndjson', `${JSON.stringify(line)}\n\n`)).toEqual(expected);
  });

  it('is refused where it is none of these', async () => {
    await expect(readRows('x.csv', '')).rejects.toThrow('empty');
    await expect(readRows('x.geojson', '[]')).rejects.toThrow('FeatureCollection');
    await expect(readRows('x.ndjson', '{')).rejects.toThrow('no JSON');
  });

  it('has a report that no spreadsheet takes for formulas', () => {
    const report = reportCsv([{ place: 2, outcome: 'BAD_USER_INPUT', message: '=1+"x"' }]);
    expect(report).toBe('row,outcome,message\r\n2,"BAD_USER_INPUT","\'=1+""x"""\r\n');
  });
});
