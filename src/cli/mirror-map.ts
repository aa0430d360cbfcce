/** One run of `map-locations mirror`. */

import { isHttpAddress } from '../app/config.ts';
import { addressOfUpstream, openUpstream } from '../app/composition/upstream.ts';
import type { MirrorProgress, MirrorResult, RejectedLocation } from '../upstream/mirror/mirror.ts';
import { mirrorMap } from '../upstream/mirror/mirror.ts';
import { listenForInterruption } from './interruption.ts';
import { complain, printResult, say } from './output.ts';
import { createProgress } from './progress.ts';
import { CommandError, FAILED, NOT_BEGUN, reportFailure, withApplication } from './run.ts';
import { lookAtStore } from './store.ts';
import { readText } from './text-argument.ts';

interface MirrorCommand {
  readonly from: string;
  /** The token, or where to read it. */
  readonly token: string;
  readonly mapId: string;
  readonly owner: string | null;
}

/** RFC 6750: what a token is made of. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

export async function mirror({ from, token: given, mapId, owner }: MirrorCommand): Promise<void> {
  const state = { isBegun: false };
  const interruption = listenForInterruption(() => say('', 'Stopping; nothing is deleted.'));
  const { signal } = interruption;
  const progress = createProgress<MirrorProgress>({
    shareOf: () => null,
    describe: ({ read }) => `${read} locations read`,
  });
  try {
    if (!isHttpAddress(from)) {
      throw new CommandError('--from must be an http or https address without a query or credentials.');
    }
    const token = readText(given, 'token');
    if (!TOKEN.test(token)) throw new CommandError('--token is no bearer token.');
    await withApplication(
      async (application, config) => {
        const upstream = openUpstream(from, config);
        try {
          const source = { upstream, token, address: addressOfUpstream(from), mapId };
          const store = await lookAtStore(application.storage, config, owner ?? '');
          const result = await mirrorMap(application, source, {
            owner,
            maxBulk: config.limits.bulk,
            signal,
            onBegin: ({ id, isNew }) => {
              state.isBegun = true;
              if (isNew) say(`Made the map ${id} in ${store.name}.`);
            },
            onProgress: progress.update,
            onRejected: (rejected) => {
              progress.clear();
              sayRejected(rejected);
            },
          });
          progress.clear();
          report(result);
        } finally {
          upstream.close();
        }
      },
      { hasLongCalls: true, makesStore: true },
    );
  } catch (error) {
    progress.clear();
    if (signal.aborted) process.exitCode = interruption.exitCode;
    else reportFailure(error, state.isBegun ? FAILED : NOT_BEGUN);
  } finally {
    interruption.end();
  }
}

function sayRejected({ id, name, error }: RejectedLocation): void {
  complain(error.code, `${shorten(name)} (${shorten(id)}) was left out: ${error.message}`);
}

const SHOWN = 80;

function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function report({ id, name, owner, isNew, ...counts }: MirrorResult): void {
  const { created, updated, unchanged, moved, deleted, rejected, numbersAsText, own } = counts;
  say(
    `${name}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${moved} moved, ${deleted} deleted, ${rejected} left out.`,
  );
  if (numbersAsText > 0) {
    say(
      `Integers beyond ±${Number.MAX_SAFE_INTEGER} are kept as strings of their digits, in ${numbersAsText} of the locations.`,
    );
  }
  if (own > 0) say(`${own} locations that were made here stay as they are.`);
  printResult({ id, name, owner: owner.name, mapCreated: isNew, ...counts }, id);
  if (rejected > 0) process.exitCode = FAILED;
}
