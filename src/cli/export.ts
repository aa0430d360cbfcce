/** `map-locations export` */

import type { Command } from 'commander';
import { Option } from 'commander';

import type { MapFormat } from '../transfer/formats.ts';
import { MAP_FORMATS } from '../transfer/formats.ts';

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('Write all locations of a map, in the order of its list.')
    .argument('<map>', 'id of the map')
    .argument('[file]', 'where to; by default stdout')
    .addOption(
      new Option(
        '--format <format>',
        'by default the one that the extension of the file names, else geojson',
      ).choices(MAP_FORMATS),
    )
    .addHelpText(
      'after',
      `
All three can be imported again, into this map or another one: see \`map-locations import --help\`.

  geojson  a FeatureCollection, for maps and geographic programs
  csv      a table: our columns, the map's fields, and \`more\`, which holds as JSON what a cell cannot say
  ndjson   a line of JSON for each location

The file is replaced only when the export is complete. Until then it stays as it was.

Exit status:
    0  all locations were written
    1  nothing was written to the file
  130  interrupted (by SIGTERM: 143); nothing was written to the file`,
    )
    .action(async (mapId: string, file: string | undefined, { format }: { format?: MapFormat }) => {
      const { exportMap } = await import('./export-file.ts');
      await exportMap({ mapId, path: file ?? null, format: format ?? null });
    });
}
