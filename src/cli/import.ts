/** `map-locations import` */

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

import type { MapFormat } from '../transfer/formats.ts';
import { MAP_FORMATS } from '../transfer/formats.ts';
import { encodingNamed } from '../transfer/text/decode.ts';

interface ImportOptions {
  readonly format?: MapFormat;
  readonly encoding?: string;
  readonly upsert?: true;
  readonly dryRun?: true;
  readonly restart?: true;
}

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description('Store the rows of a table, GeoJSON Features or lines of NDJSON as locations of a map.')
    .argument('<map>', 'id of the map')
    .argument('<file>', 'the file')
    .addOption(
      new Option(
        '--format <format>',
        'by default the one that the extension of the file names, else csv',
      ).choices(MAP_FORMATS),
    )
    .option('--encoding <name>', 'encoding of the text, such as cp1252; by default UTF-8', readEncoding)
    .option('--upsert', 'change the locations that have the rows’ external ids, and create the others')
    .addOption(
      new Option('--dry-run', 'print what would become of each row, and store nothing').conflicts('restart'),
    )
    .option('--restart', 'import all rows, also where an earlier import of the file ended early')
    .addHelpText(
      'after',
      `
Each row becomes a location, in the order of the file, also where it equals another row. One without an order goes to
the end of the map's list. A file that \`map-locations export\` wrote gives the same list in another map.

csv      The first line names the columns. They must include the map's name field and address field. Columns that the
         map does not define are kept. Cells are separated by commas. Where the first line holds no comma, they are
         separated by semicolons or tabs. Every cell stays the text that it is. Empty lines are skipped. The columns
         lat (or latitude) and lng (or longitude, lon, long) are the row's coordinates in degrees, and with --upsert
         externalId is the external id, unless the map defines fields of these names.
geojson  A FeatureCollection (also .json). A Feature's point is taken, and its properties are the fields. With --upsert
         its externalId, else its id, is the external id.
ndjson   Lines as an export writes them (also .jsonl).

A row that has coordinates is not geocoded. UTF-16 is known by its byte order mark. --encoding takes every name of
https://encoding.spec.whatwg.org/#names-and-labels.

--dry-run prints a line for each row: the line where it begins (of GeoJSON the number of the Feature), what would become
of it (created, updated, unchanged, or an error code), and the reason, with tabs between them. No address is geocoded.

An import that ended early goes on where it was when you run the same command again. No row is left out or stored twice.
No address is asked for again that was answered. A file whose import was complete is imported once more. An import from a
pipe cannot be resumed.

Rows that cannot be stored go to a file beside the input: museums.csv gives museums.rejected.csv, in UTF-8. It replaces
an earlier one. Each row has its line, code and reason. Correct the rows there and import that file. What was added is
left out.

Exit status:
    0  all rows were stored
    1  some rows were rejected, or the file is damaged further down, or the import ended early; what was stored stays
    2  nothing was begun
  130  interrupted (by SIGTERM: 143); the batch under way was stored`,
    )
    .action(async (mapId: string, file: string, options: ImportOptions) => {
      const { importFile } = await import('./import-file.ts');
      const { format = null, encoding = null, upsert, dryRun, restart } = options;
      await importFile({
        mapId,
        path: file,
        format,
        encoding,
        isUpsert: upsert ?? false,
        isDryRun: dryRun ?? false,
        restart: restart ?? false,
      });
    });
}

function readEncoding(label: string): string {
  const encoding = encodingNamed(label);
  if (encoding === null) throw new InvalidArgumentError('It is no encoding that is known, such as cp1252.');
  return encoding;
}
