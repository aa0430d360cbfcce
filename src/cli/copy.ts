/** `map-locations copy`: a whole store into another. */

import type { Command } from 'commander';

import { OperatorError } from '../errors.ts';
import type { CopyOptions, CopyResult } from '../services/copy.ts';
import { complain, printResult, say } from './output.ts';
import { CommandError, FAILED, NOT_BEGUN, reportFailure, sayNotice } from './run.ts';

const PROGRESS_INTERVAL_MS = 2_000;
/** How many ids are printed at most: a store may have millions of maps. */
const SHOWN_MAPS = 100;

export function addCopyCommand(program: Command): void {
  program
    .command('copy')
    .description('Copy a whole store into an empty one, and compare the two afterwards.')
    .requiredOption('--from <url>', 'the store to copy, named as in DATABASE_URL')
    .requiredOption('--to <url>', 'the store to fill: empty, or an earlier copy of the same store')
    .addHelpText(
      'after',
      `
Either store may be SQLite or MongoDB. Everything is copied: maps, locations, tokens, idempotency records. Encrypted API
keys are copied as they are. To go on after an interruption, run the same command again: it begins anew. A target is not
served before its copy is complete.

Exit status:
  0  the target is a complete copy
  1  the copy failed, or the source was written meanwhile; the maps that differ are printed: stop the server, copy again
  2  nothing was begun: a store cannot be used, or the target holds other data, or was written since it was copied`,
    )
    .action(copy);
}

async function copy({ from, to }: { from: string; to: string }): Promise<void> {
  const state = { isBegun: false };
  try {
    const { isStorageUrl, isThere, copyBetween } = await import('../gateway.ts');
    for (const [option, url] of Object.entries({ '--from': from, '--to': to })) {
      if (!isStorageUrl(url)) throw new CommandError(`${option} is no address of a store.`);
    }
    if (!(await isThere(from))) throw new CommandError('There is no store at --from.');
    const sayProgress = createReporter();
    const onProgress = (progress: Progress) => {
      state.isBegun = true;
      sayProgress(progress);
    };
    report(await copyBetween(from, to, { onProgress }, { onStorageNotice: sayNotice }));
  } catch (error) {
    // Wrong arguments, or a store that cannot be used as it is.
    const isRefusal = error instanceof CommandError || error instanceof OperatorError;
    reportFailure(error, isRefusal && !state.isBegun ? NOT_BEGUN : FAILED);
  }
}

type Progress = Parameters<NonNullable<CopyOptions['onProgress']>>[0];

function createReporter(): (progress: Progress) => void {
  let last = performance.now();
  return ({ phase, maps, locations }) => {
    if (phase === 'comparing') return say(`Copied ${maps} maps and ${locations} locations; comparing …`);
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    say(`${maps} maps, ${locations} locations …`);
  };
}

function report(result: CopyResult): void {
  switch (result.kind) {
    case 'copied':
    case 'unchanged':
      if (result.kind === 'unchanged') say('The target is a complete copy already; nothing was changed.');
      printResult(`maps ${result.counts.maps}, locations ${result.counts.locations}`);
      return;
    case 'differs':
      complain('The source was written meanwhile: stop the server and copy again. These differ:');
      for (const id of result.mapIds.slice(0, SHOWN_MAPS)) printResult(id);
      if (result.mapIds.length > SHOWN_MAPS) say(`… and ${result.mapIds.length - SHOWN_MAPS} more maps`);
      if (result.alsoOutsideMaps) say('owners or tokens');
      process.exitCode = FAILED;
      return;
    case 'refused':
      complain(`${result.reason} It was not touched.`);
      process.exitCode = NOT_BEGUN;
      return;
  }
}
