/** `map-locations mirror` */

import type { Command } from 'commander';

import type { StoreApplication } from '../app/composition/store.ts';
import type { Config } from '../app/config.ts';
import type { MirrorProgress, MirrorResult, RejectedLocation } from '../upstream/mirror/mirror.ts';
import { readText, SECRET_HELP } from './options.ts';
import { complain, countOf, printResult, say } from './output.ts';
import { createProgress } from './progress.ts';
import {
  CommandError,
  FAILED,
  inspectStore,
  listenForInterruption,
  NOT_STARTED,
  reportFailure,
  withApplication,
} from './run.ts';

interface MirrorOptions {
  readonly from: string;
  /** The token, or where to read it. */
  readonly token: string;
  readonly map: string;
  readonly owner?: string;
}

/** The syntax of bearer tokens (RFC 6750). */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** Characters of a name or id in messages. */
const SHOWN = 80;

export function addMirrorCommand(program: Command): void {
  program
    .command('mirror')
    .description('Copy a map of another service that implements /v0 into the store, and print its id.')
    .requiredOption('--from <url>', 'address of the service: the part before /v0')
    .requiredOption('--token <token>', 'a token of that service that may read the map')
    .requiredOption('--map <id>', 'id of the map there')
    .option('--owner <name>', 'owner of the map here; created if there is none of that name')
    .addHelpText(
      'after',
      `
Run the command again to update the map here. Its id and the ids of its locations stay, and only what changed gets a new
version. The map is recognized by the address and its id there. Without --owner, a new map belongs to the owner mirror. Its
name, its fields and whether it is published follow the other map. API keys are not copied, and no address is geocoded.

The external id of a location is its id there. Locations that are missing there are deleted here, but only after the whole
list was read. Locations without an external id, which were created here, stay. A location that cannot be stored here, such as
one whose id is longer than 255 characters, is reported and left out.
${SECRET_HELP}

Exit status:
    0  the map equals the other one
    1  some locations were left out, or the command failed; what was written stays, and a failed run deletes nothing
    2  not started
  130  interrupted (143 by SIGTERM); what was written stays, and nothing was deleted`,
    )
    .action(mirror);
}

async function mirror(options: MirrorOptions): Promise<void> {
  const state = { isStarted: false };
  const interruption = listenForInterruption(() => say('', 'Stopping; nothing is deleted.'));
  const { signal } = interruption;
  try {
    const { isHttpAddress } = await import('../app/config.ts');
    if (!isHttpAddress(options.from)) {
      throw new CommandError('--from must be an http or https address without a query or credentials.');
    }
    const token = readText(options.token, 'token');
    if (!TOKEN.test(token)) throw new CommandError('--token is not a bearer token.');
    await withApplication(
      (application, config) =>
        mirrorTo(application, config, { ...options, token }, signal, () => (state.isStarted = true)),
      { hasLongCalls: true, createsStore: true },
    );
  } catch (error) {
    if (signal.aborted) process.exitCode = interruption.exitCode;
    else reportFailure(error, state.isStarted ? FAILED : NOT_STARTED);
  } finally {
    interruption.end();
  }
}

async function mirrorTo(
  application: StoreApplication,
  config: Config,
  {
    from,
    token,
    map: mapId,
    owner = null,
  }: Omit<MirrorOptions, 'owner'> & { readonly owner?: string | null },
  signal: AbortSignal,
  onStart: () => void,
): Promise<void> {
  const { addressOfUpstream, openUpstream } = await import('../app/composition/upstream.ts');
  const { mirrorMap } = await import('../upstream/mirror/mirror.ts');
  const progress = createProgress<MirrorProgress>({
    shareOf: () => null,
    describe: ({ read }) => `${countOf(read, 'location')} read`,
  });
  const upstream = openUpstream(from, config);
  try {
    const source = { upstream, token, address: addressOfUpstream(from), mapId };
    const store = await inspectStore(application.storage, config, owner ?? '');
    const result = await mirrorMap(application, source, {
      owner,
      maxBulk: config.limits.bulk,
      signal,
      onBegin: ({ id, isNew }) => {
        onStart();
        if (isNew) say(`Created the map ${id} in ${store.name}.`);
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
    progress.clear();
    upstream.close();
  }
}

function sayRejected({ id, name, error }: RejectedLocation): void {
  complain(error.code, `${shorten(name)} (${shorten(id)}) was left out: ${error.message}`);
}

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
      `Integers beyond ±${Number.MAX_SAFE_INTEGER} are stored as strings of their digits, in ${countOf(numbersAsText, 'location')}.`,
    );
  }
  if (own > 0) say(`Kept ${countOf(own, 'location')} created here.`);
  printResult({ id, name, owner: owner.name, mapCreated: isNew, ...counts }, id);
  if (rejected > 0) process.exitCode = FAILED;
}
