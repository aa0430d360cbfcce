/** `map-locations export` */

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

import type { Delimiter } from '../transfer/csv/delimiter.ts';
import { delimiterNamed, EXPORT_DELIMITERS } from '../transfer/csv/delimiter.ts';
import type { MapFormat } from '../transfer/formats.ts';
import { formatOf, MAP_FORMATS } from '../transfer/formats.ts';

interface ExportOptions {
  readonly format?: MapFormat;
  readonly delimiter?: Delimiter;
  readonly for?: 'spreadsheet';
}

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
    .option(
      '--delimiter <character>',
      'between the cells of csv: , ; or tab; by default a comma',
      readDelimiter,
    )
    .addOption(
      new Option('--for <program>', 'csv that a spreadsheet opens as it is, without formulas').choices([
        'spreadsheet',
      ]),
    )
    .addHelpText(
      'after',
      `
Formats:
${MAP_FORMATS.map((name) => `  ${name.padEnd(8)} for ${formatOf(name).purpose}`).join('\n')}

CSV and the others with the same columns can be imported again and give the same list: see \`map-locations import --help\`.
Their columns are ours, the map's fields, and \`more\`, which holds as JSON what a cell cannot say.

The file is replaced only when the export is complete. Until then it stays as it was.

Exit status:
    0  all locations were written
    1  nothing was written to the file
  130  interrupted (by SIGTERM: 143); nothing was written to the file`,
    )
    .action(async (mapId: string, file: string | undefined, options: ExportOptions) => {
      const { exportMap } = await import('./export-file.ts');
      await exportMap({
        mapId,
        path: file ?? null,
        format: options.format ?? null,
        delimiter: options.delimiter ?? (file?.toLowerCase().endsWith('.tsv') ? '\t' : null),
        isForSpreadsheet: options.for === 'spreadsheet',
      });
    });
}

function readDelimiter(name: string): Delimiter {
  const delimiter = delimiterNamed(name);
  if (delimiter !== null && EXPORT_DELIMITERS.includes(delimiter)) return delimiter;
  throw new InvalidArgumentError('It must be one of , ; and tab.');
}
