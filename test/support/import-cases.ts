/**
 * Real-world files with the expected results of their import. They are modelled on public bug reports about imports,
 * and run on the command line and in the console.
 */

import type { ImportFileOptions } from '../../src/transfer/open-import.ts';
import type { ColumnUse } from '../../src/transfer/columns/mapping.ts';
import type { FieldDefinition } from '../../src/domain/map.ts';
import { workbookOf } from '../transfer/xlsx/workbooks.ts';
import { zipOf } from './zip.ts';

export interface ImportCase {
  readonly name: string;
  readonly file: string;
  readonly content: string | Buffer;
  /** Fields of the map; by default, Name and Address. */
  readonly fields?: readonly FieldDefinition[];
  readonly options?: ImportFileOptions;
  /** Options of the command line. */
  readonly args?: readonly string[];
  /** In list order. Only the given members of a location are compared. */
  readonly stored?: readonly {
    readonly name: string;
    /** Latitude and longitude; null if the address is geocoded. */
    readonly point?: readonly [number, number] | null;
    readonly address?: string;
    readonly externalId?: string | null;
    /** All properties except name and address. */
    readonly more?: Readonly<Record<string, unknown>>;
  }[];
  /** Part of the reason, by row number. */
  readonly rejected?: readonly (readonly [line: number, reason: string])[];
  /** The file is refused with a message that contains this. */
  readonly refused?: string;
  /** The import ends at this row; part of the reason. */
  readonly damaged?: readonly [line: number, reason: string];
  /** Part of the description of a column's target, by header. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The console preselects the encoding of such a file, which the user can change. */
  readonly isDecodedInConsole?: true;
  /** Parts of the notes of the import. */
  readonly notes?: readonly string[];
}

const uses = (...entries: readonly (readonly [string, ColumnUse])[]) => new Map(entries);
const field = (name: string): ColumnUse => ({ kind: 'field', name });
const A = { name: 'A', address: 'x' };
const feature = (
  geometry: unknown,
  properties: unknown = { Name: 'A', Address: 'x' },
  more: object = {},
) => ({
  type: 'Feature',
  geometry,
  properties,
  ...more,
});
const point = (...coordinates: readonly number[]) => ({ type: 'Point', coordinates });
const json = (value: unknown, indent?: number) => JSON.stringify(value, null, indent);
const collection = (features: readonly unknown[], more: object = {}) =>
  json({ type: 'FeatureCollection', ...more, features });

const COORDINATES: readonly ImportCase[] = [
  ...[
    ['Latitude', 'Longitude'],
    ['LATITUDE', 'LONGITUDE'],
    ['Lat', 'Lng'],
    ['lat', 'lon'],
    ['Lat', 'Long'],
    ['Y', 'X'],
    ['geo_latitude', 'geo_longitude'],
    ['GPS_Lat', 'GPS_Long'],
    [' Latitude ', '\u00a0Longitude\u00a0'],
  ].map(([lat = '', lng = '']): ImportCase => ({
    name: `coordinates in ${json(lat)} and ${json(lng)}`,
    file: 'points.csv',
    content: `Name,Address,${lat},${lng}\nA,x,48.5,-2.25\nB,y,,\n`,
    stored: [
      { ...A, point: [48.5, -2.25], more: {} },
      { name: 'B', point: null, more: {} },
    ],
    columns: { [lat]: 'the latitude', [lng]: 'the longitude' },
  })),
  ...['Coordinates', 'LatLng', 'lat_lng', 'Point'].map((header): ImportCase => ({
    name: `both numbers in ${header}`,
    file: 'points.csv',
    content: `Name,Address,${header}\nA,x,"48.5, -2.25"\nB,y,\nC,z,here\n`,
    stored: [
      { ...A, point: [48.5, -2.25], more: {} },
      { name: 'B', point: null },
    ],
    rejected: [[4, `${header} must be "latitude, longitude"`]],
    columns: { [header]: 'the point' },
  })),
  ...['WKT', 'geom', 'the_geom', 'Geometry'].map((header): ImportCase => ({
    name: `well-known text in ${header}`,
    file: 'My Maps.csv',
    content: `${header},Name,Address\n"POINT (-2.25 48.5)",A,x\n"POINT Z (-2.25 48.5 30)",B,x\n"LINESTRING (1 2, 3 4)",C,x\n`,
    stored: [
      { ...A, point: [48.5, -2.25], more: {} },
      { name: 'B', point: [48.5, -2.25] },
    ],
    rejected: [[4, `${header} is a LINESTRING; only a POINT can become a location.`]],
    notes: ['A third coordinate (an altitude) was dropped in 1 row.'],
  })),
  {
    name: 'a GeoJSON Point in a cell',
    file: 'points.csv',
    content: 'Name;Address;geometry\nA;x;"{""type"":""Point"",""coordinates"":[-2.25,48.5]}"\n',
    stored: [{ ...A, point: [48.5, -2.25] }],
  },
  {
    name: 'EWKT in another reference system',
    file: 'points.csv',
    content: 'Name,Address,geom\nA,x,SRID=4326;POINT(-2.25 48.5)\nB,x,SRID=3857;POINT(1 2)\n',
    stored: [{ ...A, point: [48.5, -2.25] }],
    rejected: [[3, 'geom is in SRID 3857; only SRID 4326']],
  },
  {
    name: 'half a point',
    file: 'points.csv',
    content: 'Name,Address,Latitude,Longitude\nA,x,48.5,\nB,x,91,1\nC,x,north,1\n',
    stored: [],
    rejected: [
      [2, 'Latitude and Longitude go together, but Longitude is empty.'],
      [3, 'latitude must be a number of degrees from -90 to 90.'],
      [4, 'Latitude must be a decimal number of degrees'],
    ],
  },
  {
    name: 'a latitude without a longitude column',
    file: 'a.csv',
    content: 'Name,Address,lat,East\nA,x,,\nB,y,48.5,-2.25\n',
    stored: [{ ...A, point: null }],
    rejected: [[3, 'lat is half of a point; no column is the longitude.']],
  },
  {
    name: 'a field named like a coordinate',
    file: 'points.csv',
    fields: [
      { name: 'Name', type: 'placeName' },
      { name: 'Address', type: 'address' },
      { name: 'Point', type: 'text' },
    ],
    content: 'Name,Address,Point\nA,x,north gate\n',
    stored: [{ ...A, point: null, more: { Point: 'north gate' } }],
    columns: { Point: 'field "Point"' },
  },
];

const COLUMNS: readonly ImportCase[] = [
  {
    name: 'headers in another case and with surrounding white space',
    file: 'a.csv',
    content: '\u2003name ,ADDRESS\nA,x\n',
    stored: [{ ...A, more: {} }],
  },
  {
    name: 'headers in another normal form',
    file: 'a.csv',
    fields: [
      { name: 'Name', type: 'placeName' },
      { name: 'Adresse complète', type: 'address' },
    ],
    content: 'Name,Adresse comple\u0300te\nA,x\n',
    stored: [{ name: 'A' }],
  },
  {
    name: 'both Name and name',
    file: 'a.csv',
    content: 'name,Name,Address\nnick,A,x\n',
    stored: [{ ...A, more: { name: 'nick' } }],
    columns: { Name: 'field "Name"', name: 'property "name"' },
  },
  {
    name: 'two headers that differ only in case',
    file: 'a.csv',
    content: 'NAME,name,Address\nA,nick,x\n',
    stored: [{ ...A, more: { name: 'nick' } }],
  },
  {
    name: 'two equal headers',
    file: 'a.csv',
    content: 'Name,Address,Name\nA,x,B\n',
    refused: 'the column "Name" twice',
  },
  {
    name: 'a column without a header that holds values',
    file: 'a.csv',
    content: 'Name,Address,,\nA,x,,note\nB,x,,\n',
    stored: [
      { ...A, more: { 'Column D': 'note' } },
      { name: 'B', more: {} },
    ],
    columns: { '': 'dropped: no header and no values' },
  },
  {
    name: 'no name column',
    file: 'a.csv',
    content: 'Title,Address\nA,x\n',
    refused: 'Use --field "Name=COLUMN" to take the name from another column.',
  },
  {
    name: 'columns that are named',
    file: 'a.csv',
    content: 'Title,Where\nA,x\n',
    options: { uses: uses(['title', field('Name')], ['Where', field('Address')]) },
    args: ['--field', 'Name=title', '--field', 'Address=Where'],
    stored: [{ ...A, more: {} }],
  },
  {
    name: 'a named column that does not exist',
    file: 'a.csv',
    content: 'Name,Address\nA,x\n',
    options: { uses: uses(['Titel', field('Name')]) },
    args: ['--field', 'Name=Titel'],
    refused: 'The header has no column "Titel"',
  },
  {
    name: 'a named field that does not exist',
    file: 'a.csv',
    content: 'Name,Address,Title\nA,x,y\n',
    options: { uses: uses(['Title', field('Headline')]) },
    args: ['--field', 'Headline=Title'],
    refused: 'The map has no field "Headline"; its fields are "Name", "Address".',
  },
  {
    name: 'an export with columns named by options',
    file: 'a.csv',
    content: 'id,externalId,order,lat,lng,placeId,Name,Address,Title,more\n,,1,1,2,,A,x,B,\n',
    options: { uses: uses(['Title', field('Name')]) },
    args: ['--field', 'Name=Title'],
    refused: 'The table is an export of a map, whose columns are fixed',
  },
  {
    name: 'an option that does not apply to the format',
    file: 'a.csv',
    content: 'Name,Address\nA,x\n',
    options: { sheet: 'Stores' },
    args: ['--sheet', 'Stores'],
    refused: '--sheet does not apply to the file, which is CSV; omit it.',
  },
  {
    name: 'an address in several columns',
    file: 'stores.csv',
    content:
      'Name,street,zip,city,country\nA,Rue 1,75001,Paris,France\nB,,75002,Paris,\nC,Rue 3,,,France\nD,,,,\n',
    options: { address: '{street}, {zip} {city}, {country}' },
    args: ['--address', '{street}, {zip} {city}, {country}'],
    stored: [
      {
        name: 'A',
        address: 'Rue 1, 75001 Paris, France',
        more: { street: 'Rue 1', zip: '75001', city: 'Paris', country: 'France' },
      },
      { name: 'B', address: '75002 Paris' },
      { name: 'C', address: 'Rue 3, France' },
    ],
    rejected: [[5, 'Address']],
  },
  {
    name: 'an address in several columns, without an option',
    file: 'stores.csv',
    content: 'Name,Street,Zip,City\nA,Rue 1,75001,Paris\n',
    refused: 'Use --address "{Street}, {Zip} {City}" to join these columns.',
  },
  {
    name: 'parts of the address in addition to the address',
    file: 'stores.csv',
    content: 'Name,Address,City,Country\nA,Rue 1,Paris,France\n',
    stored: [{ name: 'A', address: 'Rue 1' }],
    notes: ['--address "{Address}, {City}, {Country}" joins them.'],
  },
  {
    name: 'a template without a column',
    file: 'a.csv',
    content: 'Name,Address\nA,x\n',
    options: { address: 'street' },
    args: ['--address', 'street'],
    refused: 'The address "street" names no column',
  },
  {
    name: 'points without addresses',
    file: 'a.csv',
    content: 'Name,Lat,Lng\nA,48.5,-2.25\n',
    refused: 'Use --fill-address coordinates to fill it with the coordinates.',
  },
  {
    name: 'points without addresses, filled',
    file: 'a.csv',
    content: 'Name,Lat,Lng\nA,48.5,-2.25\nB,,\n',
    options: { fillsAddress: true },
    args: ['--fill-address', 'coordinates'],
    stored: [{ name: 'A', address: '48.5, -2.25', point: [48.5, -2.25] }],
    rejected: [[3, 'Address']],
  },
  {
    name: 'a point whose row has no address',
    file: 'a.csv',
    content: 'Name,Address,Lat,Lng\nA,,48.5,-2.25\n',
    stored: [],
    rejected: [[2, 'Address']],
    notes: [
      '1 row had a point but no address.',
      'Use --fill-address coordinates to fill it with the coordinates.',
    ],
  },
];

const EXTERNAL_IDS: readonly ImportCase[] = [
  ...['externalId', 'ExternalId', 'external_id', 'EXTERNAL ID'].map((header): ImportCase => ({
    name: `an upsert by ${header}`,
    file: 'u.csv',
    content: `Name,Address,${header}\nA,x,a-1\n`,
    options: { isUpsert: true },
    args: ['--upsert'],
    stored: [{ ...A, externalId: 'a-1', more: {} }],
    columns: { [header]: 'the external id' },
  })),
  {
    name: 'an upsert by a column that is named',
    file: 'u.csv',
    content: 'Name,Address,Store No\nA,x,a-1\n',
    options: { isUpsert: true, uses: uses(['Store No', { kind: 'externalId' }]) },
    args: ['--upsert', '--external-id', 'Store No'],
    stored: [{ ...A, externalId: 'a-1', more: {} }],
  },
  {
    name: 'an upsert of a table without external ids',
    file: 'u.csv',
    content: 'Name,Address,Code,Kind\nA,x,1,k\nB,x,2,k\n',
    options: { isUpsert: true },
    args: ['--upsert'],
    refused: 'These columns have unique values in the first rows: "Name", "Code".',
  },
  {
    name: 'external ids without an upsert',
    file: 'u.csv',
    content: 'Name,Address,external_id\nA,x,a-1\n',
    stored: [{ ...A, externalId: null, more: { external_id: 'a-1' } }],
    notes: ['Use --upsert or --external-id to take the external id from the column "external_id".'],
  },
  {
    name: 'two ids beyond 2^53',
    file: 'u.geojson',
    content: collection([feature(point(1, 2), { Name: 'A', Address: 'x' }, { id: 9007199254740992 })])
      .replace('"id":9007199254740992', '"id":9007199254740993')
      .replace(
        /\]\}$/,
        `,${json(feature(point(1, 2), { Name: 'B', Address: 'x' }))}`.replace(
          '"type":"Feature"',
          '"type":"Feature","id":9007199254740992',
        ) + ']}',
      ),
    options: { isUpsert: true },
    args: ['--upsert'],
    stored: [
      { name: 'A', externalId: '9007199254740993' },
      { name: 'B', externalId: '9007199254740992' },
    ],
    notes: ['2 integers beyond ±9007199254740991 became strings of the same digits'],
  },
];

const TABLES: readonly ImportCase[] = [
  {
    name: 'a first line that names the delimiter',
    file: 'excel.csv',
    content: '\ufeffsep=;\r\nName;Address\r\nA;x\r\n',
    stored: [A],
  },
  {
    name: 'empty columns at the end',
    file: 'excel.csv',
    content: 'Name,Address,,,\nA,x,,,\n',
    stored: [{ ...A, more: {} }],
  },
  {
    name: 'an extra comma in every row',
    file: 'excel.csv',
    content: 'Name,Address\nA,x,\nB,y,\n',
    stored: [{ ...A, more: {} }, { name: 'B' }],
  },
  {
    name: 'rows of commas above the header',
    file: 'excel.csv',
    content: '\n,,\n , ,\nName,Address,Note\nA,x,n\n',
    stored: [{ ...A, more: { Note: 'n' } }],
    notes: ['2 blank rows were skipped.'],
  },
  {
    name: 'rows of commas',
    file: 'excel.csv',
    content: 'Name,Address\nA,x\n,\n , \nB,y\n,\n',
    stored: [A, { name: 'B' }],
    notes: ['3 blank rows were skipped.'],
  },
  {
    name: 'a value beyond the header',
    file: 'excel.csv',
    content: 'Name,Address\nA,x\nB,y,z\n',
    stored: [A],
    rejected: [[3, 'The row has 3 cells; the header names 2 columns.']],
  },
  {
    name: 'semicolons',
    file: 'de.csv',
    content: 'Name;Address;Preis\nA;x;1,50\n',
    stored: [{ ...A, more: { Preis: '1,50' } }],
  },
  {
    name: 'coordinates with decimal commas',
    file: 'de.csv',
    content: 'Name;Address;Breite;lat;lng\nA;x;1,5;48,85;2,35\n',
    stored: [{ ...A, more: { Breite: '1,5' }, point: [48.85, 2.35] }],
  },
  { name: 'tabs', file: 'a.tsv', content: 'Name\tAddress\nA\tx\n', stored: [A] },
  { name: 'pipes', file: 'a.txt', content: 'Name|Address|Note\nA|x|a, b; c\n', stored: [A] },
  {
    name: 'semicolons below a header that has a comma',
    file: 'a.csv',
    content: 'Name;Address, in full\nA;"Rue 1, Paris"\n',
    options: { uses: uses(['Address, in full', field('Address')]) },
    args: ['--field', 'Address=Address, in full'],
    stored: [{ name: 'A', address: 'Rue 1, Paris' }],
  },
  {
    name: 'a delimiter that is named',
    file: 'a.csv',
    content: 'Name;Address,Note\nA;x,y\n',
    options: { delimiter: ';', uses: uses(['Address,Note', field('Address')]) },
    args: ['--delimiter', ';', '--field', 'Address=Address,Note'],
    stored: [{ name: 'A', address: 'x,y' }],
  },
  {
    name: 'UTF-16 with a byte order mark, as Excel writes Unicode text',
    file: 'unicode.txt',
    content: Buffer.from('\ufeffName\tAddress\r\nÅ\tx\r\n', 'utf16le'),
    stored: [{ name: 'Å', address: 'x' }],
  },
  {
    name: 'Windows-1252 that is named',
    file: 'ansi.csv',
    content: Buffer.from('Name,Address\nCaf\xe9,x\n', 'latin1'),
    options: { encoding: 'windows-1252' },
    args: ['--encoding', 'cp1252'],
    stored: [{ name: 'Café' }],
  },
  {
    name: 'Windows-1252 without an option',
    file: 'ansi.csv',
    content: Buffer.from('Name,Address\nCaf\xe9,x\n', 'latin1'),
    refused: 'it is not UTF-8',
    isDecodedInConsole: true,
  },
  {
    name: 'leading zeros, long numbers and formulas',
    file: 'a.csv',
    content: 'Name,Address,Zip,Phone,Sum\nA,x,01067,+49 351 123,=1+1\n',
    stored: [{ ...A, more: { Zip: '01067', Phone: '+49 351 123', Sum: '=1+1' } }],
  },
];

const JSON_FILES: readonly ImportCase[] = [
  {
    name: 'a Feature per line',
    file: 'a.geojsonl',
    content: `${json(feature(point(-2.25, 48.5)))}\n${json(feature(point(1, 2), { Name: 'B', Address: 'y' }))}\n`,
    stored: [
      { ...A, point: [48.5, -2.25] },
      { name: 'B', point: [2, 1] },
    ],
  },
  {
    name: 'a Feature per line, named like a collection',
    file: 'a.geojson',
    content: `${json(feature(point(-2.25, 48.5)))}\n${json(feature(point(1, 2), { Name: 'B', Address: 'y' }))}\n`,
    stored: [{ ...A, point: [48.5, -2.25] }, { name: 'B' }],
  },
  {
    name: 'a sequence by RFC 8142',
    file: 'a.geojsons',
    content: `\u001e${json(feature(point(-2.25, 48.5)), 2)}\n\u001e${json(feature(point(1, 2), { Name: 'B', Address: 'y' }))}\n`,
    stored: [{ ...A, point: [48.5, -2.25] }, { name: 'B' }],
  },
  {
    name: 'a single Feature over several lines',
    file: 'a.json',
    content: json(feature(point(-2.25, 48.5)), 2),
    stored: [{ ...A, point: [48.5, -2.25] }],
  },
  {
    name: 'a collection named like lines',
    file: 'a.ndjson',
    content: collection([feature(point(-2.25, 48.5))]),
    stored: [{ ...A, point: [48.5, -2.25] }],
  },
  {
    name: 'a LineString and a Polygon',
    file: 'a.geojson',
    content: collection([
      feature({
        type: 'LineString',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      }),
      feature({ type: 'Polygon', coordinates: [] }),
      feature(point(-2.25, 48.5)),
    ]),
    stored: [{ ...A, point: [48.5, -2.25] }],
    rejected: [
      [1, 'The geometry is a LineString; only a Point can become a location.'],
      [2, 'The geometry is a Polygon'],
    ],
  },
  {
    name: 'Features with ids and unread members',
    file: 'a.geojson',
    content: collection([
      feature(point(-2.25, 48.5), undefined, { id: 7, title: 'Shop', bbox: [0, 0, 1, 1] }),
      feature(point(1, 2), { Name: 'B', Address: 'y' }, { name: 'other' }),
    ]),
    stored: [
      { ...A, point: [48.5, -2.25], externalId: null, more: {} },
      { name: 'B', more: {} },
    ],
    notes: [
      '1 row had a record id, which was ignored.',
      'With --upsert, the record id becomes the external id.',
      'Ignored, because they are outside the properties: "title", "name".',
    ],
  },
  {
    name: 'altitudes',
    file: 'a.geojson',
    content: collection([feature(point(-2.25, 48.5, 30))]),
    stored: [{ ...A, point: [48.5, -2.25] }],
    notes: ['A third coordinate (an altitude) was dropped in 1 row.'],
  },
  {
    name: 'coordinates in metres',
    file: 'a.geojson',
    content: collection([feature(point(260_000, 6_250_000))], {
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3857' } },
    }),
    refused: 'its coordinates are in "urn:ogc:def:crs:EPSG::3857"; only CRS84 and EPSG:4326',
  },
  {
    name: 'coordinates in metres, with the crs after the Features',
    file: 'a.geojson',
    content: json({
      type: 'FeatureCollection',
      features: [feature(point(2, 1))],
      crs: { type: 'name', properties: { name: 'EPSG:25832' } },
    }),
    stored: [A],
    damaged: [2, 'EPSG:25832'],
  },
  {
    name: 'a crs that is WGS 84',
    file: 'a.geojson',
    content: collection([feature(point(-2.25, 48.5))], {
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } },
    }),
    stored: [{ ...A, point: [48.5, -2.25] }],
  },
  {
    name: 'properties whose names differ in case',
    file: 'a.geojson',
    content: collection([feature(point(-2.25, 48.5), { name: 'A', address: 'x', kind: 3 })]),
    stored: [{ ...A, point: [48.5, -2.25], more: { kind: 3 } }],
    columns: { name: 'field "Name"', kind: 'property "kind"' },
  },
  {
    name: 'a full backup of uMap',
    file: 'a.umap',
    content: json({ type: 'umap', properties: { name: 'M' }, geometry: point(1, 2), layers: [] }, 2),
    stored: [],
    rejected: [[1, 'The file is a full backup of uMap, which is not supported']],
  },
  {
    name: 'objects as GraphQL returns them',
    file: 'a.jsonl',
    content: `${json({ id: 'l1', latitude: 48.5, longitude: -2.25, properties: { Name: 'A', Address: 'x' } })}\n`,
    stored: [{ ...A, point: [48.5, -2.25], more: {} }],
  },
  {
    name: 'plain objects, a list of them',
    file: 'a.json',
    content: json([{ Name: 'A', Address: 'x', lat: 48.5, lon: -2.25, tags: ['a'] }], 1),
    stored: [{ ...A, point: [48.5, -2.25], more: { tags: ['a'] } }],
  },
  {
    name: 'plain objects per line, with large numbers',
    file: 'a.ndjson',
    content: '{"Name":"A","Address":"x","osm":12345678901234567890}\n',
    stored: [{ ...A, more: { osm: '12345678901234567890' } }],
    notes: ['1 integer beyond ±9007199254740991 became strings of the same digits: osm.'],
  },
];

const OTHERS: readonly ImportCase[] = [
  {
    name: 'an old workbook',
    file: 'old.xls',
    content: Buffer.from('d0cf11e0a1b11ae1000000000000', 'hex'),
    refused: 'an old Excel file (.xls) or an encrypted file',
  },
  {
    name: 'a web page named like an old Excel file',
    file: 'export.xls',
    content: '<html><body><table><tr><td>Name</td><td>Address</td></tr></table></body></html>',
    refused: 'The file is a web page (HTML). If a spreadsheet opens it, save it there as .xlsx.',
  },
  {
    name: 'an XML spreadsheet of Excel 2003',
    file: 'export.xls',
    content:
      '<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"></Workbook>',
    refused: 'The file is XML of another kind: its root element is "Workbook".',
  },
  { name: 'a PDF', file: 'a.pdf', content: '%PDF-1.7\n', refused: 'Supported formats: CSV' },
  {
    name: 'a picture',
    file: 'a.png',
    content: Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
    refused: 'not text',
  },
  {
    name: 'a file compressed by gzip',
    file: 'a.csv.gz',
    content: Buffer.from('1f8b0800000000', 'hex'),
    refused: 'unpack it first',
  },
  { name: 'an empty file', file: 'a.csv', content: '', refused: 'The file is empty' },
];

const kml = (...content: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${content.join('')}</Document></kml>`;
const placemark = (name: string, more: string) => `<Placemark><name>${name}</name>${more}</Placemark>`;
const kmlPoint = (coordinates: string) => `<Point><coordinates>${coordinates}</coordinates></Point>`;

const XML_FILES: readonly ImportCase[] = [
  {
    name: 'a layer of Google My Maps',
    file: 'My Maps.kml',
    content: kml(
      '<name>M</name><Style id="icon-1"/><Folder><name>Cafés</name>',
      placemark(
        'A',
        `<address>x</address><description><![CDATA[a<br>b]]></description><styleUrl>#icon-1</styleUrl>` +
          `<ExtendedData><Data name="Phone"><value>01</value></Data></ExtendedData>${kmlPoint(' -2.25,48.5,0 ')}`,
      ),
      '</Folder>',
    ),
    stored: [{ ...A, point: [48.5, -2.25], more: { Folder: 'Cafés', description: 'a<br>b', Phone: '01' } }],
    notes: ['A third coordinate (an altitude) was dropped in 1 row.'],
  },
  {
    name: 'a LineString between points, and a Placemark with only an address',
    file: 'a.kml',
    content: kml(
      placemark('A', `<address>x</address>${kmlPoint('-2.25,48.5')}`),
      placemark('Trail', '<LineString><coordinates>1,2 3,4</coordinates></LineString>'),
      placemark('B', '<address>y</address>'),
    ),
    stored: [
      { ...A, point: [48.5, -2.25] },
      { name: 'B', point: null },
    ],
    rejected: [[2, 'Placemark 2 "Trail" is a LineString; only a Point can become a location.']],
  },
  {
    name: 'KML with network links',
    file: 'a.kml',
    content: kml(
      '<NetworkLink><Link><href>https://example.org/more.kml</href></Link></NetworkLink>',
      placemark('A', `<address>x</address>${kmlPoint('-2.25,48.5')}`),
    ),
    stored: [A],
    notes: ['https://example.org/more.kml'],
  },
  {
    name: 'KML that links to the same file twice',
    file: 'a.kml',
    content: kml(
      '<NetworkLink><Link><href>https://example.org/more.kml</href></Link></NetworkLink>'.repeat(2),
      placemark('A', `<address>x</address>${kmlPoint('-2.25,48.5')}`),
    ),
    stored: [A],
    notes: ['https://example.org/more.kml'],
  },
  {
    name: 'XML with a document type',
    file: 'a.kml',
    content: `<?xml version="1.0"?><!DOCTYPE kml [<!ENTITY a "b">]>${kml(placemark('A', '')).slice(39)}`,
    refused: 'DOCTYPE',
  },
  {
    name: 'waypoints and a track of a GPS device',
    file: 'a.gpx',
    options: { fillsAddress: true },
    args: ['--fill-address', 'coordinates'],
    content:
      '<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">' +
      '<wpt lat="48.5" lon="-2.25"><ele>30</ele><name>A</name><sym>Flag</sym></wpt>' +
      '<trk><name>Walk</name><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>',
    stored: [{ name: 'A', address: '48.5, -2.25', point: [48.5, -2.25], more: { ele: '30', sym: 'Flag' } }],
    rejected: [[2, '"Walk" is a track']],
  },
  {
    name: 'waypoints without addresses',
    file: 'a.gpx',
    content:
      '<?xml version="1.0"?><gpx version="1.0" creator="x"><wpt lat="48.5" lon="-2.25"><name>A</name></wpt></gpx>',
    stored: [],
    rejected: [[1, 'Address']],
    notes: ['Use --fill-address coordinates to fill it with the coordinates.'],
  },
];

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (value: string, style: number) => `<c s="${style}"><v>${value}</v></c>`;
const HEADER = ['Name', 'Address', 'Opened', 'Zip', 'Share'].map(text);
/** Styles 1 and 2 are a date and a percentage. */
const workbook = (sheets: Readonly<Record<string, readonly (readonly string[])[]>>) =>
  workbookOf({
    formats: [14, 9],
    sheets: Object.entries(sheets).map(([name, rows]) => ({
      name,
      rows: rows.map((cells) => `<row>${cells.join('')}</row>`).join(''),
    })),
  });

const WORKBOOKS: readonly ImportCase[] = [
  {
    name: 'a workbook with dates, percentages and leading zeros',
    file: 'stores.xlsx',
    content: workbook({
      Stores: [HEADER, [text('A'), text('x'), number('45443', 1), text('01067'), number('0.25', 2)]],
    }),
    stored: [{ ...A, more: { Opened: '2024-05-31', Zip: '01067', Share: '0.25' } }],
    columns: { Opened: 'property "Opened"' },
  },
  {
    name: 'a workbook with an error and an uncalculated formula',
    file: 'stores.xlsx',
    content: workbook({
      Stores: [
        HEADER,
        [text('A'), text('x')],
        [text('B'), '<c t="e"><v>#REF!</v></c>'],
        [text('C'), '<c><f>A1</f></c>'],
      ],
    }),
    stored: [A],
    rejected: [
      [3, 'B3: #REF!'],
      [4, 'B4'],
    ],
  },
  {
    name: 'a workbook named like a CSV file',
    file: 'stores.csv',
    content: workbook({ Empty: [], Stores: [HEADER, [text('A'), text('x')]] }),
    stored: [A],
  },
  {
    name: 'a named sheet',
    file: 'stores.xlsx',
    content: workbook({ First: [HEADER, [text('B'), text('y')]], Second: [HEADER, [text('A'), text('x')]] }),
    options: { sheet: 'Second' },
    args: ['--sheet', 'Second'],
    stored: [A],
  },
  {
    name: 'a named sheet that does not exist',
    file: 'stores.xlsx',
    content: workbook({ First: [HEADER], Second: [HEADER] }),
    options: { sheet: 'Third' },
    args: ['--sheet', 'Third'],
    refused: '"First", "Second"',
  },
  {
    name: 'an archive of another format',
    file: 'stores.xlsx',
    content: zipOf([{ name: 'readme.txt', content: 'x' }]),
    refused: 'Supported formats: CSV',
  },
];

export const IMPORT_CASES: readonly ImportCase[] = [
  ...XML_FILES,
  ...WORKBOOKS,
  ...COORDINATES,
  ...COLUMNS,
  ...EXTERNAL_IDS,
  ...TABLES,
  ...JSON_FILES,
  ...OTHERS,
];
