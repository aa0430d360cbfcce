/** `map-locations import --dry-run`: a line for each row on stdout, for programs and for `grep`. */

import type { ImportOptions } from '../transfer/import/import-rows.ts';
import type { ImportSummary } from '../transfer/import/report.ts';
import type { ImportSource } from '../transfer/open-import.ts';
import { reportColumns } from './import-messages.ts';
import { isJson, printable, say, streamResult } from './output.ts';
import { FAILED } from './run.ts';

/** So many characters are printed at once. */
const PIECE = 16_384;

export async function dryRun(
  path: string,
  { unit, report }: Pick<ImportSource, 'unit' | 'report'>,
  run: (options: ImportOptions) => Promise<ImportSummary>,
  onBegin: () => void,
): Promise<void> {
  const gone = new AbortController();
  let lines = '';
  const print = async (): Promise<void> => {
    const text = lines;
    lines = '';
    // Nobody reads what would become of the other rows.
    if (text !== '' && !(await streamResult(text))) gone.abort();
  };
  const add = (line: number, outcome: string, reason: string): void | Promise<void> => {
    lines += isJson
      ? `${JSON.stringify({ [unit.toLowerCase()]: line, outcome, reason: reason || null })}\n`
      : `${line}\t${outcome}\t${printable(reason)}\n`;
    if (lines.length > PIECE) return print();
  };
  const { stored, rejected, end } = await run({
    isDryRun: true,
    stop: gone.signal,
    onBegin,
    onStored: (line, outcome) => add(line, outcome, ''),
    onRejected: ({ line, code, reason }) => add(line, code, reason),
  });
  await print();
  reportColumns(path, report());
  if (end.kind === 'damaged') say(`${path} is damaged from ${unit} ${end.line} on: ${end.reason}.`);
  if (end.kind === 'failed') throw end.error;
  if (rejected > 0 || end.kind === 'damaged') process.exitCode = FAILED;
  say(`${stored} rows of ${path} would be stored, and ${rejected} rejected. Nothing was stored.`);
}
