/** `map-locations import` */

import type { Command } from 'commander';

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description('Store the rows of a CSV file as locations of a map.')
    .argument('<map>', 'id of the map')
    .argument('<file>', 'the CSV file')
    .option('--restart', 'import all rows, also where an earlier import of the file ended early', false)
    .addHelpText(
      'after',
      `
The file is UTF-8 text. Its first line names the columns. They must include the map's name field and address field.
Columns that the map does not define are kept. Cells are separated by commas. Where the first line holds no comma, they
are separated by semicolons or tabs. Every cell stays the text that it is.

Each row becomes a location at the end of the map's list, also where it equals another row. Empty lines are skipped. The
columns lat and lng are the row's coordinates in degrees, unless the map defines fields of these names. A row that has
them is not geocoded.

An import that ended early goes on where it was when you run the same command again. No row is left out or stored twice.
No address is asked for again that was answered. A file whose import was complete is imported once more. An import from a
pipe cannot be resumed.

Rows that cannot be stored go to a file beside the input: museums.csv gives museums.rejected.csv. It replaces an earlier
one. Each row has its line, code and reason. Correct the rows there and import that file. The three columns are left out.

Exit status:
    0  all rows were stored
    1  some rows were rejected, or the file is damaged further down, or the import ended early; what was stored stays
    2  nothing was begun
  130  interrupted (by SIGTERM: 143); the batch under way was stored`,
    )
    .action(async (mapId: string, file: string, options: { restart: boolean }) => {
      const { importFile } = await import('./import-file.ts');
      await importFile({ mapId, path: file, restart: options.restart });
    });
}
