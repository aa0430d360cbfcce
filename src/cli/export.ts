/** `map-locations export` */

import { createWriteStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

import type { StoreApplication } from '../app/composition/store.ts';
import type { Delimiter } from '../transfer/csv/delimiter.ts';
import { delimiterNamed, EXPORT_DELIMITERS } from '../transfer/csv/delimiter.ts';
import type { MapFormat } from '../transfer/formats.ts';
import { formatOf, formatOfPath, MAP_FORMATS } from '../transfer/formats.ts';
import { countOf, printResult, say } from './output.ts';
import { createProgress } from './progress.ts';
import { CommandError, FAILED, listenForInterruption, reportFailure, withApplication } from './run.ts';
import { isWriteFailure, rethrowWriteFailure, writeWholeFile } from './whole-file.ts';

interface ExportOptions {
  readonly format?: MapFormat;
  readonly delimiter?: Delimiter;
  readonly for?: 'spreadsheet';
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('Write all locations of a map, in list order.')
    .argument('<map>', 'id of the map')
    .argument('[file]', 'the file to write; stdout by default')
    .addOption(
      new Option(
        '--format <format>',
        'format; by default by the extension of the file, else geojson',
      ).choices(MAP_FORMATS),
    )
    .option('--delimiter <character>', 'delimiter of csv: , ; or tab; a comma by default', readDelimiter)
    .addOption(
      new Option('--for <program>', 'csv that a spreadsheet opens as is, without formulas').choices([
        'spreadsheet',
      ]),
    )
    .addHelpText(
      'after',
      `
Formats:
${MAP_FORMATS.map((name) => `  ${name.padEnd(8)} for ${formatOf(name).purpose}`).join('\n')}

CSV, and the other formats with the same columns, can be imported again and give the same list: see
\`map-locations import --help\`. Their columns are ours, then the fields of the map, then \`more\`, which holds as JSON what cells
cannot express.

The file is replaced only when the export is complete. Until then it stays as it was.

Exit status:
    0  all locations were written
    1  nothing was written to the file
  130  interrupted (143 by SIGTERM); nothing was written to the file`,
    )
    .action(exportMap);
}

function readDelimiter(name: string): Delimiter {
  const delimiter = delimiterNamed(name);
  if (delimiter !== null && EXPORT_DELIMITERS.includes(delimiter)) return delimiter;
  throw new InvalidArgumentError('It must be one of , ; and tab.');
}

async function exportMap(mapId: string, file: string | undefined, options: ExportOptions): Promise<void> {
  const interruption = listenForInterruption();
  try {
    await withApplication(
      (application) => writeMap(application, mapId, file ?? null, options, interruption.signal),
      { hasLongCalls: true },
    );
  } catch (error) {
    if (interruption.signal.aborted) process.exitCode = interruption.exitCode;
    else reportFailure(error, FAILED);
  } finally {
    interruption.end();
  }
}

/** @param path null for stdout */
async function writeMap(
  { storage, services }: StoreApplication,
  mapId: string,
  path: string | null,
  { format, delimiter, for: program }: ExportOptions,
  signal: AbortSignal,
): Promise<void> {
  const { findOwnedMap, operatorFor } = await import('../services/operator.ts');
  const { owner } = await findOwnedMap(storage, mapId);
  const separator = delimiter ?? (path?.toLowerCase().endsWith('.tsv') ? '\t' : undefined);
  const exported = await services.exports.openExport(
    { caller: operatorFor(owner), signal },
    {
      mapId,
      format: format ?? formatOfPath(path ?? '') ?? 'geojson',
      isForSpreadsheet: program === 'spreadsheet',
      ...(separator !== undefined && { delimiter: separator }),
    },
  );
  const total = await storage.countLocations(mapId);
  const progress = createProgress<number>({
    isTerminalOnly: true,
    shareOf: (count) => (total === 0 ? null : count / total),
    describe: (count) => countOf(count, 'location'),
  });
  // On the terminal that shows the export itself, a progress bar would break it.
  const isShown = path !== null || !process.stdout.isTTY;
  let locations = 0;
  const read = exported.read((count) => {
    locations += count;
    if (isShown) progress.update(locations);
  });
  const content = Readable.from(read, { objectMode: false });
  try {
    if (path === null) await toStdout(content, signal);
    else await toFile(content, path, signal);
  } finally {
    progress.clear();
  }
  if (path === null) return;
  say(`Wrote ${countOf(locations, 'location')} to ${path}.`);
  printResult({ file: path, locations });
}

/** A closed reader, as in `export MAP | head`, is not a failure. */
async function toStdout(content: Readable, signal: AbortSignal): Promise<void> {
  await pipeline(content, process.stdout as Writable, { end: false, signal }).catch((error: unknown) => {
    // handleOutputFailures has reported it.
    if (isWriteFailure(error)) return;
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED' && code !== 'ERR_STREAM_PREMATURE_CLOSE')
      throw error;
  });
}

async function toFile(content: Readable, path: string, signal: AbortSignal): Promise<void> {
  try {
    const target = await targetOf(path);
    if (target.isDevice) {
      await pipeline(content, createWriteStream(path), { signal }).catch(rethrowWriteFailure(path));
    } else {
      await writeWholeFile(target.path, {
        name: path,
        write: (file) => pipeline(content, file, { signal }),
      });
    }
  } finally {
    content.destroy();
  }
}

/** Follows links. A pipe or another special file cannot be replaced. @throws CommandError for a directory */
async function targetOf(path: string): Promise<{ readonly path: string; readonly isDevice: boolean }> {
  const stats = await stat(path).catch(() => null);
  if (stats?.isDirectory()) throw new CommandError(`${path} is a directory; give the path of a file.`);
  return stats === null
    ? { path, isDevice: false }
    : { path: await realpath(path), isDevice: !stats.isFile() };
}
