/** `map-locations import` */

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

import type { ColumnUse } from '../transfer/columns/mapping.ts';
import { DELIMITER_NAMES, delimiterNamed } from '../transfer/csv/delimiter.ts';
import type { MapFormat } from '../transfer/formats.ts';
import { formatOf, MAP_FORMATS } from '../transfer/formats.ts';
import { encodingNamed } from '../transfer/text/decode.ts';

interface ImportOptions {
  readonly format?: MapFormat;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly sheet?: string;
  readonly field?: ReadonlyMap<string, ColumnUse>;
  readonly externalId?: string;
  readonly address?: string;
  readonly fillAddress?: 'coordinates';
  readonly upsert?: true;
  readonly dryRun?: true;
  readonly restart?: true;
}

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description(`Store the rows of a file as locations of a map: ${LABELS.join(', ')}.`)
    .argument('<map>', 'id of the map')
    .argument('<file>', 'the file')
    .addOption(
      new Option(
        '--format <format>',
        'format of the file; by default its content tells, then its extension',
      ).choices(MAP_FORMATS),
    )
    .option('--encoding <name>', 'encoding of the text, such as cp1252; by default UTF-8', readEncoding)
    .option(
      '--delimiter <character>',
      `between the cells of CSV: ${DELIMITER_NAMES}; by default the file tells`,
      readDelimiter,
    )
    .option('--sheet <name>', 'sheet of a workbook; by default the first visible one with a header')
    .option('--field <Field=Column>', 'the column of a field of the map; repeatable', collectField)
    .option('--external-id <column>', 'the column of the external ids; by default externalId or external_id')
    .option('--address <template>', 'make the address of several columns: "{street}, {zip} {city}"')
    .addOption(
      new Option('--fill-address <with>', 'the address of a row that has a point and no address').choices([
        'coordinates',
      ]),
    )
    .option('--upsert', 'change the locations that have the rows’ external ids, and create the others')
    .addOption(
      new Option('--dry-run', 'print what would become of each row, and store nothing').conflicts('restart'),
    )
    .option('--restart', 'import all rows, also where an earlier import of the file ended early')
    .addHelpText('after', HELP)
    .action(async (mapId: string, file: string, options: ImportOptions) => {
      const { importFile } = await import('./import-file.ts');
      const { format, encoding, delimiter, sheet, field, externalId, address, fillAddress } = options;
      const uses = new Map(field);
      if (externalId !== undefined) uses.set(externalId, { kind: 'externalId' });
      await importFile({
        mapId,
        path: file,
        isDryRun: options.dryRun ?? false,
        restart: options.restart ?? false,
        options: {
          ...(format !== undefined && { format }),
          ...(encoding !== undefined && { encoding }),
          ...(delimiter !== undefined && { delimiter }),
          ...(sheet !== undefined && { sheet }),
          ...(address !== undefined && { address }),
          ...(uses.size > 0 && { uses }),
          ...(fillAddress !== undefined && { fillsAddress: true }),
          ...(options.upsert && { isUpsert: true }),
        },
      });
    });
}

const LABELS = MAP_FORMATS.map((name) => formatOf(name).label);

const HELP = `
Each row becomes a location, in the order of the file, even if it equals another row. A row without an order goes to the
end of the list. A file that \`map-locations export\` wrote gives the same list in another map.

csv      A header and rows. A first line such as sep=; names the delimiter.
xlsx     The first visible sheet with a header, or --sheet. Formulas have the values that were saved with them.
geojson  A FeatureCollection, a Feature, or one Feature per line. A Feature's point is taken, its properties are fields.
         With --upsert its externalId, else its id, is the external id.
ndjson   One object per line: a line of an export, a location as GraphQL returns it, or an object of fields.
kml      Placemarks with a Point, also of a KMZ archive. Their elements and ExtendedData are properties by their names, and
         the folders are the property Folder.
gpx      Waypoints. Their elements are properties by their names.

What becomes of each column is printed. Names are compared without case and without white space around them. In this
order a column is
  - what --field, --external-id or --address say;
  - the field of exactly that name;
  - the point: lat, latitude or y with lng, lon, long, longitude or x (also behind geo_ or gps_), or both numbers in one
    of coordinates, latlng, lat_lng, point, wkt, geom, geometry and the_geom: "48.85, 2.35", WKT or GeoJSON;
  - the external id: externalId, external_id or external id;
  - the field of that name in another case;
  - else a property of its own name.
A row without a point is geocoded by its address. Every cell stays the text that it is.

--dry-run prints a line for each row: its number in the file, what would become of it (created, updated, unchanged, or an
error code) and the reason, with tabs between them. No address is geocoded.

An import that ended early continues where it stopped when you run the same command again. No row is left out or stored
twice, and no address is geocoded twice. A complete import starts over. An import from a pipe cannot be continued.

Rows that cannot be stored go to a file beside the input: museums.csv gives museums.rejected.csv, in UTF-8. It replaces
an earlier one. Each row has its line, code and reason. Correct the rows there and import that file. What was added is
left out.

--encoding takes the names of https://encoding.spec.whatwg.org/#names-and-labels. A byte order mark wins over it.

Exit status:
    0  all rows were stored
    1  some rows were rejected, or the file is damaged further down, or the import ended early; what was stored stays
    2  nothing was begun
  130  interrupted (by SIGTERM: 143); the batch under way was stored`;

function readEncoding(label: string): string {
  const encoding = encodingNamed(label);
  if (encoding === null) throw new InvalidArgumentError('It is no known encoding, such as cp1252.');
  return encoding;
}

function readDelimiter(name: string): string {
  if (delimiterNamed(name) === null) throw new InvalidArgumentError(`It must be one of ${DELIMITER_NAMES}.`);
  return name;
}

function collectField(
  text: string,
  uses: ReadonlyMap<string, ColumnUse> = new Map(),
): ReadonlyMap<string, ColumnUse> {
  // A field's name may hold the character, and so may a column's: the first one divides.
  const at = text.indexOf('=');
  const [name, column] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || column === '') throw new InvalidArgumentError('It must be Field=Column.');
  if ([...uses.values()].some((use) => 'name' in use && use.name === name)) {
    throw new InvalidArgumentError(`The field ${JSON.stringify(name)} is named twice.`);
  }
  if (uses.has(column))
    throw new InvalidArgumentError(`The column ${JSON.stringify(column)} is named twice.`);
  return new Map([...uses, [column, { kind: 'field', name }]]);
}
