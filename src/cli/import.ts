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
    .description(`Import the rows of a file as locations of a map: ${LABELS.join(', ')}.`)
    .argument('<map>', 'id of the map')
    .argument('<file>', 'the file')
    .addOption(
      new Option(
        '--format <format>',
        'format of the file; by default by its content, then its extension',
      ).choices(MAP_FORMATS),
    )
    .option('--encoding <name>', 'encoding of the text, such as cp1252; UTF-8 by default', readEncoding)
    .option(
      '--delimiter <character>',
      `delimiter of CSV: ${DELIMITER_NAMES}; by default detected`,
      readDelimiter,
    )
    .option('--sheet <name>', 'sheet of a workbook; by default the first visible sheet with a header')
    .option('--field <Field=Column>', 'the column for a field of the map; repeatable', collectField)
    .option('--external-id <column>', 'the column of external ids; by default externalId or external_id')
    .option('--address <template>', 'build the address from several columns: "{street}, {zip} {city}"')
    .addOption(
      new Option('--fill-address <with>', 'set the address of rows with a point and no address').choices([
        'coordinates',
      ]),
    )
    .option('--upsert', 'update locations with the same external id, and create the others')
    .addOption(
      new Option('--dry-run', 'print the outcome of each row, and store nothing').conflicts('restart'),
    )
    .option('--restart', 'import all rows, even if an earlier import of the file ended early')
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
Each row becomes a location, in the order of the file, even if it equals another row. Rows without an order go to the end of
the list. A file from \`map-locations export\` gives the same list in another map.

csv      A header and rows. A first line such as sep=; sets the delimiter.
xlsx     The first visible sheet with a header, or --sheet. Formulas have their saved values.
geojson  A FeatureCollection, a Feature, or one Feature per line. The point of a Feature becomes the position, its properties
         become fields. With --upsert, its externalId, else its id, is the external id.
ndjson   One object per line: a line of an export, a location from the GraphQL API, or an object of fields.
kml      Placemarks with a Point, also in a KMZ archive. Their elements and ExtendedData become properties of the same name,
         their folders the property Folder.
gpx      Waypoints. Their elements become properties of the same name.

The import prints the use of each column. Names match regardless of case and surrounding white space. The first of these
that matches decides:
  - --field, --external-id or --address;
  - a field of exactly that name;
  - the point: lat, latitude or y with lng, lon, long, longitude or x (also after geo_ or gps_), or both numbers in one
    of coordinates, latlng, lat_lng, point, wkt, geom, geometry and the_geom: "48.85, 2.35", WKT or GeoJSON;
  - the external id: externalId, external_id or external id;
  - a field of that name in another case;
  - otherwise a property of the same name.
A row without a point is geocoded by its address. Cells are stored as their text.

--dry-run prints a tab-separated line for each row: its number in the file, its outcome (created, updated, unchanged, or an
error code) and the reason. No address is geocoded.

To resume an import that ended early, run the same command again. No row is left out or stored twice, and no address is
geocoded twice. A complete import starts over. An import from a pipe cannot be resumed.

Rejected rows go to a file next to the input: museums.csv gives museums.rejected.csv, in UTF-8. It replaces an earlier one.
Each row has its line, code and reason. Correct the rows there and import that file; the import ignores the added columns.

--encoding takes the names of https://encoding.spec.whatwg.org/#names-and-labels. A byte order mark takes precedence.

Exit status:
    0  all rows were stored
    1  rows were rejected, the file is damaged, or the import ended early; what was stored stays
    2  not started
  130  interrupted (143 by SIGTERM); the current batch was stored`;

function readEncoding(label: string): string {
  const encoding = encodingNamed(label);
  if (encoding === null)
    throw new InvalidArgumentError('It must be the name of an encoding, such as cp1252.');
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
  // Both names may contain "=": the first one separates them.
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
