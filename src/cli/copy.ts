/** `map-locations copy`: a whole store into another. */

import type { Command } from 'commander';

import { OperatorError } from '../errors.ts';
import type { CopyProgress, CopyResult } from '../services/locations/copy.ts';
import { complain, printResult, say } from './output.ts';
import { createProgress } from './progress.ts';
import { CommandError, FAILED, NOT_BEGUN, reportFailure, sayNotice } from './run.ts';

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
  const reporter = createReporter();
  try {
    const { readConfig } = await import('../app/config.ts');
    const { isStorageUrl, isThere, copyBetween } = await import('../app/composition/whole-stores.ts');
    for (const [option, url] of Object.entries({ '--from': from, '--to': to })) {
      if (!isStorageUrl(url)) throw new CommandError(`${option} is no address of a store.`);
    }
    if (!(await isThere(from))) throw new CommandError('There is no store at --from.');
    const onProgress = (progress: CopyProgress) => {
      state.isBegun = true;
      reporter.update(progress);
    };
    const options = { onProgress, wantsTotal: process.stderr.isTTY };
    report(await copyBetween(from, to, readConfig(), options, { onStorageNotice: sayNotice }));
  } catch (error) {
    reporter.clear();
    // Wrong arguments, or a store that cannot be used as it is.
    const isRefusal = error instanceof CommandError || error instanceof OperatorError;
    reportFailure(error, isRefusal && !state.isBegun ? NOT_BEGUN : FAILED);
  }
}

/** A bar on a terminal; a line now and then elsewhere. */
function createReporter() {
  const progress = createProgress<CopyProgress>({
    shareOf: ({ locations, totalLocations }) =>
      totalLocations === null || totalLocations === 0 ? null : locations / totalLocations,
    describe: ({ maps, locations }) => `${maps} maps, ${locations} locations`,
  });
  return {
    clear: progress.clear,
    update(done: CopyProgress): void {
      if (done.phase === 'copying') return progress.update(done);
      progress.clear();
      say(`Copied ${done.maps} maps and ${done.locations} locations; comparing …`);
    },
  };
}

function report(result: CopyResult): void {
  switch (result.kind) {
    case 'copied':
    case 'unchanged':
      if (result.kind === 'unchanged') say('The target is a complete copy already; nothing was changed.');
      printResult(
        { result: result.kind, ...result.counts },
        `maps ${result.counts.maps}, locations ${result.counts.locations}`,
      );
      return;
    case 'differs':
      complain('CONFLICT', 'The source was written meanwhile: stop the server and copy again. These differ:');
      printResult(
        { result: result.kind, maps: result.mapIds, alsoOutsideMaps: result.alsoOutsideMaps },
        result.mapIds.length === 0 ? null : result.mapIds.slice(0, SHOWN_MAPS).join('\n'),
      );
      if (result.mapIds.length > SHOWN_MAPS) say(`… and ${result.mapIds.length - SHOWN_MAPS} more maps`);
      if (result.alsoOutsideMaps) say('owners or tokens');
      process.exitCode = FAILED;
      return;
    case 'refused':
      complain('CONFLICT', `${result.reason} It was not touched.`);
      process.exitCode = NOT_BEGUN;
      return;
  }
}
