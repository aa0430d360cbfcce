/** What the console makes of files that are dropped on it. */

import { columnsOf, matchColumns, readFile, rejectedText, toInput } from '../../web/console/import-file.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName', isPublic: true },
  { name: 'Address', type: 'address', isPublic: true },
  { name: 'Seats', type: 'number', isPublic: true },
] as const;

describe('a file to import', () => {
  const inputsOf = async (name: string, text: string, mode: 'create' | 'upsert' = 'create') => {
    const { rows } = await readFile(name, text, []);
    const matching = matchColumns(columnsOf(rows), FIELDS);
    return rows.map((row) => toInput(row, matching, FIELDS, mode));
  };

  it('is a table, whose columns are matched without regard to case', async () => {
    const { rows } = await readFile('x.csv', 'title;ADDRESS;seats;Extra\n"A\nB";S 1;12;x\n;S 2;many;\n', []);
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

  it('is separated by what its first line is separated by, and by nothing else', async () => {
    expect(await inputsOf('x.csv', 'Name;Address;Price\nA;S 1, Berlin;3,50\n')).toEqual([
      { fields: { Name: 'A', Address: 'S 1, Berlin', Price: '3,50' } },
    ]);
    expect(await inputsOf('x.csv', 'Name,Address\nA;B,S\t1\n')).toEqual([
      { fields: { Name: 'A;B', Address: 'S\t1' } },
    ]);
  });

  it('gives its rejected rows as a file that is read as those rows were', async () => {
    const report = { place: 3, outcome: 'ADDRESS_NOT_FOUND', message: 'No such address; really.' };
    const table = await readFile('cafés.csv', 'Name;Address\nA;S 1\nB;"S;2"\n', []);
    expect(table.rejectedName).toBe('cafés.rejected.csv');
    const rejected = rejectedText(table, [report]);
    expect(rejected).toBe(
      'Name;Address;line;code;reason\nB;"S;2";3;ADDRESS_NOT_FOUND;"No such address; really."\n',
    );
    expect(await inputsOf('mended.csv', rejected)).toEqual([{ fields: { Name: 'B', Address: 'S;2' } }]);

    const features = { features: [1, 2, 3].map((id) => ({ id, properties: { Name: String(id) } })) };
    const json = await readFile('a.geojson', JSON.stringify(features), []);
    const written = rejectedText(json, [report]);
    expect(JSON.parse(written).features[0].rejected.code).toBe('ADDRESS_NOT_FOUND');
    expect(await inputsOf('a.geojson', written)).toEqual([{ fields: { Name: '3' } }]);

    const lines = await readFile('a.ndjson', '\n\n{"Name":"C","rejected":true}\n', []);
    const line = rejectedText(lines, [report]);
    expect(await inputsOf('a.ndjson', line.replace('"rejected":true,', ''))).toEqual([
      { fields: { Name: 'C' } },
    ]);
    expect(await inputsOf('b.ndjson', '{"Name":"C","rejected":true}')).toEqual([
      { fields: { Name: 'C', rejected: true } },
    ]);
  });

  it('has no input of a row whose point is none', async () => {
    const table = 'Name,lat,lng\nA,91,0\nB,"48,1",11\nC,48.1,\nD,,\n';
    expect(await inputsOf('x.csv', table)).toEqual([null, null, null, { fields: { Name: 'D' } }]);
  });

  it('has blank cells for no coordinates, and decimal numbers of degrees alone', async () => {
    const table = 'Name,lat,lng\nA, , \nB, 48.5 ,+9\nC,0x10,9\nD,1e1,9\nE, ,9\n';
    expect(await inputsOf('x.csv', table)).toEqual([
      { fields: { Name: 'A' } },
      { fields: { Name: 'B' }, position: { latitude: 48.5, longitude: 9 } },
      null,
      { fields: { Name: 'D' }, position: { latitude: 10, longitude: 9 } },
      null,
    ]);
    const own = 'id,externalId,order,lat,lng,placeId,Name,Address,more\n,,, , ,,A,S 1,\n';
    expect(await inputsOf('x.csv', own)).toEqual([{ fields: { Name: 'A', Address: 'S 1' } }]);
    const features = [['48', '11'], []].map((coordinates) => ({
      geometry: { type: 'Point', coordinates },
      properties: { Name: 'A' },
    }));
    expect(await inputsOf('x.geojson', JSON.stringify({ features }))).toEqual([null, null]);
  });

  it('has no coordinates in columns that the map defines as fields, and none in half a pair', async () => {
    const fields = [...FIELDS, { name: 'lat', type: 'text' }, { name: 'lng', type: 'text' }].map((field) => ({
      isPublic: true,
      ...field,
    })) as readonly ((typeof FIELDS)[number] | { name: string; type: 'text'; isPublic: true })[];
    const { rows } = await readFile('x.csv', 'Name,Lat,lng\nA,48.5,11\n', fields);
    const matching = matchColumns(columnsOf(rows), fields);
    expect(rows.map((row) => toInput(row, matching, fields, 'create'))).toEqual([
      { fields: { Name: 'A', lat: '48.5', lng: '11' } },
    ]);
    expect(await inputsOf('x.csv', 'Name,Long\nA,Some text\n')).toEqual([
      { fields: { Name: 'A', Long: 'Some text' } },
    ]);
    expect(await inputsOf('x.csv', 'Name,Latitude,LONG\nA,48.5,11\n')).toEqual([
      { fields: { Name: 'A' }, position: { latitude: 48.5, longitude: 11 } },
    ]);
  });

  it('is refused where it is none of these', async () => {
    await expect(readFile('x.csv', '', [])).rejects.toThrow('empty');
    await expect(readFile('x.csv', 'A,A\n1,2\n', [])).rejects.toThrow('Two columns are called “A”');
    await expect(readFile('x.geojson', '[]', [])).rejects.toThrow('FeatureCollection');
    await expect(readFile('x.ndjson', '{', [])).rejects.toThrow('no JSON');
  });
});
