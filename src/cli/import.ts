/** `map-locations import` */

import type { Command } from 'commander';

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description('Store the rows of a CSV file as locations of a map.')
    .argument('<map>', 'id of the map')
    .argument('<file>', 'the CSV file')
    .option('--restart', 'import all rows anew, also where an earlier import of the file ended early', false)
    .addHelpText(
      'after',
      `
The file is UTF-8 text. Its first line names the columns, which must include the map's name and address fields; columns
that the map does not define are kept. Cells are separated by commas (or by semicolons or tabs, where the first line
holds no comma) and stay the strings that they are. Each row becomes a location at the end of the map's list, also where
it equals another. Empty lines are skipped.

An import that ended early, however it did, goes on where it was when the same file is imported into the same map again:
no row is left out or stored twice, and no address is asked for again that was answered. A file whose import was complete
is imported anew, after what is there. What comes through a pipe cannot be resumed.

Rows that cannot be stored go to a file beside the input (museums.csv gives museums.rejected.csv, in place of an earlier
one), with the line, code and reason of each. Correct them there and import that file: the three columns are left out.

Exit status: 0 all rows were stored; 1 some were rejected, or the file is damaged further down or the import ended
early, and what was stored stays; 2 nothing was begun; 130 interrupted: the batch under way was stored.`,
    )
    .action(async (mapId: string, file: string, options: { restart: boolean }) => {
      const { importFile } = await import('./import-file.ts');
      await importFile(mapId, file, options);
    });
}
