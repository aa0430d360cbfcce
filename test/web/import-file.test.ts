/** What the console makes of files that are dropped on it. */

import { columnsOf, matchColumns, readRows, toInput } from '../../web/console/import-file.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName', isPublic: true },
  { name: 'Address', type: 'address', isPublic: true },
  { name: 'Seats', type: 'number', isPublic: true },
] as const;

describe('a file to import', () => {
  const inputsOf = async (name: string, text: string, mode: 'create' | 'upsert' = 'create') => {
    const rows = await readRows(name, text);
    const matching = matchColumns(columnsOf(rows), FIELDS);
    return rows.map((row) => toInput(row, matching, FIELDS, mode));
  };

  it('is a table, whose columns are matched without regard to case', async () => {
    const rows = await readRows('x.csv', 'title;ADDRESS;seats;Extra\n"A\nB";S 1;12;x\n;S 2;many;\n');
    expect(rows.map(({ place }) => place)).toEqual([2, 4]);
    const matching = matchColumns(columnsOf(rows), FIELDS);
    expect(matching).toEqual({
      title: 'field:Name',
      ADDRESS: 'field:Address',
      seats: 'field:Seats',
      Extra: 'field:Extra',
    });
    expect(rows.map((row) => toInput(row, { ...matching, Extra: 'none' }, FIELDS, 'create'))).toEqual([
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
          id: 'ours',
          externalId: 'e1',
          order: '1',
          placeId: 'p',
          geometry: { type: 'Point', coordinates: [-9.25, 48.5] },
          properties: { Name: 'A', Address: 'S 1', Seats: 2, Tags: ['a'] },
        },
      ],
    };
    const line = {
      externalId: 'e1',
      order: '1',
      placeId: 'p',
      latLngLiteral: { lat: '48.5', lng: '-9.25' },
      properties: json.features[0]?.properties,
    };
    const expected = {
      fields: { Name: 'A', Address: 'S 1', Seats: 2, Tags: ['a'] },
      position: { latitude: 48.5, longitude: -9.25, placeId: 'p' },
      order: '1',
      externalId: 'e1',
    };
    expect(await inputsOf('x.csv', csv)).toEqual([expected]);
    expect(await inputsOf('x.geojson', JSON.stringify(json))).toEqual([expected]);
    expect(await inputsOf('x.ndjson', `${JSON.stringify(line)}\n\n`)).toEqual([expected]);
  });

  it('is one of our exports also where a field is called like a column of ours', async () => {
    const csv = '$id,externalId,order,lat,lng,placeId,Name,Address,id,more\ni1,,1,1,2,p,A,S 1,theirs,\n';
    expect(await inputsOf('x.csv', csv)).toEqual([
      {
        fields: { Name: 'A', Address: 'S 1', id: 'theirs' },
        position: { latitude: 1, longitude: 2, placeId: 'p' },
        order: '1',
      },
    ]);
  });

  it('gives external ids by a column, and for an upsert by the ids of Features', async () => {
    const [row] = await inputsOf('x.csv', 'Name,Address,External ID\nA,S 1,e1\n');
    expect(row).toEqual({ fields: { Name: 'A', Address: 'S 1' }, externalId: 'e1' });
    const json = JSON.stringify({ features: [{ id: 7, properties: { Name: 'A' } }] });
    expect(await inputsOf('x.json', json)).toEqual([{ fields: { Name: 'A' } }]);
    expect(await inputsOf('x.json', json, 'upsert')).toEqual([{ fields: { Name: 'A' }, externalId: '7' }]);
  });

  it('has no input of a row whose point is none', async () => {
    const table = 'Name,lat,lng\nA,91,0\nB,"48,1",11\nC,48.1,\nD,,\n';
    expect(await inputsOf('x.csv', table)).toEqual([null, null, null, { fields: { Name: 'D' } }]);
  });

  it('is refused where it is none of these', async () => {
    await expect(readRows('x.csv', '')).rejects.toThrow('empty');
    await expect(readRows('x.csv', 'A,A\n1,2\n')).rejects.toThrow('Two columns are called “A”');
    await expect(readRows('x.geojson', '[]')).rejects.toThrow('FeatureCollection');
    await expect(readRows('x.ndjson', '{')).rejects.toThrow('no JSON');
  });
});
