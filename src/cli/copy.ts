/** `map-locations copy`: copies a store into another. */

import type { Command } from 'commander';

import { OperatorError } from '../errors.ts';
import type { CopyProgress, CopyResult } from '../services/store/copy.ts';
import { complain, countOf, printResult, say } from './output.ts';
import { createProgress } from './progress.ts';
import { CommandError, FAILED, NOT_STARTED, reportFailure, sayNotice } from './run.ts';

/** Maximum number of ids to print: a store may have millions of maps. */
const SHOWN_MAPS = 100;

export function addCopyCommand(program: Command): void {
  program
    .command('copy')
    .description('Copy a whole store into an empty one, and compare the two.')
    .requiredOption('--from <url>', 'the store to copy, in the form of DATABASE_URL')
    .requiredOption('--to <url>', 'the target: an empty store, or an earlier copy of the same store')
    .addHelpText(
      'after',
      `
Each store may be SQLite or MongoDB. Everything is copied: maps, locations, tokens, idempotency records, webhooks. Encrypted
API keys are copied as they are. After an interruption, run the same command again: it starts over. The target is not served
until its copy is complete.

Exit status:
  0  the target is a complete copy
  1  the copy failed, or the source changed meanwhile; the maps that differ are printed: stop the server and copy again
  2  not started: a store cannot be used, the target holds other data, or the target changed since it was copied`,
    )
    .action(copy);
}

async function copy({ from, to }: { from: string; to: string }): Promise<void> {
  const state = { isStarted: false };
  const reporter = createReporter();
  try {
    const { readConfig } = await import('../app/config.ts');
    const { isStorageUrl, isThere, copyBetween } = await import('../app/composition/whole-stores.ts');
    for (const [option, url] of Object.entries({ '--from': from, '--to': to })) {
      if (!isStorageUrl(url)) throw new CommandError(`${option} is not the address of a store.`);
    }
    if (!(await isThere(from))) throw new CommandError('There is no store at --from.');
    const onProgress = (progress: CopyProgress) => {
      state.isStarted = true;
      reporter.update(progress);
    };
    const options = { onProgress, wantsTotal: process.stderr.isTTY };
    report(await copyBetween(from, to, readConfig(), options, { onStorageNotice: sayNotice }));
  } catch (error) {
    reporter.clear();
    // Invalid arguments, or a store that cannot be used as it is.
    const isRefusal = error instanceof CommandError || error instanceof OperatorError;
    reportFailure(error, isRefusal && !state.isStarted ? NOT_STARTED : FAILED);
  }
}

function createReporter() {
  const progress = createProgress<CopyProgress>({
    shareOf: ({ locations, totalLocations }) =>
      totalLocations === null || totalLocations === 0 ? null : locations / totalLocations,
    describe: ({ maps, locations }) => `${countOf(maps, 'map')}, ${countOf(locations, 'location')}`,
  });
  return {
    clear: progress.clear,
    update(done: CopyProgress): void {
      if (done.phase === 'copying') return progress.update(done);
      progress.clear();
      say(`Copied ${countOf(done.maps, 'map')} and ${countOf(done.locations, 'location')}; comparing …`);
    },
  };
}

function report(result: CopyResult): void {
  switch (result.kind) {
    case 'copied':
    case 'unchanged':
      if (result.kind === 'unchanged') say('The target is already a complete copy; nothing was changed.');
      printResult(
        { result: result.kind, ...result.counts },
        `maps ${result.counts.maps}, locations ${result.counts.locations}`,
      );
      return;
    case 'differs':
      complain(
        'CONFLICT',
        'The source changed during the copy: stop the server and copy again. These differ:',
      );
      printResult(
        { result: result.kind, maps: result.mapIds, alsoOutsideMaps: result.alsoOutsideMaps },
        result.mapIds.length === 0 ? null : result.mapIds.slice(0, SHOWN_MAPS).join('\n'),
      );
      if (result.mapIds.length > SHOWN_MAPS)
        say(`… and ${countOf(result.mapIds.length - SHOWN_MAPS, 'more map')}`);
      if (result.alsoOutsideMaps) say('owners or tokens');
      process.exitCode = FAILED;
      return;
    case 'refused':
      complain('CONFLICT', `${result.reason} It was not changed.`);
      process.exitCode = NOT_STARTED;
      return;
  }
}
